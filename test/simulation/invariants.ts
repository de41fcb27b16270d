// Each rule has a number that traces, tests, the planted bugs (mutations.ts) and the code cite; judge-senders.ts,
// judge-keepers.ts, judge-ages.ts, judge-nights.ts and judge-catalogue.ts judge a part of them. Reads evidence alone; never knows how
// the terminal works inside.
//
//   I0   Nothing throws; the terminal opens, closes, and answers as its contract says.
//   I1   Every accepted update ends delivered, superseded, parked with a reason, discarded by a person, or still
//        pending: it is in the queue exactly once, in the order of acceptance, and so is nothing else.
//   I2   A key takes effect at most once, unless the platform itself lost its record of it, and no update is applied
//        twice by the terminal's doing: an answer spends the key, no answer keeps it and its bytes (API v3 §8 rules 3
//        and 4), for as long as the platform surely remembers it.
//   I3   Per product and user, effects appear in the order of intent, and only what that user asked for; and what one
//        user asked for never goes out over what another asked for later at the same till.
//   I4   After draining, the platform's setting of a product is the last accepted intent, unless that was parked,
//        discarded, or somebody else changes the product too. A switch that was accepted shows what was asked for, and
//        one that was refused does not move; what is shown as confirmed was delivered.
//   I5   The platform sees at most 60 arrivals in any 60 s, tokens and restarts included (API v3 §8), and requests that
//        the terminal has abandoned and that arrive up to 120 s later. What the network itself doubled is not counted.
//   I6   At most one refresh is in flight.
//   I7   No secret is in any event, answer, log line, settings document or database.
//   I8   When the world is healthy, what waits goes out within a bound, whoever is at the screen or nobody, for all whose
//        sign-in is kept; for the others once they are back.
//   I9   Nothing is parked without its own cause: only what the platform refuses, conflicts only where somebody else
//        changed it, old ones only when they are, damaged ones only when they were altered.
//   I10  An update goes out only for the user and the company that made it, and only while that user is signed in, at
//        the screen or kept beside it.
//   I11  What a disk has altered is never sent.
//   I12  Nobody is asked to sign in again without a cause: a revocation, a keychain or disk that failed, or a refresh
//        whose answer was lost and is not given again to its key.
//   I13  After a 429 nothing leaves for as long as it asks for, or for a second when it does not say, restarts and
//        changes of the profile included.
//   I14  An update that has grown older than the limit is not sent before somebody has said so.
//   I15  Once the world is at rest, the copy has every product that the platform has, as it is there, without anybody
//        asking for a listing; so has a copy that was made anew while a row vanished and another could not be read, and
//        one after a listing that left some out.
//   I16  After a further full listing the copy has these and no others, each once, and counts them right; so it does
//        what the platform lists and nobody can read.
//   I17  A scan finds what has that barcode now, once the copy is at rest, and never what has never had it.
//   I18  A figure that is shown was the platform's at the time that it is shown as of, and never gives way to an older
//        one.
//   I19  A live call leaves at once while people hold fewer slots than are kept for them, whatever is being copied.
//   I20  What is shown of a copy never goes back: it has been complete for good, and counts fewer products only for
//        what the platform has removed.
//   I21  A restart within a minute of a 429 does not give the terminal back the whole limit.
//   I22  Batches that nobody opened are asked for only where that is switched on, at night, while nobody waits for an
//        answer and no page is being read, with half of the limit free, and a quarter of an hour after the last 429.
//   I23  A moment of a plan makes its updates once: no product twice, and as many as it says.
//   I24  A moment of a plan that has passed is made or told as missed.
//   I25  Nothing is made by a plan but what its user planned.
//   I26  Who did what names whoever was at the screen, and a badge brings its owner and nobody else.
//   I27  What a disk refuses, and what lies beside a file, is no damage of the file: nothing sound is deleted or set
//        aside, and a copy that was there before a start is there after it.
//   I28  A moment of a plan switches every product of its list, and the platform has what it delivered, unless somebody
//        has switched it elsewhere since.
//   I29  What is told of the connection, and of what is being sent, agrees with the wire within a bound.
//   I30  Every call is answered as its contract documents for this phase (calls/judge-answers.ts).
//   I31  What is chosen in practice changes nothing of the terminal's own settings (calls/practice-store.ts).
import type { CouponUpdate, QueuedUpdate } from '../../app/contract/queue.ts';
import type { Intent } from './evidence.ts';
import { checkAges, checkKeyAges, isOldEnough, isSpanUnknown } from './judge-ages.ts';
import { checkCopy } from './judge-catalogue.ts';
import { checkConnection } from './judge-connection.ts';
import { checkDamage, checkEndings, checkRefreshes, checkRestorations, isDoubtful } from './judge-keepers.ts';
import { checkNights } from './judge-nights.ts';
import { checkPlans, intentsOfPlans } from './judge-plans.ts';
import { checkNames, checkOvertaking, checkPauses, checkSenders, checkShrunk } from './judge-senders.ts';
import {
  deathsOf,
  foundByPlans,
  isConfirmed,
  isRefusal,
  isUnkept,
  keyOldMs,
  laneOf,
  placeOf,
  subjectOf,
  verdictOf,
  type Run,
  type Violation,
} from './judging.ts';
import type { Arrival, Effect } from './referee.ts';

