// The shop's provisioning file at an address.
//
//   P1  Nothing of a file is used without the signature of a key that this terminal knows: when it comes, and again
//       when it is used.
//   P2  Nor on a day that it is not signed for; a file that has been used stays in force.
//   P3  Nor one that names another shop, nor one older than the newest that was good, or was used.
//   P6  Nor one that was signed by a clock that was ahead: no right one would be newer. One that was taken all the same,
//       by a clock of this machine that was ahead as well, makes way for any good one.
//   P4  It holds no secret, so that it may lie on the disk and whoever knows the address may read it.
//   P5  It is used at a start, before the store is open, and once: what a person changes afterwards stays.
import { join } from 'node:path';
import { z } from 'zod';
import { fail, succeed, type Result } from '../../domain/result.ts';
import type { ShopFileState, Timer } from '../../ports.ts';
import type { ShopSource } from '../node/device-choices.ts';
import { openKeptJson, type KeptJson } from '../node/kept-json.ts';
import { writeValue, type JsonFile } from '../node/settings-file.ts';
import type { PublishedFile, PublishedFileParts } from '../set-up.ts';
import { downloadSigned, type SignedText } from '../signed/download.ts';
import { isGoodOn, isSigned, isSignedAhead } from '../signed/signature.ts';
import { parseProvision, type ProvisionFile } from './file.ts';

type SignedFile = ProvisionFile & Required<Pick<ProvisionFile, 'signed'>>;
type Offered = Pick<SignedText, 'text' | 'signature'>;

/** Why nothing of a file may be used, and what is wrong with its fields. */
export interface Refusal {
  readonly reason: 'notSigned' | 'invalid' | 'otherShop' | 'date' | 'ahead' | 'older';
  readonly messages: readonly string[];
}

const refuse = (reason: Refusal['reason'], messages: readonly string[] = []) => fail({ reason, messages });

/** Reads a file of this source, whatever day it is (P1, P3). */
function readSigned({ text, signature }: Offered, { publicKey, shop }: ShopSource): Result<SignedFile, Refusal> {
  if (!isSigned(text, signature, publicKey)) {
    return refuse('notSigned');
  }
  const parsed = parseProvision(text, 'address');
  if (!parsed.ok) {
    return refuse('invalid', parsed.failure);
  }
  const { signed, device } = parsed.value;
  return signed === undefined || device.source?.shop !== shop
    ? refuse('otherShop')
    : succeed({ ...parsed.value, signed });
}

/** The newest file that was good; of one that was used and is lost, no text is known. */
interface Newest {
  readonly signed: { readonly at: number };
  readonly text: string | null;
}

/**
 * Reads what an address offers; `servedAt` is the server's clock where it tells it. Fails where nothing of it may be
 * used.
 */
export function readOffered(
  offered: Offered,
  source: ShopSource,
  before: Newest | null,
  now: number,
  servedAt: number | null,
): Result<SignedFile, Refusal> {
  const read = readSigned(offered, source);
  if (!read.ok) {
    return read;
  }
  const { at, until } = read.value.signed;
  const isAhead = (signedAt: number): boolean => isSignedAhead(signedAt, now, servedAt);
  // mutant: a file that was signed by a clock ahead is taken (P6)
  if (isAhead(at)) {
    return refuse('ahead'); // P6
  }
  if (!isGoodOn(until, now)) {
    return refuse('date');
  }
  // mutant: a file with a stamp ahead blocks right ones for ever (P6)
  const isOlder =
    before !== null &&
    !isAhead(before.signed.at) &&
    (at < before.signed.at || (at === before.signed.at && before.text !== null && offered.text !== before.text));
  return isOlder ? refuse('older') : read;
}

const minuteMs = 60_000;
const maxPauseMs = 6 * 60 * minuteMs;

/**
 * How long to wait before the next reading, in milliseconds, after so many failures in a row; `fraction` is from 0 to 1,
 * so that a thousand terminals do not ask together.
 */
export function nextReadingAfter(failures: number, fraction: number): number {
  const pauseMs = failures === 0 ? 60 * minuteMs : Math.min(5 * minuteMs * 2 ** (failures - 1), maxPauseMs);
  return pauseMs * (0.75 + fraction / 2);
}

const firstReadingAfterMs = 5 * minuteMs;

const keptSchema = z
  .object({
    /** Where it was read. */
    url: z.string().max(2000),
    readAt: z.number(),
    text: z.string().max(100_000),
    signature: z.string().max(1000),
    etag: z.string().max(200).nullable(),
    /** As `usedKey`, where an earlier version has used one. */
    usedAt: z.number().nullable(),
  })
  .partial()
  .catch({});
const maxBytes = 300_000;
/** In the settings, when the one that was used last was signed: whatever is lost, it goes with what it has set (P5). */
const usedKey = 'shopFileUsedAt';
/** And whose it was. */
const usedShopKey = 'shopFileUsedShop';
type Used = Pick<JsonFile, 'get'>;

const openKept = (dataDirectory: string): KeptJson<z.infer<typeof keptSchema>> =>
  openKeptJson(join(dataDirectory, 'provisioning.json'), keptSchema, maxBytes);

/** When the file of this shop that was used last was signed; null for none. */
function usedOf(source: ShopSource, used: Used): number | null {
  const at = used.get(usedKey);
  return typeof at === 'number' && used.get(usedShopKey) === source.shop ? at : null;
}

