// The verdict on a till that was killed again and again: what the driver asked for and was promised, held against what
// the terminal's own books say, what left it, and what the platform did. Pure. Rules, cited by the tests:
//   K1  Nothing acknowledged has vanished, and nothing stands in the books that nobody asked for.
//   K2  When the world is healthy, every switch is delivered or superseded: nothing here gives a reason to park. A user
//       whom the platform does not know cannot come back: that is parked.
//   K3  The platform has what the newest accepted switch of each product asked for; other products are as they were.
//   K4  No key takes effect twice, and none with other bytes than it first left with.
//   K5  Effects of a product come in the order in which their keys first left, and in the order of intent.
//   K6  No more than 60 requests leave in any 60 s of the till's own time, restarts included.
// It never runs anything.
import type { QueuedUpdate } from '../../app/contract/queue.ts';

/** `unknown`: the host died before it answered, so that it may have been accepted or not. */
type Promised = 'acknowledged' | 'refused' | 'unknown';

/** One switch that the driver asked for. */
export interface Intent {
  readonly productId: string;
  readonly isEnabled: boolean;
  readonly status: Promised;
}

/** One user whom the driver asked back, each but once; none is known to the platform. */
export interface Restoration {
  readonly userId: string;
  readonly status: Promised;
}

/** One switch in the queue's list. */
export interface BookRow {
  readonly productId: string;
  readonly isEnabled: boolean;
  readonly status: string;
}

/** The queue's list, oldest first. */
export interface Books {
  readonly switches: readonly BookRow[];
  readonly restorations: readonly { readonly userId: string; readonly status: string }[];
}

/** The books by the queue's list, oldest first. */
export function booksOf(updates: readonly QueuedUpdate[]): Books {
  return {
    switches: updates.filter((update) => update.kind === 'coupon'),
    restorations: updates.filter((update) => update.kind === 'restoreUser'),
  };
}

export interface Effect {
  readonly productId: string;
  readonly isEnabled: boolean;
  readonly idempotencyKey: string | null;
}

export interface Evidence {
  readonly intents: readonly Intent[];
  readonly restorations: readonly Restoration[];
  readonly books: Books;
  readonly effects: readonly Effect[];
  /** Requests that left the till under a key, oldest first. */
  readonly keyed: readonly { readonly idempotencyKey: string; readonly body: string }[];
  /** When requests left, in milliseconds of the till's own time, oldest first. */
  readonly leftAtMs: readonly number[];
  readonly settingsBefore: ReadonlyMap<string, boolean>;
  readonly settingsAfter: ReadonlyMap<string, boolean>;
}

export interface Violation {
  readonly rule: 'K1' | 'K2' | 'K3' | 'K4' | 'K5' | 'K6';
  readonly what: string;
}

const windowMs = 60_000;
const limit = 60;

function signs(values: readonly { readonly isEnabled: boolean }[]): string {
  return values.map(({ isEnabled }) => (isEnabled ? '+' : '-')).join('');
}

/** Whether the rows are the acknowledged intents and some of the unknown ones, in order. */
function isAccount(rows: readonly BookRow[], intents: readonly Intent[]): boolean {
  // All numbers of rows that the intents so far may have made.
  let reached = new Set([0]);
  for (const intent of intents) {
    const next = new Set(intent.status === 'acknowledged' ? [] : reached);
    for (const count of intent.status === 'refused' ? [] : reached) {
      if (rows[count]?.isEnabled === intent.isEnabled) {
        next.add(count + 1);
      }
    }
    reached = next;
  }
  return reached.has(rows.length);
}

function isSubsequence(
  part: readonly { readonly isEnabled: boolean }[],
  whole: readonly { readonly isEnabled: boolean }[],
): boolean {
  let place = 0;
  for (const { isEnabled } of whole) {
    place += place < part.length && part[place]?.isEnabled === isEnabled ? 1 : 0;
  }
  return place === part.length;
}

function judgeKeys({ effects, keyed }: Evidence): Violation[] {
  const violations: Violation[] = [];
  const bodies = new Map<string, string>();
  for (const { idempotencyKey, body } of keyed) {
    if ((bodies.get(idempotencyKey) ?? body) !== body) {
      violations.push({ rule: 'K4', what: `key ${idempotencyKey} left with other bytes than before` });
    }
    bodies.set(idempotencyKey, body);
  }
  const done = new Set<string>();
  for (const { idempotencyKey, productId } of effects) {
    if (idempotencyKey === null || !bodies.has(idempotencyKey)) {
      violations.push({
        rule: 'K4',
        what: `product ${productId} was changed under a key that never left: ${String(idempotencyKey)}`,
      });
    }
    const effect = `${String(idempotencyKey)} ${productId}`;
    if (done.has(effect)) {
      violations.push({ rule: 'K4', what: `key ${String(idempotencyKey)} took effect twice on product ${productId}` });
    }
    done.add(effect);
  }
  return violations;
}