const windowMs = 60_000;
const limit = 60;
/** A request that the terminal has given up may arrive so long after it left. */
const maxOnTheWayMs = 120_000;
/** So many failures that nobody signed make a key suspect. */
const suspectAfter = 3;

function groupBy<Value>(
  values: readonly Value[],
  keyOf: (value: Value) => string,
): ReadonlyMap<string, readonly Value[]> {
  return Map.groupBy(values, keyOf);
}

/** Subjects whose rows a disk has altered: the rows no longer say what became of their updates. */
function damagedSubjects({ evidence }: Run): ReadonlySet<string> {
  return new Set(
    evidence.damages.flatMap(({ damage }) =>
      damage.kind === 'update' ? damage.subjectIds.map((productId) => subjectOf({ ...damage, productId })) : [],
    ),
  );
}

/** Whether rows are the accepted intents in their order, with or without those of which nobody knows. */
function areSame(intents: readonly Intent[], rows: readonly { readonly isEnabled: boolean }[]): boolean {
  // reachable[n]: the intents so far can be the first n rows.
  let reachable = new Set([0]);
  for (const intent of intents) {
    const next = new Set<number>();
    for (const count of reachable) {
      if (rows[count]?.isEnabled === intent.isEnabled) {
        next.add(count + 1);
      }
      if (intent.status !== 'accepted') {
        next.add(count);
      }
    }
    reachable = next;
  }
  return reachable.has(rows.length);
}

/** I1 */
function checkRows(run: Run): Violation[] {
  const { evidence, endMs } = run;
  const damaged = damagedSubjects(run);
  const intents = groupBy(
    evidence.intents.filter(({ status }) => status !== 'refused'),
    subjectOf,
  );
  const rows = groupBy(
    evidence.rows.filter(({ plan }) => plan === undefined),
    subjectOf,
  );
  const undone = [...evidence.rows, ...evidence.restorationRows].filter(
    ({ id, status }) => status === 'discarded' && !evidence.discarded.has(id),
  );
  const discarded = undone.map((update): Violation => ({
    rule: 'I1',
    atMs: endMs,
    what: `update ${String(update.id)} of ${laneOf(update)} is discarded, and nobody did it`,
  }));
  const unfit = [...new Set([...intents.keys(), ...rows.keys()])].flatMap((key): Violation[] => {
    const [asked, kept] = [intents.get(key) ?? [], rows.get(key) ?? []];
    return damaged.has(key) || areSame(asked, kept)
      ? []
      : [
          {
            rule: 'I1',
            atMs: asked.at(-1)?.atMs ?? endMs,
            what: `${key}: ${String(asked.length)} intents, ${String(kept.length)} rows that do not fit`,
          },
        ];
  });
  return [...discarded, ...unfit];
}

