import { z } from 'zod';
import { parseJsonWithin } from '../domain/json.ts';
import type { Clock, SharedText, SharedTexts, Timer } from '../ports.ts';
import { maxCount } from './document.ts';
import type { HubLink } from './link.ts';

/** So many are kept for whoever looks later, of so many characters at most. */
const maxKept = 200;
const maxKeptLength = 300_000;
/** News whose bell did not ring is found after so long. */
const lookEveryMs = 10_000;
/** And after a look for which it rang the next one rests for so long: the hub's server may ring without end. */
const restMs = 100;
/** Terminals read the hub's time apart by no more than this. */
export const maxAheadMs = 1_000;

const newsSchema = z
  .array(z.object({ number: z.int().max(maxCount), by: z.string(), text: z.string(), atMs: z.number() }))
  .max(maxKept)
  // Of others the next one could be below what each till has heard, for as long as a high one is kept before it.
  .refine((all) => all.every(({ number }, place) => number > (all[place - 1]?.number ?? 0)));
/** Of so many values, whatever a later version adds to each. */
const maxValues = 20 * maxKept;
type News = z.infer<typeof newsSchema>;

/** A register's text as it was found. */
interface Found {
  readonly epoch: string;
  readonly text: string;
}

/** And the hub's time then. */
interface FoundNow extends Found {
  readonly nowMs: number;
}

interface SharedNewsPorts {
  readonly clock: Pick<Clock, 'after'>;
  readonly link: Pick<HubLink, 'onBell'>;
  /** This terminal's id. */
  readonly id: string;
  /** Where news of this name lie; asked anew each time, for the key may come late. */
  readonly registerOf: (name: string) => string;
  /** The text in a register of this epoch. */
  readonly find: (register: string) => Promise<FoundNow | 'newer' | null>;
  /** Writes what `change` makes of it. */
  readonly update: (
    register: string,
    change: (found: Found | null, moment: { readonly hiMs: number }) => SharedText | null,
  ) => Promise<boolean>;
}

function lastOf(all: News): News {
  const kept: News = [];
  let length = 0;
  for (const one of all.toReversed().slice(0, maxKept)) {
    length += one.text.length;
    if (length > maxKeptLength) {
      break;
    }
    kept.unshift(one);
  }
  return kept;
}

function newsIn(found: Found | null): News {
  return found === null ? [] : lastOf(newsSchema.safeParse(parseJsonWithin(found.text, maxValues)).data ?? []);
}

/** Opens the news of a hub: a register holds the last ones, numbered. */
export function createSharedNews({
  clock,
  link,
  id,
  registerOf,
  find,
  update,
}: SharedNewsPorts): Pick<SharedTexts, 'publish' | 'listen'> {
  return {
    publish: (name, { text, atMs }, how) =>
      update(registerOf(name), (found, { hiMs }) => {
        const before = newsIn(found);
        const number = (before.at(-1)?.number ?? 0) + 1;
        const kept = how === 'replaces' ? before.filter(({ by }) => by !== id) : before;
        return { text: JSON.stringify(lastOf([...kept, { number, by: id, text, atMs }])), atMs: hiMs };
      }),

    listen: (name, listener) => {
      let heard = { epoch: '', number: 0 };
      /** Those of a moment still to come. */
      let ahead: ReadonlySet<number> = new Set();
      /** From when a look begins until it has rested. */
      let isBusy = false;
      let isRung = false;
      let isStopped = false;
      let timer: Timer | null = null;

      function hear(found: FoundNow): void {
        const news = newsIn(found);
        if (heard.epoch !== found.epoch || (news.at(-1)?.number ?? 0) < heard.number) {
          heard = { epoch: found.epoch, number: 0 };
          ahead = new Set();
        }
        const stillAhead = new Set<number>();
        for (const { number, ...one } of news) {
          if (number <= heard.number && !ahead.has(number)) {
            continue;
          }
          heard = { ...heard, number: Math.max(heard.number, number) };
          // A till that has not heard yet of a later time publishes beside them, and whoever has the key writes any moment:
          // what is told as of a year ahead would stand over all that a till reads itself.
          if (one.atMs > found.nowMs + maxAheadMs) {
            stillAhead.add(number);
          } else if (one.by !== id) {
            listener({ ...one, ageMs: found.nowMs - one.atMs });
          }
        }
        ahead = stillAhead;
      }

      async function look(): Promise<void> {
        if (isStopped) {
          return;
        }
        const pauseMs = isRung ? restMs : 0;
        [isBusy, isRung] = [true, false];
        timer?.cancel();
        const found = await find(registerOf(name));
        if (isStopped) {
          return;
        }
        if (found !== null && found !== 'newer') {
          hear(found);
        }
        timer = clock.after(pauseMs, () => {
          isBusy = false;
          timer = clock.after(isRung ? 0 : lookEveryMs - pauseMs, () => void look());
        });
      }

      link.onBell((account) => {
        if (isRung || account !== registerOf(name)) {
          return;
        }
        isRung = true;
        if (!isBusy) {
          void look();
        }
      });
      timer = clock.after(0, () => void look());
      return () => {
        isStopped = true;
        timer?.cancel();
      };
    },
  };
}