function judgeProduct(productId: string, evidence: Evidence, orderOfKeys: ReadonlyMap<string, number>): Violation[] {
  const violations: Violation[] = [];
  const [intents, rows, effects] = [evidence.intents, evidence.books.switches, evidence.effects].map(
    (list: readonly { productId: string }[]) => list.filter((item) => item.productId === productId),
  ) as [Intent[], BookRow[], Effect[]];
  const about = `product ${productId}`;
  if (!isAccount(rows, intents)) {
    const marks = { acknowledged: '', unknown: '?', refused: '!' };
    const asked = intents.map(({ isEnabled, status }) => (isEnabled ? '+' : '-') + marks[status]).join('');
    violations.push({
      rule: 'K1',
      what: `${about}: asked for ${asked} (? not known to be accepted, ! refused), the books have ${signs(rows)}`,
    });
  }
  for (const { status } of rows) {
    if (status !== 'delivered' && status !== 'superseded') {
      violations.push({ rule: 'K2', what: `${about}: an update is ${status}` });
    }
  }
  const wanted = rows.at(-1)?.isEnabled ?? evidence.settingsBefore.get(productId);
  const holds = evidence.settingsAfter.get(productId);
  if (wanted !== holds) {
    violations.push({ rule: 'K3', what: `${about}: wanted ${String(wanted)}, the platform has ${String(holds)}` });
  }
  const order = effects.map(({ idempotencyKey }) => orderOfKeys.get(idempotencyKey ?? '') ?? -1);
  if (order.some((place, index) => index > 0 && place < (order[index - 1] ?? -1))) {
    violations.push({ rule: 'K5', what: `${about}: took effect in the order of requests ${order.join(' ')}` });
  }
  if (!isSubsequence(effects, rows)) {
    violations.push({
      rule: 'K5',
      what: `${about}: effects ${signs(effects)} do not follow the intents ${signs(rows)}`,
    });
  }
  return violations;
}

function judgeRestorations({ restorations, books }: Evidence): Violation[] {
  const violations: Violation[] = [];
  for (const { userId, status } of restorations) {
    const count = books.restorations.filter((row) => row.userId === userId).length;
    if (count > (status === 'refused' ? 0 : 1) || (status === 'acknowledged' && count === 0)) {
      violations.push({
        rule: 'K1',
        what: `user ${userId} was asked back (${status}); the books have it ${count} times`,
      });
    }
  }
  for (const { userId, status } of books.restorations) {
    if (!restorations.some((restoration) => restoration.userId === userId)) {
      violations.push({ rule: 'K1', what: `nobody asked for user ${userId}` });
    }
    if (status !== 'parked') {
      violations.push({
        rule: 'K2',
        what: `the restoration of user ${userId}, whom the platform does not know, is ${status}`,
      });
    }
  }
  return violations;
}

/** The most requests that left in any 60 s. */
export function maxInWindow(leftAtMs: readonly number[]): number {
  let max = 0;
  let first = 0;
  leftAtMs.forEach((atMs, place) => {
    while ((leftAtMs[first] ?? atMs) <= atMs - windowMs) {
      first += 1;
    }
    max = Math.max(max, place - first + 1);
  });
  return max;
}

/** Everything that is not as it should be; empty when all rules hold. */
export function judge(evidence: Evidence): readonly Violation[] {
  const orderOfKeys = new Map<string, number>();
  for (const { idempotencyKey } of evidence.keyed) {
    if (!orderOfKeys.has(idempotencyKey)) {
      orderOfKeys.set(idempotencyKey, orderOfKeys.size);
    }
  }
  const products = new Set(
    [...evidence.intents, ...evidence.books.switches, ...evidence.effects]
      .map(({ productId }) => productId)
      .concat([...evidence.settingsAfter.keys()], [...evidence.settingsBefore.keys()]),
  );
  const max = maxInWindow(evidence.leftAtMs);
  return [
    ...judgeKeys(evidence),
    ...judgeRestorations(evidence),
    ...[...products].flatMap((productId) => judgeProduct(productId, evidence, orderOfKeys)),
    ...(max > limit ? [{ rule: 'K6' as const, what: `${max} requests left within 60 s` }] : []),
  ];
}
