import { parseUpdateInfo } from 'electron-updater/out/providers/Provider.js';
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, succeed, type Result } from '../app/domain/result.ts';
import { isSigned, maxSignedDays } from '../app/hosts/signed/signature.ts';
import { feedName, readFeed, type Feed, type FeedFile } from '../app/hosts/updates/feed.ts';
import { isUpdateFor, readProgramHeaderOf } from '../app/hosts/updates/program-header.ts';
import { stop } from './project.ts';

const usage = `Usage: npm run sign-feed -- --new-key FILE
       npm run sign-feed -- [--percentage N] [--days N] [--only-version V] [--renew] dist/package/latest.yml ...

Each file that a feed names lies beside it: its digest, its size and what its first bytes say of system and processor are checked, and what it
is for goes into what is signed.

  --new-key FILE   makes a key, writes the private one to FILE (PEM) and prints the public one, which TILLSIDE_UPDATE_KEY names at packaging
  --percentage N   offer the update to about N of a hundred terminals; without it, to all
  --days N         the feed is good for so many days, 1 to ${maxSignedDays}; 90 without it. Sign it again before they are over: terminals use none
                   that has expired
  --only-version V signs nothing of another version
  --renew          the files need not be here; each feed must bear the signature (.sig beside it) of a key in TILLSIDE_UPDATE_KEY

The private key is in TILLSIDE_UPDATE_PRIVATE_KEY, as PEM; where TILLSIDE_UPDATE_KEY is set, it names the public one. Upload the files first, then each .sig, and the .yml last.
`;

/** The public key of a private one (PEM), as the app takes it. */
export function publicKeyOf(privateKey: string): string {
  const { x = '' } = createPublicKey(createPrivateKey(privateKey)).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
}

/** Makes a private key, writes it to a file that is not there yet (PEM), and answers the public one. */
export function writeNewKey(path: string): string {
  const privateKey = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  writeFileSync(path, privateKey, { mode: 0o600, flag: 'wx' });
  return publicKeyOf(privateKey);
}

/** The signature of a text, as the file beside it holds it. */
export function signText(feed: string, privateKey: string): string {
  return `${sign(null, Buffer.from(feed, 'utf8'), createPrivateKey(privateKey)).toString('base64')}\n`;
}

/**
 * Writes a text, and its signature beside it as `path`.sig; answers the public key to check it with. Throws when the
 * signature does not hold.
 */
export function writeSigned(path: string, text: string, privateKey: string): string {
  const signature = signText(text, privateKey);
  const publicKey = publicKeyOf(privateKey);
  if (!isSigned(text, signature, [publicKey])) {
    throw new Error(`${path}: the signature does not hold`);
  }
  writeFileSync(path, text);
  writeFileSync(`${path}.sig`, signature);
  return publicKey;
}

/** The feed with its stage, in place of one that it had. */
export function withPercentage(feed: string, percentage: number): string {
  return `${feed.replace(/^stagingPercentage:.*\n?/m, '').trimEnd()}\nstagingPercentage: ${percentage}\n`;
}

/** The feed with the date until which it is good, in place of one that it had. */
export function withExpiry(feed: string, expires: Date): string {
  return `${feed.replace(/^expires:.*\n?/m, '').trimEnd()}\nexpires: '${expires.toISOString()}'\n`;
}

const systems: Readonly<Record<string, FeedFile['platform']>> = { win: 'win32', mac: 'darwin', linux: 'linux' };
const processors: Readonly<Record<string, FeedFile['architecture']>> = {
  x64: 'x64',
  x86_64: 'x64',
  amd64: 'x64',
  arm64: 'arm64',
  aarch64: 'arm64',
};

/** Which machine a file is for, by its name, and by its first bytes where it is one that terminals take. */
function machineOf(name: string, directory: string): Result<Pick<FeedFile, 'platform' | 'architecture'>, string> {
  const [, system = '', processor = '', ending = ''] = /-(win|mac|linux)-(\w+)\.(\w+)$/.exec(name) ?? [];
  const [platform, architecture] = [systems[system], processors[processor]];
  if (platform === undefined || architecture === undefined) {
    return fail(`${name}: the name does not end in system and processor`);
  }
  const isTaken = ['AppImage', 'exe', 'zip'].includes(ending);
  return !isTaken || isUpdateFor(readProgramHeaderOf(join(directory, name)), { platform, architecture })
    ? succeed({ platform, architecture })
    : fail(`${name}: its first bytes are not those of a program for ${system} on ${processor}`);
}

/** Why a file of the feed, as a terminal reads it, is not the one that lies in the directory; null when all are. */
function findOther({ files }: Feed, directory: string): string | null {
  const others = files.map(({ url, sha512, size, platform, architecture }) => {
    const path = join(directory, url);
    if (!existsSync(path)) {
      return `${url} does not lie beside the feed`;
    }
    const bytes = readFileSync(path);
    const machine = machineOf(url, directory);
    if (!machine.ok) {
      return machine.failure;
    }
    const isSame =
      createHash('sha512').update(bytes).digest('base64') === sha512 &&
      bytes.length === size &&
      machine.value.platform === platform &&
      machine.value.architecture === architecture;
    return isSame ? null : `${url} is another file than the feed says`;
  });
  return others.find((other) => other !== null) ?? null;
}

/**
 * The feed with the system and the processor of each file, in place of those that it named. Fails with one sentence
 * when a file does not lie in the directory, or is for another machine than its name says.
 */