/** The newest good file; one that is older than the used one was put back, and counts as lost. */
function newestOf(
  { text, signature }: z.infer<typeof keptSchema>,
  source: ShopSource,
  used: Used,
  now: number,
): (Offered & SignedFile) | null {
  if (text === undefined || signature === undefined) {
    return null;
  }
  const read = readSigned({ text, signature }, source);
  const usedAt = usedOf(source, used);
  const isPutBack = read.ok && usedAt !== null && read.value.signed.at < usedAt && !isSignedAhead(usedAt, now, null);
  return read.ok && !isPutBack ? { ...read.value, text, signature } : null;
}

/** What nothing older may take the place of (P3): the newest good file or, where it is lost, the one that was used. */
function floorOf(newest: Newest | null, source: ShopSource, used: Used): Newest | null {
  const at = usedOf(source, used);
  return newest ?? (at === null ? null : { signed: { at }, text: null });
}

/** Downloads what an address offers, and judges it as the terminal in this data directory would; keeps nothing. */
export async function previewPublished(
  {
    http,
    dataDirectory,
    source,
    clock,
    used,
  }: Omit<PublishedFileParts, 'random' | 'log' | 'jsonFile'> & { readonly used: Used },
  address: string,
): Promise<Result<SignedFile, Refusal | (Pick<Refusal, 'messages'> & { readonly reason: 'failed' })>> {
  const answer = await downloadSigned({ http, warn: () => undefined, address });
  if (!answer.ok) {
    return fail({ reason: answer.failure, messages: [] });
  }
  const before = floorOf(newestOf(openKept(dataDirectory).get(), source, used, clock.now()), source, used);
  return readOffered(answer.value, source, before, clock.now(), answer.value.servedAt);
}

const refusals: Readonly<Record<Refusal['reason'], string>> = {
  notSigned: 'is not signed by a key that this terminal knows',
  invalid: 'is no provisioning file',
  otherShop: 'is of another shop',
  date: 'is not good on the date of this machine',
  ahead: 'was signed by a clock that is ahead of that of this machine and of the server',
  older: 'is older than the one that is here',
};

/** Keeps the newest good file in the data directory, and reads the address one reading at a time. */
export function openPublished(parts: PublishedFileParts): PublishedFile {
  const { clock, random, http, log, dataDirectory, jsonFile, source } = parts;
  const kept = openKept(dataDirectory);
  let lastReading: ShopFileState['lastReading'] = 'none';
  let failures = 0;
  let reading: Promise<void> | null = null;
  let timer: Timer | null = null;
  let isClosed = false;

  const newest = (): (Offered & SignedFile) | null => newestOf(kept.get(), source, jsonFile, clock.now());
  const usedAt = (): unknown => jsonFile.get(usedKey) ?? kept.get().usedAt ?? null;

  function noteUsed(): void {
    // In this order: a moment that is another shop's would keep its files out.
    writeValue(jsonFile, usedKey, newest()?.signed.at ?? null);
    writeValue(jsonFile, usedShopKey, source.shop);
  }
  // An earlier version did not note whose it was.
  if (jsonFile.get(usedShopKey) === undefined && newest()?.signed.at === usedAt()) {
    noteUsed();
  }

  async function readOnce(): Promise<ShopFileState['lastReading']> {
    const { url, etag = null } = kept.get();
    const before = newest();
    const download = {
      http,
      warn: (message: string, details: object) => log('warning', `provisioning: ${message}`, { ...details }),
      address: source.url,
    };
    const answer = await downloadSigned(download, before !== null && url === source.url ? etag : null);
    if (!answer.ok) {
      return answer.failure;
    }
    const { servedAt } = answer.value;
    const offered = answer.value.text === null ? before : answer.value;
    if (offered === null) {
      return 'failed';
    }
    const read = readOffered(offered, source, floorOf(before, source, jsonFile), clock.now(), servedAt);
    if (!read.ok) {
      const { reason, messages } = read.failure;
      log('warning', `provisioning: what the address offers ${refusals[reason]}; nothing of it is used`, {
        problems: messages.slice(0, 20),
      });
      return reason;
    }
    const { at } = read.value.signed;
    const { text, signature } = offered;
    const newTag = answer.value.text === null ? {} : { etag: answer.value.etag };
    const isKept = kept.change({ url: source.url, readAt: clock.now(), text, signature, ...newTag });
    if (at !== before?.signed.at) {
      log('info', 'provisioning: a newer file is kept for the next start', { signedAt: new Date(at).toISOString() });
    }
    return isKept ? 'good' : 'failed';
  }

  async function readAgain(): Promise<void> {
    reading ??= readOnce()
      .catch((error: unknown) => {
        log('warning', 'provisioning: not read', { reason: String(error).slice(0, 300) });
        return 'failed' as const;
      })
      .then((came) => {
        lastReading = came;
        failures = came === 'good' ? 0 : failures + 1;
        reading = null;
      });
    await reading;
  }

  function readAfter(delayMs: number): void {
    timer = clock.after(delayMs, () => {
      void readAgain().then(() => {
        if (!isClosed) {
          readAfter(nextReadingAfter(failures, random.fraction()));
        }
      });
    });
  }

  return {
    kept: () => {
      const file = newest();
      return file === null
        ? null
        : { file, isDue: usedAt() !== file.signed.at && isGoodOn(file.signed.until, clock.now()) };
    },
    wasUsed: () => usedOf(source, jsonFile) !== null,
    noteUsed,
    state: () => {
      const { url, readAt = null } = kept.get();
      const signedAt = newest()?.signed.at ?? null;
      return {
        url: source.url,
        shop: source.shop,
        readAt: url === source.url ? readAt : null,
        signedAt,
        isWaiting: signedAt !== null && signedAt !== usedAt(),
        lastReading,
      };
    },
    readAgain,
    begin: () => {
      readAfter(random.fraction() * firstReadingAfterMs);
    },
    close: () => {
      isClosed = true;
      timer?.cancel();
    },
  };
}
