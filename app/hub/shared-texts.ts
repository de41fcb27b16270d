// Texts by name that terminals of one shop show one another, beside the document, in registers of the same hub.
//
//   T1  A text is sealed with its register and its version. Nobody without the shop's key can read it, forge it, or put
//       it in the place of another.
//   T2  Its moment is in hub time of one epoch, which never lags behind the time that has passed: a text never looks
//       younger than it is. An older text never replaces a newer one.
//   T3  Whatever goes wrong, there is no text: whoever asks goes on alone.
import { createHmac } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { parseJsonWithin } from '../domain/json.ts';
import type { Clock, Random, SharedText, SharedTexts } from '../ports.ts';
import { callTimeoutMs, type HubTime } from './document.ts';
import { maxDocumentLength, newsPrefix, textPrefix, type HubLink, type HubReading } from './link.ts';
import { open, seal } from './sealing.ts';
import { createSharedNews, maxAheadMs } from './shared-news.ts';

/** A lease that is not renewed ends so long after, in milliseconds. */
export const leaseMs = 20_000;
const renewAfterMs = 7_000;
/** Another terminal's lease is looked at again after so long. */
const lookAgainMs = 2_000;
/** How often a write is tried while others are quicker. */
const maxTries = 3;
/** After a call that failed the hub is left alone for so long. */
const restMs = 5_000;

/** The size that a text may have when it is unpacked, and the values beside it: whoever has the key may write anything. */
const maxTextBytes = 4_194_304;
const maxValues = 20;

/** A moment of the hub, by both its clocks (H5). */
export interface HubMoment extends HubTime {
  readonly epoch: string;
}

const envelopeSchema = z.object({
  format: z.literal(1),
  epoch: z.string(),
  atMs: z.number(),
  by: z.string(),
  text: z.string(),
});
type Envelope = z.infer<typeof envelopeSchema>;

const meaningOf = (register: string, version: number): string => `tillside-shared 1\n${register}\n${version}`;

/** Null where nothing is there that this terminal can read; `newer` where a newer app wrote it. */
function openText(key: Uint8Array, register: string, { document, version }: HubReading): Envelope | 'newer' | null {
  const sealed = document === null ? null : open(key, meaningOf(register, version), Buffer.from(document, 'base64'));
  return sealed === null ? null : (readEnvelope(sealed) ?? 'newer');
}

function readEnvelope(packed: Uint8Array): Envelope | null {
  try {
    const text = gunzipSync(packed, { maxOutputLength: maxTextBytes }).toString('utf8');
    return envelopeSchema.parse(parseJsonWithin(text, maxValues));
  } catch {
    return null;
  }
}

export interface SharedTextsPorts {
  readonly clock: Pick<Clock, 'uptimeMs' | 'after'>;
  readonly random: Pick<Random, 'uuid'>;
  readonly link: HubLink;
  readonly key: Uint8Array;
  /** This terminal's id. */
  readonly id: string;
  /** The hub's time now; null while the hub does not answer. */
  readonly time: () => HubMoment | null;
}

export interface HubTexts extends SharedTexts {
  /** The ids of the terminals that hold a lease, as far as this one has looked lately. */
  holders(): ReadonlySet<string>;
}