export function withMachines(feed: string, directory: string): Result<string, string> {
  const failures: string[] = [];
  const bare = feed.replaceAll(/^ {4}(?:platform|architecture): .*\n/gm, '');
  const named = bare.replaceAll(/^ {2}- url: (\S+)\n((?: {4}.*\n)*)/gm, (entry, name: string) => {
    const path = join(directory, name);
    if (!/^[\w.-]+$/.test(name) || !existsSync(path)) {
      failures.push(`${name} does not lie beside the feed`);
      return entry;
    }
    const machine = machineOf(name, directory);
    if (!machine.ok) {
      failures.push(machine.failure);
      return entry;
    }
    const { platform, architecture } = machine.value;
    return `${entry}    platform: ${platform}\n    architecture: ${architecture}\n`;
  });
  const [failure] = failures;
  return failure === undefined ? succeed(named) : fail(failure);
}

/** The feed as terminals would read it; null when they would refuse it. */
export function readFeedText(feed: string): Feed | null {
  try {
    return readFeed(parseUpdateInfo(feed, 'feed', new URL('https://feed.invalid')));
  } catch {
    return null;
  }
}

const fileKeys = new Set(['url', 'sha512', 'size', 'blockMapSize', 'platform', 'architecture']);
/** `path` and `sha512` are for terminals of before there were `files`; electron-builder still writes them. */
const feedKeys = new Set(['version', 'files', 'path', 'sha512', 'releaseDate', 'stagingPercentage', 'expires']);

/** Which keys of a feed that can be read were never looked at: electron-updater obeys some, such as minimumSystemVersion. */
export function findUnknownKeys(feed: string): readonly string[] {
  const info = parseUpdateInfo(feed, 'feed', new URL('https://feed.invalid'));
  const ofFiles = info.files.flatMap((file) => Object.keys(file).filter((key) => !fileKeys.has(key)));
  return [...new Set([...Object.keys(info).filter((key) => !feedKeys.has(key)), ...ofFiles])];
}

/** Whether all machines that its files are for read a feed of this name. */
function isOfItsName({ files }: Feed, path: string): boolean {
  return files.every(({ platform, architecture }) => feedName(platform, architecture) === basename(path));
}

/** Whether the signature beside the feed is one of these keys'. */
function isSignedBefore(path: string, text: string, publicKeys: readonly string[]): boolean {
  return existsSync(`${path}.sig`) && isSigned(text, readFileSync(`${path}.sig`, 'utf8'), publicKeys);
}

/** A whole number from 1 to `most`, or null. */
export function readNumber(text: string, most: number): number | null {
  const number = Number(text);
  return Number.isInteger(number) && number >= 1 && number <= most ? number : null;
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'new-key': { type: 'string' },
      percentage: { type: 'string' },
      days: { type: 'string', default: '90' },
      renew: { type: 'boolean', default: false },
      'only-version': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help || (values['new-key'] === undefined && positionals.length === 0)) {
    process.stdout.write(usage);
    return;
  }
  if (values['new-key'] !== undefined) {
    process.stdout.write(`${writeNewKey(values['new-key'])}\n`);
    return;
  }
  const privateKey = process.env['TILLSIDE_UPDATE_PRIVATE_KEY'] ?? '';
  if (privateKey === '') {
    stop('TILLSIDE_UPDATE_PRIVATE_KEY is empty; without a signature no terminal takes the update.');
  }
  const percentage = values.percentage === undefined ? null : readNumber(values.percentage, 100);
  if (values.percentage !== undefined && percentage === null) {
    stop('--percentage is a whole number from 1 to 100');
  }
  const days = readNumber(values.days, maxSignedDays);
  if (days === null) {
    stop(`--days is a whole number from 1 to ${maxSignedDays}`);
  }
  const publicKeys = (process.env['TILLSIDE_UPDATE_KEY'] ?? '').split(/[\s,]+/).filter((key) => key !== '');
  if (publicKeys.length > 0 && !publicKeys.includes(publicKeyOf(privateKey))) {
    stop('TILLSIDE_UPDATE_KEY does not name the key that would sign; no terminal would take the update.');
  }
  const expires = new Date(Date.now() + days * 24 * 3_600_000);
  const feeds = positionals.map((path) => {
    if (!existsSync(path)) {
      stop(`${path} is not there; nothing has been signed.`);
    }
    const written = readFileSync(path, 'utf8');
    if (values.renew && !isSignedBefore(path, written, publicKeys)) {
      stop(`${path} is not signed by a key in TILLSIDE_UPDATE_KEY; nothing has been signed.`);
    }
    const whole = values.renew ? succeed(written) : withMachines(written, dirname(path));
    if (!whole.ok) {
      stop(`${path}: ${whole.failure}; nothing has been signed.`);
    }
    const feed = withExpiry(percentage === null ? whole.value : withPercentage(whole.value, percentage), expires);
    const read = readFeedText(feed);
    if (read === null) {
      stop(
        `${path}: no terminal would take this feed; one of before its files' machines were named is signed without --renew.`,
      );
    }
    const unknown = findUnknownKeys(feed);
    if (unknown.length > 0) {
      stop(`${path}: ${unknown.join(', ')}: no key of a feed that Tillside signs; nothing has been signed.`);
    }
    if (values['only-version'] !== undefined && read.version !== values['only-version']) {
      stop(`${path} is of version ${read.version}, not ${values['only-version']}; nothing has been signed.`);
    }
    if (!isOfItsName(read, path)) {
      stop(
        `${path}: its files are for other machines than those that read a feed of this name; nothing has been signed.`,
      );
    }
    const other = values.renew ? null : findOther(read, dirname(path));
    if (other !== null) {
      stop(`${path}: ${other}; nothing has been signed.`);
    }
    return { path, feed };
  });
  // All of them or none.
  for (const { path, feed } of feeds) {
    const publicKey = writeSigned(path, feed, privateKey);
    process.stdout.write(`${path}.sig, to be checked with ${publicKey}; good until ${expires.toISOString()}\n`);
  }
}

if (import.meta.main) {
  main();
}
