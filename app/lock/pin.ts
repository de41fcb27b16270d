// How a PIN becomes the text that is kept instead of it, and whether one fits such a text: scrypt (RFC 7914) with its
// parameters and salt beside the digest, in the PHC string format.
import { scrypt, timingSafeEqual } from 'node:crypto';

export interface ScryptCost {
  /** The binary logarithm of N; memory is 128 × N × blockSize bytes. */
  readonly logN: number;
  readonly blockSize: number;
  readonly parallelization: number;
}

/**
 * 32 MiB and a tenth of a second on a good machine. Higher would hold up a slow terminal for seconds, and four digits
 * are found at any cost by who has the text.
 */
export const defaultCost: ScryptCost = { logN: 15, blockSize: 8, parallelization: 1 };

const digestBytes = 32;
const saltBytes = 16;
/** The highest cost that a text may ask for: 128 MiB. A provisioned or altered one must not hold up the terminal. */
const highest: ScryptCost = { logN: 17, blockSize: 8, parallelization: 4 };

const shape = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

interface PinText {
  readonly cost: ScryptCost;
  readonly salt: Buffer;
  readonly digest: Buffer;
}

function readText(text: string): PinText | null {
  const [, logN = '', blockSize = '', parallelization = '', salt = '', digest = ''] = shape.exec(text) ?? [];
  const cost = { logN: Number(logN), blockSize: Number(blockSize), parallelization: Number(parallelization) };
  const isPossible = (['logN', 'blockSize', 'parallelization'] as const).every(
    (part) => cost[part] >= 1 && cost[part] <= highest[part],
  );
  return isPossible ? { cost, salt: Buffer.from(salt, 'base64'), digest: Buffer.from(digest, 'base64') } : null;
}

function digestOf(pin: string, salt: Buffer, { logN, blockSize, parallelization }: ScryptCost): Promise<Buffer> {
  const N = 2 ** logN;
  return new Promise((resolve, reject) => {
    scrypt(
      pin,
      salt,
      digestBytes,
      { N, r: blockSize, p: parallelization, maxmem: 256 * N * blockSize },
      (error, digest) => {
        if (error === null) {
          resolve(digest);
        } else {
          reject(error);
        }
      },
    );
  });
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/** Whether the text is one that `hashPin` could have written, at a cost that this terminal can bear. */
export function isPinText(text: string): boolean {
  return readText(text) !== null;
}

/** The text to keep instead of the PIN; `uuid` is a fresh random one, and becomes the salt. */
export async function hashPin(pin: string, uuid: string, cost: ScryptCost = defaultCost): Promise<string> {
  const salt = Buffer.from(uuid.replaceAll('-', ''), 'hex');
  if (salt.length !== saltBytes) {
    throw new Error('the salt is not a UUID');
  }
  const digest = await digestOf(pin, salt, cost);
  return `$scrypt$ln=${cost.logN},r=${cost.blockSize},p=${cost.parallelization}$${unpadded(salt)}$${unpadded(digest)}`;
}

/**
 * Whether the PIN fits the text, compared in constant time; `stale`: it fits, but was hashed at another cost. No PIN
 * fits a text that cannot be read.
 */
export async function comparePin(
  pin: string,
  text: string,
  cost: ScryptCost = defaultCost,
): Promise<'wrong' | 'right' | 'stale'> {
  const read = readText(text);
  if (read === null || !timingSafeEqual(await digestOf(pin, read.salt, read.cost), read.digest)) {
    return 'wrong';
  }
  const isSameCost =
    read.cost.logN === cost.logN &&
    read.cost.blockSize === cost.blockSize &&
    read.cost.parallelization === cost.parallelization;
  return isSameCost ? 'right' : 'stale';
}