/** I2 and I3: each effect is explained by one intent of its user, and by a later one than the effect before. */
export function checkEffects(run: Run): Violation[] {
  const { evidence, referee, exchanges } = run;
  const ofPlans = intentsOfPlans(run);
  const confirmed = new Set(
    exchanges.filter((exchange) => isConfirmed(exchange) && !isUnkept(evidence, exchange)).map(({ key }) => key),
  );
  const asked = [...evidence.intents.filter(({ status }) => status !== 'refused'), ...evidence.again, ...ofPlans].sort(
    (left, right) => left.atMs - right.atMs,
  );
  const intents = groupBy(asked, subjectOf);
  const byTerminal = referee.effects.filter(({ key }) => key !== null);
  return [...groupBy(byTerminal, subjectOf)].flatMap(([key, effects]): Violation[] => {
    const wanted = intents.get(key) ?? [];
    const used = new Set<number>();
    let next = 0;
    for (const [number, effect] of effects.entries()) {
      const earlier = effects[number - 1];
      // The key was given up, for nobody knew its age, and the network still had it.
      const isLate =
        earlier?.isEnabled === effect.isEnabled &&
        exchanges.some(
          ({ key: other, endedAtMs }) =>
            other !== null && other === earlier.key && endedAtMs !== null && endedAtMs < earlier.atMs,
        );
      if (isLate && isSpanUnknown(evidence, earlier.atMs - maxOnTheWayMs, effect.atMs)) {
        continue;
      }
      // The platform has lost its record of a key that it was sent again within its time.
      if (
        referee.forgotten.has(effect.key ?? '') &&
        effects.slice(0, number).some(({ key: other }) => other === effect.key)
      ) {
        continue;
      }
      // The terminal never learned what became of it, and could not see it either: somebody else has undone it since,
      // it is an "off" and this platform lists only what is on, or it tells no company what that has. Sent again, it
      // does no more than was asked for.
      const isUnreported = earlier?.isEnabled === effect.isEnabled && !confirmed.has(earlier.key);
      const isUndone =
        isUnreported &&
        referee.effects.some(
          (other) =>
            other.productId === effect.productId &&
            (other.email !== effect.email || other.companyId !== effect.companyId) &&
            (other.companyId === effect.companyId || referee.rules.couponsOf === 'account') &&
            other.atMs >= earlier.atMs &&
            other.atMs <= effect.atMs,
        );
      const isUnlisted = isUnreported && typeof referee.rules.couponsOf === 'number';
      if (
        isUndone ||
        isUnlisted ||
        (isUnreported && !effect.isEnabled && !effect.before && !referee.rules.listsDisabled)
      ) {
        continue;
      }
      const mayExplain = ({ isEnabled, atMs }: (typeof wanted)[number], index: number): boolean =>
        !used.has(index) && isEnabled === effect.isEnabled && atMs <= effect.atMs;
      const later = wanted.findIndex((intent, index) => index >= next && mayExplain(intent, index));
      // The moment of a plan comes at any time after it was made, and so after what was asked for in between.
      const place =
        later === -1
          ? wanted.findIndex(
              (intent, index) => ofPlans.some((planned) => planned === intent) && mayExplain(intent, index),
            )
          : later;
      if (place === -1) {
        const isRepeated = wanted[next - 1]?.isEnabled === effect.isEnabled || next === 0;
        const what = `${key} became ${effect.isEnabled ? 'on' : 'off'} by key ${effect.key?.slice(0, 8) ?? ''}, which no ${next === 0 ? '' : 'later '}intent explains`;
        return [{ rule: isRepeated ? 'I2' : 'I3', atMs: effect.atMs, what }];
      }
      used.add(place);
      next = Math.max(next, place + 1);
    }
    return [];
  });
}

/** I2: a key takes effect once. */
function checkKeys({ referee }: Run): Violation[] {
  return [
    ...groupBy(
      referee.effects.filter(({ key }) => key !== null),
      ({ key }) => key ?? '',
    ),
  ].flatMap(([key, effects]): Violation[] => {
    const first = effects[0] as Effect;
    const second = effects.find(({ atMs }) => atMs !== first.atMs);
    return second === undefined || referee.forgotten.has(key)
      ? []
      : [{ rule: 'I2', atMs: second.atMs, what: `key ${key.slice(0, 8)} took effect twice` }];
  });
}

interface OpenKey {
  readonly key: string;
  /** The client that has sent it and was not refused; null for none. */
  client: string | null;
  /** Another one has asked since: it may have been given up then. */
  isOfFormer: boolean;
  readonly body: string;
  readonly firstSentAtMs: number;
  sentAtMs: number;
  unsigned: number;
  /**
   * Either way is right from now on: the process died or the disk was full while it was reported, or somebody else's
   * request came between.
   */
  isLoose: boolean;
}

