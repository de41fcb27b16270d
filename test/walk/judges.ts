// What a person is told, beside what is so. Each judge answers what is not, in words.
import type { QueuedUpdate } from '../../app/contract/queue.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import type { Deed } from './do-step.ts';
import { findAll, type Screen } from './screen.ts';
import type { Product, Since, Truth } from './truth.ts';

export interface Seen {
  readonly screen: Screen;
  readonly state: TerminalState;
  readonly queue: readonly QueuedUpdate[] | null;
  readonly atMs: number;
}

export interface Finding {
  /** Stays the same for the same fault, so that a shorter walk is known by it. */
  readonly rule: string;
  readonly words: string;
  /** So long it may be so: what is on its way to the screen is no untruth. */
  readonly patienceMs: number;
}

type CouponRow = Extract<QueuedUpdate, { kind: 'coupon' }>;

const isOpen = ({ status }: QueuedUpdate): boolean => ['pending', 'inFlight', 'parked'].includes(status);
const couponRows = (queue: readonly QueuedUpdate[] | null, product: Product): readonly CouponRow[] =>
  (queue ?? []).filter((row): row is CouponRow => row.kind === 'coupon' && row.productId === product.id);

/** What was so at some moment of this time. */
function heldWithin<Value>(history: readonly Since<Value>[], fromMs: number, toMs: number): readonly Value[] {
  return history
    .filter(({ atMs }, place) => atMs <= toMs && (history[place + 1]?.atMs ?? Number.POSITIVE_INFINITY) >= fromMs)
    .map(({ value }) => value);
}

/** From when to when the words say that it was, in milliseconds since 1970; null for words without an age. */
function spanOf(words: string, nowMs: number): readonly [number, number] | null {
  if (/just now/.test(words)) {
    return [nowMs - 16_000, nowMs];
  }
  const [, count, unit] = /(\d+) (second|minute|hour|day)s? ago/.exec(words) ?? [];
  const unitMs = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 }[unit ?? ''];
  return unitMs === undefined
    ? null
    : [nowMs - (Number(count) + 0.5) * unitMs - 2_000, nowMs - (Number(count) - 0.5) * unitMs + 2_000];
}

const slackMs = 2_000;

function judgeCard({ screen, queue, atMs }: Seen, truth: Truth): Finding[] {
  const { card } = screen;
  if (card === null) {
    return [];
  }
  const product = truth.productNamed(card.name, card.codes);
  if (product === null) {
    return [{ rule: 'card', words: `no product is ${card.name} with ${card.codes.join(', ')}`, patienceMs: 4_000 }];
  }
  const found: Finding[] = [];
  const say = (rule: string, words: string, patienceMs = 4_000): number =>
    found.push({ rule, words: `${product.name}: ${words}`, patienceMs });
  const span = spanOf(card.age, atMs);
  if (card.age !== '' && (card.amount === null) !== (span === null)) {
    say('figure', `the figure ${String(card.amount)} has the age "${card.age}"`);
  }
  if (card.amount !== null && span !== null) {
    const [from, to] = span;
    const held = heldWithin(truth.amounts(card.stock, product), from - slackMs, to + slackMs);
    if (!held.includes(card.amount)) {
      say('figure', `${card.amount} in ${card.stock}, "${card.age}"; the platform had ${held.join(', ')}`);
    }
    const asked = /^(?:Live|Last asked live)/.test(card.age) ? `/${product.id}/balance` : '/products';
    if (!truth.wasAnswered(asked, from - slackMs, to + slackMs)) {
      say('age', `"${card.age}", and the platform did not say so then`);
    }
  }
  const newest = couponRows(queue, product).toSorted((left, right) => right.id - left.id)[0];
  if (card.coupon !== null && queue !== null) {
    const { isOn, words } = card.coupon;
    if (/as on the platform/.test(words)) {
      const readMs = Math.max(
        truth.lastAnswered('/consumption-coupons') ?? 0,
        newest === undefined ? 0 : newest.changedAt,
      );
      if (newest !== undefined && isOpen(newest)) {
        say('coupon', `"${words}", and a change waits (${newest.status})`);
      } else if (!heldWithin(truth.coupons(product), readMs - slackMs, atMs).includes(isOn)) {
        say('coupon', `${isOn ? 'on' : 'off'}, "${words}"; the platform has it otherwise`);
      }
    } else if (/waiting to be sent|sending/.test(words)) {
      if (newest === undefined || !isOpen(newest) || newest.isEnabled !== isOn) {
        say(
          'coupon',
          `${isOn ? 'on' : 'off'}, "${words}"; in the queue is ${newest === undefined ? 'nothing' : `${newest.status} ${String(newest.isEnabled)}`}`,
        );
      }
    }
  }
  return found;
}