/** Opens the texts of a shop's hub. */
export function createSharedTexts({ clock, random, link, key, id, time }: SharedTextsPorts): HubTexts {
  const leases = new Map<string, { readonly holder: string; readonly isMine: boolean; readonly lookAtMs: number }>();
  let restsUntilMs = 0;

  const now = (): HubMoment | null => (clock.uptimeMs() < restsUntilMs ? null : time());
  const registerOf = (prefix: string, name: string): string =>
    `${prefix}${createHmac('sha256', key).update(name).digest('base64url')}`;

  function rest(): void {
    restsUntilMs = clock.uptimeMs() + restMs;
  }

  async function look(register: string) {
    const reading = await link.read(register, callTimeoutMs);
    if (!reading.ok) {
      rest();
      return null;
    }
    return { reading: reading.value, found: openText(key, register, reading.value) };
  }

  /** The text, of this epoch unless told otherwise; null when there is none, or the hub does not answer. */
  async function find(
    register: string,
    of?: 'everyEpoch',
  ): Promise<(Envelope & { readonly nowMs: number }) | 'newer' | null> {
    const found = (now() === null ? null : await look(register))?.found ?? null;
    if (found === null || found === 'newer') {
      return found;
    }
    // Terminals read the hub's time a little apart.
    const aheadMs = Math.ceil(found.atMs - (now()?.hiMs ?? 0));
    if (aheadMs > 0 && aheadMs <= maxAheadMs) {
      await new Promise<void>((resolve) => {
        clock.after(aheadMs, resolve);
      });
    }
    const moment = now();
    if (moment === null) {
      return null;
    }
    // A text that lies further ahead was written when this terminal had not heard of a later time yet.
    const isOfNow = found.epoch === moment.epoch && found.atMs <= moment.hiMs;
    return isOfNow || of === 'everyEpoch' ? { ...found, nowMs: moment.hiMs } : null;
  }

  /** Writes what `change` makes of what is there; null leaves it. Answers whether it was written. */
  async function update(
    register: string,
    change: (found: Envelope | null, moment: HubMoment) => SharedText | null,
  ): Promise<boolean> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const moment = now();
      const looked = moment === null ? null : await look(register);
      if (moment === null || looked === null || looked.found === 'newer') {
        return false;
      }
      const { reading, found } = looked;
      const changed = change(found?.epoch === moment.epoch ? found : null, moment);
      if (changed === null) {
        return false;
      }
      const { text, atMs } = changed;
      const envelope: Envelope = { format: 1, epoch: moment.epoch, atMs, by: id, text };
      const unpacked = Buffer.from(JSON.stringify(envelope));
      const packed = gzipSync(unpacked);
      const sealed = seal(key, meaningOf(register, reading.version + 1), packed, random).toString('base64');
      if (sealed.length > maxDocumentLength || unpacked.length > maxTextBytes) {
        return false;
      }
      const written = await link.write(register, reading, sealed, callTimeoutMs);
      if (!written.ok) {
        rest();
        return false;
      }
      if (written.value) {
        return true;
      }
    }
    return false;
  }

  const news = createSharedNews({ clock, link, id, find, update, registerOf: (name) => registerOf(newsPrefix, name) });

  return {
    nowMs: () => now()?.hiMs ?? null,
    read: async (name, of) => {
      const found = await find(registerOf(textPrefix, name), of);
      return found === null || found === 'newer'
        ? found
        : { text: found.text, atMs: found.atMs, ageMs: found.nowMs - found.atMs };
    },
    write: async (name, text) => {
      await update(registerOf(textPrefix, name), (found) => (found === null || found.atMs < text.atMs ? text : null));
    },
    lease: async (name) => {
      const [known, moment] = [leases.get(name), now()];
      if (moment === null) {
        return false;
      }
      if (known !== undefined && clock.uptimeMs() < known.lookAtMs) {
        return known.isMine;
      }
      let holder = '';
      const isMine = await update(registerOf(textPrefix, name), (found, { loMs, hiMs }) => {
        // By the clock that does not leap when a terminal joins: a lease that ends too late costs a little waiting, two
        // readers at once make everybody wait for both.
        const sinceMs = Number(found?.text);
        // What is no time, or one that has not come, nobody could wait for the end of.
        const isRunning = sinceMs <= hiMs + maxAheadMs && loMs - sinceMs < leaseMs;
        const isFree = found === null || found.by === id || !isRunning;
        holder = isFree ? id : found.by;
        return isFree ? { text: String(loMs), atMs: hiMs } : null;
      });
      leases.set(name, { holder, isMine, lookAtMs: clock.uptimeMs() + (isMine ? renewAfterMs : lookAgainMs) });
      return isMine;
    },
    holders: () =>
      new Set(
        [...leases.values()]
          .filter(({ lookAtMs }) => clock.uptimeMs() - lookAtMs < leaseMs)
          .map(({ holder }) => holder),
      ),
    publish: news.publish,
    listen: news.listen,
  };
}