/** I2: the life of keys, judged by what was sent and what came back. */
function checkKeyLives({ evidence, exchanges }: Run): Violation[] {
  const violations: Violation[] = [];
  const open = new Map<string, OpenKey>();
  const spent = new Set<string>();
  const deaths = deathsOf(evidence);
  for (const exchange of exchanges) {
    const { key, email, client, body, sentAtMs } = exchange;
    if (email === null) {
      continue;
    }
    // Whoever else is signed in may send, or find by a reading that theirs holds: either passes by what was not
    // answered.
    for (const [other, theirs] of open) {
      theirs.isLoose ||= !other.endsWith(` ${email}`);
      theirs.isOfFormer ||= (theirs.client ?? client) !== client;
    }
    if (key === null) {
      continue;
    }
    const complain = (what: string): void => {
      violations.push({ rule: 'I2', atMs: sentAtMs, what: `#${String(exchange.number)} by ${email}: ${what}` });
    };
    const lane = laneOf(exchange);
    for (const [other, theirs] of open) {
      theirs.isLoose ||= other !== lane;
    }
    const before = open.get(lane);
    if (spent.has(key)) {
      complain(`key ${key.slice(0, 8)} was answered before and is sent again`);
    }
    if (before !== undefined && before.key !== key) {
      const isOld =
        sentAtMs - before.firstSentAtMs > keyOldMs ||
        isSpanUnknown(evidence, before.firstSentAtMs, sentAtMs) ||
        before.isOfFormer ||
        evidence.damages.some(({ atMs }) => atMs >= before.sentAtMs && atMs <= sentAtMs);
      if (!before.isLoose && !isOld && before.unsigned < suspectAfter) {
        complain(`key ${before.key.slice(0, 8)} had no answer, and ${key.slice(0, 8)} is sent instead`);
      }
    }
    if (before?.key === key && (before.client ?? client) !== client && !before.isLoose) {
      complain(`key ${key.slice(0, 8)} is sent by another client than before`);
    }
    if (before?.key === key && before.body !== body) {
      complain(`key ${key.slice(0, 8)} is sent with other bytes than before`);
    }
    const current: OpenKey =
      before?.key === key
        ? before
        : {
            key,
            client: null,
            body,
            firstSentAtMs: sentAtMs,
            sentAtMs,
            unsigned: 0,
            isOfFormer: false,
            isLoose: false,
          };
    current.sentAtMs = sentAtMs;
    current.client = isRefusal(exchange) ? current.client : client;
    const verdict = verdictOf(exchange);
    const isDeadThen = exchange.endedAtMs !== null && deaths.get(exchange.life) === exchange.endedAtMs;
    const isLost = isUnkept(evidence, exchange);
    current.isLoose = (isDeadThen || isLost) && verdict !== 'nothing';
    current.unsigned += verdict === 'unsigned' ? 1 : 0;
    if (verdict === 'spent' && !isDeadThen && !isLost) {
      spent.add(key);
      open.delete(lane);
    } else {
      open.set(lane, current);
    }
  }
  return violations;
}

/** I4 */
function checkFinal(run: Run): Violation[] {
  const { evidence, referee, contested, endMs } = run;
  const damaged = damagedSubjects(run);
  const found = foundByPlans(evidence);
  const drained = new Set(evidence.drains.filter(({ tookMs }) => tookMs !== null).map(laneOf));
  const rows = groupBy(evidence.rows, subjectOf);
  return [
    ...groupBy(
      evidence.intents.filter(({ status }) => status !== 'refused'),
      subjectOf,
    ),
  ].flatMap(([key, intents]): Violation[] => {
    const [last, row] = [intents.at(-1), rows.get(key)?.at(-1)];
    const isLeftOut = last === undefined || damaged.has(key) || found.has(placeOf(last));
    if (isLeftOut || row === undefined || !drained.has(laneOf(last))) {
      return [];
    }
    const isSettled = row.status === 'delivered' || row.status === 'parked' || row.status === 'discarded';
    const settled: Violation[] = isSettled
      ? []
      : [{ rule: 'I4', atMs: endMs, what: `${key}: the last update is ${row.status} after draining` }];
    const isSure = row.status === 'delivered' && !contested.has(placeOf(last));
    return isSure && referee.setting(last.productId, last.companyId) !== row.isEnabled
      ? [
          ...settled,
          {
            rule: 'I4',
            atMs: last.atMs,
            what: `${key}: delivered as ${row.isEnabled ? 'on' : 'off'}, but the platform has it ${row.isEnabled ? 'off' : 'on'}`,
          },
        ]
      : settled;
  });
}

/** I5 */
function checkRate({ referee }: Run): Violation[] {
  const arrivals = referee.arrivals.filter(({ isOfNetwork }) => !isOfNetwork);
  const place = arrivals.findIndex((arrival, index) => {
    const earliest = arrivals[index - limit];
    return earliest !== undefined && arrival.atMs - earliest.atMs < windowMs;
  });
  const [first, last] = [arrivals[place - limit] as Arrival, arrivals[place] as Arrival];
  return place === -1
    ? []
    : [{ rule: 'I5', atMs: last.atMs, what: `${String(limit + 1)} arrivals in ${String(last.atMs - first.atMs)} ms` }];
}

