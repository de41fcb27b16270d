// What a person is told, beside what is so. Each judge answers what is not, in words.
import type { QueuedUpdate } from '../../app/contract/queue.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import type { Deed } from './do-step.ts';
import { findAll, type Bar, type Screen, type ShownCard, type ShownFigure } from './screen.ts';
import { shopOf, type CouponRow, type Product, type Since, type Truth } from './truth.ts';

export interface Seen {
  readonly screen: Screen;
  /** Null while it is put away. */
  readonly bar: Bar | null;
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

const isOpen = ({ status }: QueuedUpdate): boolean => ['pending', 'inFlight', 'parked'].includes(status);

/** The newest change of a product, by this user or by any other. */
function newestOf(queue: readonly QueuedUpdate[], product: Product, company: string, isOwn: boolean): CouponRow | null {
  return (
    queue
      .filter(
        (row): row is CouponRow =>
          row.kind === 'coupon' && row.productId === product.id && row.companyId === company && row.isOwn === isOwn,
      )
      .toSorted((left, right) => right.id - left.id)[0] ?? null
  );
}

/** What was so at some moment of this time. */
function heldWithin<Value>(history: readonly Since<Value>[], fromMs: number, toMs: number): readonly Value[] {
  return history
    .filter(({ atMs }, place) => atMs <= toMs && (history[place + 1]?.atMs ?? Number.POSITIVE_INFINITY) >= fromMs)
    .map(({ value }) => value);
}

/** From when to when the words say that it was, in milliseconds since 1970; null for words without an age. */
function spanOf(words: string, nowMs: number, truth: Truth): readonly [number, number] | null {
  if (/before the clock was set/.test(words)) {
    return truth.wasSetBack() ? [0, nowMs] : null;
  }
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

/** What the screen says of a product's coupon, beside the queue and the platform. */
function judgeCoupon(
  { isOn, words }: NonNullable<ShownCard['coupon']>,
  product: Product,
  { queue, atMs }: Seen & { readonly queue: readonly QueuedUpdate[] },
  truth: Truth,
): readonly string[] {
  const newest = newestOf(queue, product, truth.company(), true);
  const ofOther = newestOf(queue, product, truth.company(), false);
  const found: string[] = [];
  const setting = isOn ? 'on' : 'off';
  if (/as on the platform/.test(words)) {
    const readMs = Math.max(truth.couponsReadMs(), newest === null ? 0 : truth.earliest(newest.changedAt));
    if (newest !== null && isOpen(newest)) {
      found.push(`"${words}", and a change waits (${newest.status})`);
    } else if (
      truth.shop() !== 'practice' &&
      !heldWithin(truth.coupons(product), readMs - slackMs, atMs).includes(isOn)
    ) {
      found.push(`${setting}, "${words}"; the platform has it otherwise`);
    }
  } else if (/waiting to be sent|sending/.test(words)) {
    if (newest === null || !isOpen(newest) || newest.isEnabled !== isOn) {
      found.push(
        `${setting}, "${words}"; in the queue is ${newest === null ? 'nothing' : `${newest.status} ${String(newest.isEnabled)}`}`,
      );
    }
  }
  const [, waitsFor, otherSetting] = /(\S+@\S+) (?:to sign in|waits|needs a decision): (ON|OFF)/.exec(words) ?? [];
  const isOfOther = ofOther !== null && isOpen(ofOther);
  if ((waitsFor ?? null) !== (isOfOther ? ofOther.email : null) && (waitsFor !== undefined || words !== '')) {
    found.push(`"${words}"; of others waits ${isOfOther ? `a change by ${ofOther.email}` : 'nothing'}`);
  } else if (isOfOther && otherSetting !== (ofOther.isEnabled ? 'ON' : 'OFF')) {
    found.push(`"${words}"; ${ofOther.email} has set it ${ofOther.isEnabled ? 'ON' : 'OFF'}`);
  }
  return found;
}

/** What is said of a figure and its age, beside what the platform had and has answered. */
function judgeFigure(
  { amount, stock, age }: ShownFigure,
  product: Product,
  atMs: number,
  truth: Truth,
): readonly string[] {
  const span = spanOf(age, atMs, truth);
  if (age !== '' && (amount === null) !== (span === null)) {
    return [`the figure ${String(amount)} has the age "${age}"`];
  }
  if (amount === null || span === null || truth.shop() === 'practice') {
    return [];
  }
  const found: string[] = [];
  const spans = truth.spans(span);
  const held = spans.flatMap(([from, to]) => heldWithin(truth.amounts(stock, product), from - slackMs, to + slackMs));
  if (!held.includes(amount)) {
    found.push(`${amount} in ${stock}, "${age}"; the platform had ${held.join(', ')}`);
  }
  const live = `/${product.id}/balance`;
  const asked = [
    ...(/^(?:Live|Last asked live)/.test(age) ? [] : ['/products']),
    ...(age.startsWith('From the copy') ? [] : [live]),
  ];
  if (!spans.some(([from, to]) => asked.some((path) => truth.wasAnswered(path, from - slackMs, to + slackMs)))) {
    found.push(`"${age}", and the platform did not say so then`);
  }
  return found;
}

function judgeCard(card: ShownCard | null, seen: Seen, truth: Truth): Finding[] {
  if (card === null) {
    return [];
  }
  const { queue, atMs } = seen;
  const product = truth.productNamed(card.name, card.codes);
  if (product === null) {
    return [{ rule: 'card', words: `no product is ${card.name} with ${card.codes.join(', ')}`, patienceMs: 4_000 }];
  }
  const found: Finding[] = [];
  const say = (rule: string, words: string, patienceMs = 4_000): number =>
    found.push({ rule, words: `${product.name}: ${words}`, patienceMs });
  for (const words of judgeFigure(card, product, atMs, truth)) {
    say('figure', words);
  }
  if (card.coupon !== null && queue !== null) {
    for (const words of judgeCoupon(card.coupon, product, { ...seen, queue }, truth)) {
      say('coupon', words);
    }
  }
  return found;
}

/** The coupons of a list. */
function judgeList(seen: Seen, truth: Truth): Finding[] {
  const { screen, queue } = seen;
  return queue === null
    ? []
    : screen.listed.flatMap((coupon) => {
        const product = truth.productNamed(coupon.name, []);
        const found =
          product === null ? ['there is no such product'] : judgeCoupon(coupon, product, { ...seen, queue }, truth);
        return found.map((words) => ({ rule: 'list', words: `${coupon.name}: ${words}`, patienceMs: 4_000 }));
      });
}

/** The lines of the stock table. */
function judgeLines({ screen, atMs }: Seen, truth: Truth): Finding[] {
  return screen.lines.flatMap((line) => {
    const product = truth.productNamed(line.name, line.codes);
    const found = product === null ? ['there is no such product'] : judgeFigure(line, product, atMs, truth);
    return found.map((words) => ({ rule: 'line', words: `${line.name}: ${words}`, patienceMs: 4_000 }));
  });
}

/** The statuses that a change may have by the words of its row. */
const statusesOf: Readonly<Record<string, readonly QueuedUpdate['status'][]>> = {
  Waiting: ['pending'],
  'Tried, waiting': ['pending', 'inFlight'],
  Sending: ['inFlight'],
  Delivered: ['delivered'],
  'Needs a decision': ['parked'],
  'Replaced by a newer one': ['superseded'],
  Discarded: ['discarded'],
  Undone: ['discarded'],
};

/** The rows of the queue's list. */
function judgeChangeRows({ screen, queue }: Seen): Finding[] {
  return queue === null || queue.length >= 200
    ? []
    : screen.changes
        .filter(
          ({ name, isOn, status }) =>
            !queue.some(
              (row) =>
                row.kind === 'coupon' &&
                row.productName === name &&
                row.isEnabled === isOn &&
                (statusesOf[status] ?? []).includes(row.status),
            ),
        )
        .map(({ name, isOn, status }) => ({
          rule: 'row',
          words: `${name}, ${isOn ? 'on' : 'off'}, "${status}"; no such change is in the queue`,
          patienceMs: 4_000,
        }));
}

/** The recent lookups: of this shop, with a figure that was so at some time. */
function judgeRecent({ screen, atMs }: Seen, truth: Truth): Finding[] {
  return screen.recent.flatMap(({ name, amount }) => {
    const product = truth.productNamed(name, []);
    const held = product === null ? [] : truth.everHeld(product, atMs);
    const isSo = product !== null && (truth.shop() === 'practice' || held.includes(amount));
    return isSo
      ? []
      : [{ rule: 'recent', words: `${name}: ${amount}; the platform had ${held.join(', ')}`, patienceMs: 4_000 }];
  });
}

/** How many changes wait, for whom, and which were delivered. */
function judgeQueue({ screen, state, queue, atMs }: Seen, truth: Truth): Finding[] {
  if (queue === null || screen.place === '') {
    return [];
  }
  const found: Finding[] = [];
  const say = (rule: string, words: string, patienceMs = 4_000): number => found.push({ rule, words, patienceMs });
  const open = queue.filter(({ status }) => status === 'pending' || status === 'inFlight');
  const going = open.filter(({ waitsFor }) => waitsFor === null).length;
  if (state.phase === 'ready' && screen.dialogs.length === 0) {
    const ofUsers = open.filter(({ waitsFor }) => waitsFor === 'signIn');
    const emails = [...new Set(ofUsers.map(({ email }) => email))].toSorted();
    const { waitingForUsers: users, waitingForCompanies } = screen;
    if (screen.waiting !== going) {
      say('waiting', `${screen.waiting} waiting; in the queue are ${going}`);
    }
    if (users.count !== ofUsers.length || users.emails.toSorted().join() !== emails.join()) {
      say(
        'whom',
        `${users.count} wait for ${users.emails.join(', ')}; in the queue ${ofUsers.length} for ${emails.join(', ')}`,
      );
    }
    for (const company of new Set([...open.map(({ companyId }) => companyId), ...Object.keys(waitingForCompanies)])) {
      const count = open.filter((row) => row.waitsFor === 'company' && row.companyId === company).length;
      if ((waitingForCompanies[company] ?? 0) !== count) {
        say('whom', `${waitingForCompanies[company] ?? 0} wait for company ${company}; in the queue are ${count}`);
      }
    }
    const parked = queue.filter(({ status }) => status === 'parked').length;
    if (screen.toDecide !== parked) {
      say('toDecide', `${screen.toDecide} need a decision; in the queue are ${parked}`);
    }
  }
  for (const row of truth.shop() === 'practice' ? [] : queue) {
    if (row.kind === 'coupon' && row.status === 'delivered') {
      const held = heldWithin(
        truth.coupons({ id: row.productId }, row.companyId),
        truth.earliest(row.createdAt) - 130_000,
        atMs,
      );
      if (!held.includes(row.isEnabled)) {
        say(
          'delivered',
          `${row.productName ?? ''} is delivered as ${String(row.isEnabled)}; the platform never had that`,
          0,
        );
      }
    }
  }
  return found;
}

/** Whether somebody here asked for all that the platform was told, there, and under whose sign-in it was told. */
function judgeChanges({ queue }: Seen, truth: Truth): Finding[] {
  if (queue === null || truth.shop() === 'practice') {
    return [];
  }
  const asked = truth.asked();
  return truth
    .changes()
    .filter(
      ({ companyId, productId, isEnabled, email }) =>
        !asked.some(
          (row) =>
            row.companyId === companyId &&
            row.productId === productId &&
            row.isEnabled === isEnabled &&
            row.email === email,
        ),
    )
    .map(({ companyId, productId, isEnabled, email }) => ({
      rule: 'unasked',
      words: `company ${companyId} was told ${productId} ${isEnabled ? 'on' : 'off'} for ${email ?? 'nobody'}, who had not asked for it`,
      patienceMs: 4_000,
    }));
}

/** What a plan was to switch is switched once it is due. */
function judgePlans({ queue, atMs }: Seen, truth: Truth): Finding[] {
  return queue === null
    ? []
    : truth.plans
        .filter(({ shop, dueMs }) => shop === truth.shop() && atMs > dueMs && atMs < dueMs + 20_000)
        .filter(({ productId, isEnabled, dueMs }) => {
          const isMade = queue.some(
            (row) =>
              row.kind === 'coupon' &&
              row.productId === productId &&
              row.isEnabled === isEnabled &&
              row.plan !== undefined,
          );
          return !isMade && !heldWithin(truth.coupons({ id: productId }), dueMs - slackMs, atMs).includes(isEnabled);
        })
        .map(({ productId, isEnabled }) => ({
          rule: 'plan',
          words: `a plan was to switch ${productId} ${isEnabled ? 'on' : 'off'}, and did not`,
          patienceMs: 6_000,
        }));
}

/** Which shop is open, and whether the clock is right. */
function judgePlace({ screen, state, atMs }: Seen, truth: Truth): Finding[] {
  const found: Finding[] = [];
  const say = (rule: string, words: string): number => found.push({ rule, words, patienceMs: 5_000 });
  const isOpenShop = state.phase === 'ready' && screen.place !== '' && screen.dialogs.length === 0;
  if (isOpenShop && screen.isPractice !== (shopOf(state) === 'practice')) {
    say('shop', `${screen.isPractice ? '' : 'not '}named practice; open is ${shopOf(state) ?? 'none'}`);
  }
  if (isOpenShop && screen.company !== (state.profile?.companyId ?? null)) {
    say('shop', `company ${screen.company ?? 'none'}; open is ${state.profile?.companyId ?? 'none'}`);
  }
  const aheadMs = truth.aheadMs();
  const isOff = Math.abs(aheadMs) > 45 * 60_000;
  const answered = truth.lastAnswered('') ?? 0;
  if (
    isOpenShop &&
    shopOf(state) !== 'practice' &&
    screen.isClockWrong !== isOff &&
    answered > truth.clockSetMs() + slackMs &&
    answered > truth.openedMs() + slackMs &&
    atMs > answered + slackMs
  ) {
    say(
      'clock',
      `the clock is ${aheadMs / 60_000} minutes ahead, and the screen says that it is ${isOff ? 'right' : 'wrong'}`,
    );
  }
  if (screen.strange.length > 0) {
    say('language', `in ${state.language} stands ${screen.strange.slice(0, 3).join('; ')}`);
  }
  return found;
}

function judgeConnection({ screen, atMs }: Seen, truth: Truth): Finding[] {
  const { connection } = screen;
  if (connection === null || truth.shop() === 'practice') {
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
  const words = screen.copy ?? '';
  const span = spanOf(words, atMs, truth);
  if (span === null || truth.shop() === 'practice') {
    return [];
  }
  const parts = [...words.matchAll(/([\d,]+) in ([^·;]+?)(?= ·|;)/g)];
  const found = parts.flatMap(([, count = '', stockName = '']) => {
    const listed = truth.listed(stockName.trim());
    return Number(count.replaceAll(',', '')) === listed ? [] : [`the platform lists ${listed} in ${stockName}`];
  });
  // What was read later than it says holds as of then as well.
  const isSo = truth.spans(span).some(([from]) => truth.wasAnswered('/products', from - slackMs, atMs));
  return [...found, ...(isSo ? [] : ['the platform did not say so then'])].map((one) => ({
    rule: 'copy',
    words: `"${words}"; ${one}`,
    patienceMs: 4_000,
  }));
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

/** Whatever is not so on the screen, and on the companion bar. */
export function judgeScreen(seen: Seen, truth: Truth): Finding[] {
  const { screen, bar } = seen;
  return [
    ...judgeCard(screen.card, seen, truth),
    ...judgeCard(bar?.card ?? null, seen, truth).map((finding) => ({ ...finding, rule: `bar ${finding.rule}` })),
    ...[
      judgeList,
      judgeLines,
      judgeChangeRows,
      judgeRecent,
      judgeQueue,
      judgeChanges,
      judgePlans,
      judgePlace,
      judgeConnection,
      judgeCopy,
      judgeWho,
      judgeFocus,
    ].flatMap((judge) => judge(seen, truth)),
  ];
}

const rowsSince = (before: Seen, after: Seen): readonly QueuedUpdate[] => {
  const newest = Math.max(0, ...(before.queue ?? []).map(({ id }) => id));
  return (after.queue ?? []).filter(({ id }) => id > newest);
};

const isPlanned = (row: QueuedUpdate, { plans }: Truth): boolean =>
  row.kind === 'coupon' &&
  row.plan !== undefined &&
  plans.some(
    (plan) => plan.productId === row.productId && plan.isEnabled === row.isEnabled && plan.email === row.email,
  );

/** What was changed since the queue could last be read: nobody stood at the till. */
export function judgeAbsence(left: Seen, back: Seen, truth: Truth): Finding[] {
  return rowsSince(left, back)
    .filter((row) => !isPlanned(row, truth))
    .map((row) => ({
      rule: 'absence',
      words: `nobody stood at the till, and it was changed for ${row.email}`,
      patienceMs: 0,
    }));
}

const keyNotes = ({ screen, bar }: Seen): readonly string[] =>
  [...screen.notes, ...(bar?.notes ?? [])].filter((note) => note.includes('F4'));

/**
 * Whether F4 was pressed for something that it switches, and neither the queue nor the screen knows of it; `isSure`:
 * what stood there before says nothing of it.
 */
export function isUnheard({ scanned, switchKeys }: Deed, before: Seen, after: Seen, isSure = false): boolean {
  const { card, dialogs } = before.screen;
  const earlier = isSure ? keyNotes(before) : [];
  // A scan of a count is counted, and no key is for it.
  const isCounted = /^(?:Count|Contagem|Conteo)$/.test(after.screen.place);
  const isMeant = (scanned !== null && !isCounted) || (card !== null && card.coupon !== null && dialogs.length === 0);
  const hasSaid =
    keyNotes(after).some((note) => !earlier.includes(note)) ||
    after.screen.dialogs.length > 0 ||
    /not switched/i.test(after.screen.text);
  return switchKeys > 0 && after.queue !== null && isMeant && !hasSaid && rowsSince(before, after).length === 0;
}

/** Whether the step changed what was named and seen, and nothing else. */
export function judgeDeed(deed: Deed, before: Seen, after: Seen, truth: Truth): Finding[] {
  if (before.queue === null || after.queue === null || deed.pressed !== null) {
    return [];
  }
  const made = rowsSince(before, after).filter((row) => !isPlanned(row, truth));
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