function judgeQueue({ screen, state, queue, atMs }: Seen, truth: Truth): Finding[] {
  if (queue === null || screen.place === '') {
    return [];
  }
  const found: Finding[] = [];
  const going = queue.filter(({ status }) => status === 'pending' || status === 'inFlight').length;
  if (screen.waiting !== going && state.phase === 'ready') {
    found.push({ rule: 'waiting', words: `${screen.waiting} waiting; in the queue are ${going}`, patienceMs: 4_000 });
  }
  const parked = queue.filter(({ status }) => status === 'parked').length;
  if (screen.toDecide !== parked) {
    found.push({
      rule: 'toDecide',
      words: `${screen.toDecide} need a decision; in the queue are ${parked}`,
      patienceMs: 4_000,
    });
  }
  for (const row of queue) {
    if (row.kind === 'coupon' && row.status === 'delivered') {
      const held = heldWithin(truth.coupons({ id: row.productId }), row.createdAt - 130_000, atMs);
      if (!held.includes(row.isEnabled)) {
        found.push({
          rule: 'delivered',
          words: `${row.productName ?? ''} is delivered as ${String(row.isEnabled)}; the platform never had that`,
          patienceMs: 0,
        });
      }
    }
  }
  return found;
}

function judgeConnection({ screen, atMs }: Seen, truth: Truth): Finding[] {
  const { connection } = screen;
  if (connection === null) {
    return [];
  }
  const unanswered = truth.unanswered();
  const [first = atMs] = unanswered;
  if (/^(?:Online|Resting|Checking)/.test(connection) && unanswered.length >= 2 && atMs - first > 10_000) {
    return [
      {
        rule: 'online',
        words: `"${connection}", and ${unanswered.length} requests in ${Math.round((atMs - first) / 1000)} s were not answered well`,
        patienceMs: 4_000,
      },
    ];
  }
  if (
    /^(?:Offline|Platform does not answer)/.test(connection) &&
    unanswered.length === 0 &&
    atMs - truth.wayChangedMs() > 20_000
  ) {
    return [{ rule: 'offline', words: `"${connection}", and the platform answers`, patienceMs: 4_000 }];
  }
  return [];
}

function judgeCopy({ screen, atMs }: Seen, truth: Truth): Finding[] {
  const parts = [...(screen.copy ?? '').matchAll(/([\d,]+) in ([^·;]+?)(?= ·|;)/g)];
  const span = spanOf(screen.copy ?? '', atMs);
  return parts.flatMap(([, count = '', stockName = '']) => {
    const listed = truth.listed(stockName.trim());
    return Number(count.replaceAll(',', '')) === listed || span === null
      ? []
      : [
          {
            rule: 'copy',
            words: `"${screen.copy ?? ''}"; the platform lists ${listed} in ${stockName}`,
            patienceMs: 4_000,
          },
        ];
  });
}