/** Whether somebody else of this till asked for the contrary later, and the platform has it. */
function isOvertakenBy(update: CouponUpdate, later: CouponUpdate): boolean {
  return (
    later.id > update.id &&
    later.status === 'delivered' &&
    later.email !== update.email &&
    later.isEnabled !== update.isEnabled &&
    placeOf(later) === placeOf(update)
  );
}

/** Whether a parked update has a cause that lies outside the terminal. */
function hasCause(run: Run, update: QueuedUpdate, atMs: number): boolean {
  const { evidence, referee, contested } = run;
  switch (update.parkedBecause) {
    case 'refused':
      // A restoration may be refused for as many reasons as there are statuses of a user; checkRestorations looks
      // closer.
      return (
        update.kind === 'restoreUser' ||
        referee.refused.has(update.productId) ||
        referee.stocks.get(update.companyId)?.barcodeOf(update.productId) === ''
      );
    case 'conflict':
      // A colleague at this till asked for the contrary later, and has it. What was made upon an altered update does not find what its maker saw, nor what was made when a doubtful one
      // had been given up.
      return (
        update.kind === 'coupon' &&
        (contested.has(placeOf(update)) ||
          evidence.rows.some((row) => isOvertakenBy(update, row)) ||
          damagedSubjects(run).has(subjectOf(update)) ||
          evidence.rows.some((row) => evidence.discarded.has(row.id) && subjectOf(row) === subjectOf(update)))
      );
    case 'damaged':
      return evidence.damages.some(({ damage }) => damage.kind === 'update' && damage.updateId === update.id);
    case 'old':
      return isOldEnough(run, update);
    case 'maybeDone':
      return update.kind === 'restoreUser' && isDoubtful(run, update, atMs);
    case null:
      return false;
  }
}

/** I9 */
function checkParked(run: Run): Violation[] {
  const { evidence, endMs } = run;
  const last = [...evidence.rows, ...evidence.restorationRows].filter(({ status }) => status === 'parked');
  const groundless = [...evidence.parkedSeen, ...last.map((update) => ({ atMs: endMs, update }))].find(
    ({ atMs, update }) => !hasCause(run, update, atMs),
  );
  return groundless === undefined
    ? []
    : [
        {
          rule: 'I9',
          atMs: groundless.atMs,
          what: `update ${String(groundless.update.id)} is parked as ${String(groundless.update.parkedBecause)} without a cause: ${JSON.stringify(groundless.update)}`,
        },
      ];
}

/** Judges a run; the earliest violation first. */
export function judge(run: Run): readonly Violation[] {
  const { evidence, endMs } = run;
  return [
    ...evidence.lostFiles.map(({ atMs, what }): Violation => ({ rule: 'I27', atMs, what })),
    ...evidence.breakdowns.map(({ atMs, what }): Violation => ({ rule: 'I0', atMs, what })),
    ...checkRows(run),
    ...checkEffects(run),
    ...checkKeys(run),
    ...checkKeyLives(run),
    ...checkKeyAges(run),
    ...evidence.untrueAnswers.map(({ atMs, what }): Violation => ({ rule: 'I4', atMs, what })),
    ...checkFinal(run),
    ...checkRate(run),
    ...checkRefreshes(run),
    ...checkSenders(run),
    ...checkNames(run),
    ...checkOvertaking(run),
    ...checkDamage(run),
    ...checkEndings(run),
    ...checkPauses(run),
    ...checkShrunk(run),
    ...checkAges(run),
    ...checkRestorations(run),
    ...evidence.leaks.map(({ atMs, what }): Violation => ({ rule: 'I7', atMs, what })),
    ...evidence.drains
      .filter(({ tookMs }) => tookMs === null)
      .map((drain): Violation => ({ rule: 'I8', atMs: endMs, what: `the updates of ${laneOf(drain)} did not drain` })),
    ...checkParked(run),
    ...checkPlans(run),
    ...checkCopy(run),
    ...checkNights(run),
    ...checkConnection(run),
    ...evidence.strangeAnswers.map(({ atMs, what }): Violation => ({ rule: 'I30', atMs, what })),
    ...evidence.practised.map(({ atMs, what }): Violation => ({ rule: 'I31', atMs, what })),
  ].sort((left, right) => left.atMs - right.atMs);
}