function judgeWho({ screen, state }: Seen): Finding[] {
  const who =
    state.phase === 'ready' && state.session.state === 'signedIn' && state.cashiers.lockedEmail === null
      ? state.session.email
      : null;
  return screen.who === who || screen.root.text === ''
    ? []
    : [
        {
          rule: 'who',
          words: `at the screen stands ${screen.who ?? 'nobody'}; signed in is ${who ?? 'nobody'}`,
          patienceMs: 4_000,
        },
      ];
}

function judgeFocus({ screen }: Seen): Finding[] {
  const dialog = findAll(screen.root, ({ role, states }) => role === 'dialog' && states['modal'] === true).at(-1);
  if (
    dialog !== undefined &&
    findAll(dialog, ({ states }) => states['focused'] === true).length === 0 &&
    dialog.states['focused'] !== true
  ) {
    return [
      { rule: 'focus', words: `the dialog "${dialog.name}" is open, and the keyboard is elsewhere`, patienceMs: 4_000 },
    ];
  }
  return screen.focused === null
    ? [{ rule: 'focus', words: `on "${screen.place}" the keyboard is nowhere`, patienceMs: 4_000 }]
    : [];
}

/** Whatever is not so on the screen. */
export function judgeScreen(seen: Seen, truth: Truth): Finding[] {
  return [judgeCard, judgeQueue, judgeConnection, judgeCopy, judgeWho, judgeFocus].flatMap((judge) =>
    judge(seen, truth),
  );
}

const rowsSince = (before: Seen, after: Seen): readonly QueuedUpdate[] => {
  const newest = Math.max(0, ...(before.queue ?? []).map(({ id }) => id));
  return (after.queue ?? []).filter(({ id }) => id > newest);
};

/** Whether F4 was pressed for something that it switches, and neither the queue nor the screen knows of it. */
export function isUnheard({ scanned, switchKeys }: Deed, before: Seen, after: Seen): boolean {
  const { card, dialogs } = before.screen;
  const isMeant = scanned !== null || (card !== null && card.coupon !== null && dialogs.length === 0);
  const hasSaid =
    after.screen.notes.some((note) => note.includes('F4')) ||
    after.screen.dialogs.length > 0 ||
    /not switched/i.test(after.screen.text);
  return switchKeys > 0 && after.queue !== null && isMeant && !hasSaid && rowsSince(before, after).length === 0;
}

/** Whether the step changed what was named and seen, and nothing else. */
export function judgeDeed(deed: Deed, before: Seen, after: Seen, truth: Truth): Finding[] {
  if (before.queue === null || after.queue === null || deed.pressed !== null) {
    return [];
  }
  const made = rowsSince(before, after);
  const { card } = before.screen;
  const ofCard = card === null ? null : truth.productNamed(card.name, card.codes);
  const meant = deed.scanned === null ? ofCard : truth.product(deed.scanned);
  const found: Finding[] = [];
  const say = (words: string): number => found.push({ rule: 'deed', words, patienceMs: 0 });
  for (const row of made) {
    const name = row.kind === 'coupon' ? (row.productName ?? row.productId) : 'a user';
    if (row.kind !== 'coupon' || deed.switchKeys === 0) {
      say(`nothing was switched, and ${name} is in the queue`);
    } else if (row.productId !== meant?.id) {
      say(`F4 was for ${meant?.name ?? 'no product'}, and switched ${name}`);
    } else if (deed.scanned === null && card?.coupon?.isOn === row.isEnabled) {
      say(`F4 set ${name} to what it was: ${row.isEnabled ? 'on' : 'off'}`);
    }
    if (row.email !== before.screen.who) {
      say(`${before.screen.who ?? 'nobody'} stood at the screen, and it was changed for ${row.email}`);
    }
  }
  if (made.length > deed.switchKeys) {
    say(`${made.length} changes by ${deed.switchKeys} keys`);
  }
  if (isUnheard(deed, before, after)) {
    say(`F4 did nothing to ${meant?.name ?? 'what was seen'}, and nothing says so`);
  }
  return found;
}
