// Owns the judgement of a simulated run: what must hold whatever the world did. Each rule has a number that traces, tests and
// the code cite. Reads evidence alone; never knows how the terminal works inside.
//
//   I0   Nothing throws; the terminal opens, closes, and answers as its contract says.
//   I1   Every accepted update ends delivered, superseded, parked with a reason, discarded, or still pending: it is in the
//        queue exactly once, in the order of acceptance, and so is nothing else.
//   I2   A key takes effect at most once, and no update is applied twice by the terminal's doing: an answer spends the key,
//        no answer keeps it and its bytes (API v3 §8 rules 3 and 4).
//   I3   Per product and user, effects appear in the order of intent, and only what that user asked for.
//   I4   After draining, the platform's setting of a product is the last accepted intent, unless that was parked, discarded,
//        or somebody else changes the product too. A switch that was accepted shows what was asked for.
//   I5   The platform sees at most 60 arrivals in any 60 s, tokens and restarts included (API v3 §8). What the network itself
//        doubled or delayed beyond the time-out is not counted.
//   I6   At most one refresh is in flight.
//   I7   No secret is in any event, answer, log line, settings document or database.
//   I8   The terminal drains within a bound when the world is healthy.
//   I9   Nothing is parked without its own cause: only what the platform refuses, and conflicts only where somebody else changed it.
import type { Evidence, Intent } from './evidence.ts';
import type { Exchange } from './network.ts';
import type { Arrival, Effect, Referee } from './referee.ts';

export interface Violation {
  readonly rule: 'I0' | 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8' | 'I9';
  readonly atMs: number;
  readonly what: string;
}

export interface Run {
  readonly evidence: Evidence;
  readonly referee: Referee;
  readonly exchanges: readonly Exchange[];
  /** Products that somebody besides their one user may change. */
  readonly contested: ReadonlySet<string>;
  readonly endMs: number;
}

const windowMs = 60_000;
const limit = 60;
/** A key may be given up after this long without an answer: the platform may have forgotten it. */
const keyOldMs = 11 * 3_600_000;
/** So many failures that nobody signed make a key suspect. */
const suspectAfter = 3;

function groupBy<Value>(values: readonly Value[], keyOf: (value: Value) => string): ReadonlyMap<string, readonly Value[]> {
  return Map.groupBy(values, keyOf);
}

function ofProduct(value: { readonly email: string | null; readonly productId: string }): string {
  return `${value.email ?? ''} ${value.productId}`;
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
      if (intent.standing !== 'accepted') {
        next.add(count);
      }
    }
    reachable = next;
  }
  return reachable.has(rows.length);
}

function checkRows({ evidence, endMs }: Run): Violation[] {
  const intents = groupBy(evidence.intents.filter(({ standing }) => standing !== 'refused'), ofProduct);
  const rows = groupBy(evidence.rows, ofProduct);
  return [...new Set([...intents.keys(), ...rows.keys()])].flatMap((key): Violation[] => {
    const [asked, kept] = [intents.get(key) ?? [], rows.get(key) ?? []];
    return areSame(asked, kept) ? [] : [{ rule: 'I1', atMs: asked.at(-1)?.atMs ?? endMs, what: `${key}: ${String(asked.length)} intents, ${String(kept.length)} rows that do not fit` }];
  });
}

/** I2 and I3: each effect is explained by one intent of its user, and by a later one than the effect before. */
function checkEffects({ evidence, referee, exchanges }: Run): Violation[] {
  const confirmed = new Set(exchanges.filter((exchange) => exchange.outcome?.ok === true && exchange.outcome.value.status < 300 && verdictOf(exchange) === 'spent').map(({ key }) => key));
  const asked = [...evidence.intents.filter(({ standing }) => standing !== 'refused'), ...evidence.again].sort((left, right) => left.atMs - right.atMs);
  const intents = groupBy(asked, ofProduct);
  const byTerminal = referee.effects.filter(({ key }) => key !== null);
  return [...groupBy(byTerminal, ofProduct)].flatMap(([key, effects]): Violation[] => {
    const wanted = intents.get(key) ?? [];
    let next = 0;
    for (const [number, effect] of effects.entries()) {
      // The terminal was never told what became of it, and could not see it either: somebody else has undone it since, or it is an
      // "off" and this platform lists only what is on. Sent again, it does no more than was asked for.
      const earlier = effects[number - 1];
      const isUntold = earlier?.isEnabled === effect.isEnabled && !confirmed.has(earlier.key);
      const isUndone = isUntold && referee.effects.some((other) => other.productId === effect.productId && other.email !== effect.email && other.atMs >= earlier.atMs && other.atMs <= effect.atMs);
      if (isUndone || (isUntold && !effect.isEnabled && !effect.before && !referee.rules.listsDisabled)) {
        continue;
      }
      const place = wanted.findIndex((intent, index) => index >= next && intent.isEnabled === effect.isEnabled && intent.atMs <= effect.atMs);
      if (place === -1) {
        const isRepeated = wanted[next - 1]?.isEnabled === effect.isEnabled || next === 0;
        const what = `${key} became ${effect.isEnabled ? 'on' : 'off'} by key ${effect.key?.slice(0, 8) ?? ''}, which no ${next === 0 ? '' : 'later '}intent explains`;
        return [{ rule: isRepeated ? 'I2' : 'I3', atMs: effect.atMs, what }];
      }
      next = place + 1;
    }
    return [];
  });
}

function checkKeys({ referee }: Run): Violation[] {
  return [...groupBy(referee.effects.filter(({ key }) => key !== null), ({ key }) => key ?? '')].flatMap(([key, effects]): Violation[] => {
    const first = effects[0] as Effect;
    const second = effects.find(({ atMs }) => atMs !== first.atMs);
    return second === undefined ? [] : [{ rule: 'I2', atMs: second.atMs, what: `key ${key.slice(0, 8)} took effect twice` }];
  });
}

interface OpenKey {
  readonly key: string;
  readonly body: string;
  sentAtMs: number;
  unsigned: number;
  /** Either way is right from now on: the process died while it was told, or somebody else's request came between. */
  isLoose: boolean;
}

/** What an exchange told the terminal of its key. */
function verdictOf({ outcome, key }: Exchange): 'spent' | 'unsigned' | 'nothing' {
  if (outcome?.ok !== true) {
    return 'nothing';
  }
  const { status, headers } = outcome.value;
  const echo = headers['idempotency-key'];
  const isSuccess = status >= 200 && status < 300;
  const isPage = (headers['content-type'] ?? '').includes('html');
  if (echo === key) {
    return 'spent';
  }
  return echo !== undefined || (isSuccess && isPage) ? 'nothing' : isSuccess ? 'spent' : 'unsigned';
}

/** I2: the life of keys, judged by what was sent and what came back. */
function checkKeyLives({ evidence, exchanges }: Run): Violation[] {
  const violations: Violation[] = [];
  const open = new Map<string, OpenKey>();
  const spent = new Set<string>();
  const deaths = new Map(evidence.deaths.map(({ life, atMs }) => [life, atMs]));
  for (const exchange of exchanges) {
    const { key, email, body, sentAtMs } = exchange;
    if (key === null || email === null) {
      continue;
    }
    const complain = (what: string): void => {
      violations.push({ rule: 'I2', atMs: sentAtMs, what: `#${String(exchange.number)} by ${email}: ${what}` });
    };
    for (const [other, theirs] of open) {
      theirs.isLoose ||= other !== email;
    }
    const before = open.get(email);
    if (spent.has(key)) {
      complain(`key ${key.slice(0, 8)} was answered before and is sent again`);
    }
    if (before !== undefined && before.key !== key) {
      const isOld = sentAtMs - before.sentAtMs > keyOldMs || evidence.clockShifts.some((atMs) => atMs >= before.sentAtMs && atMs <= sentAtMs);
      if (!before.isLoose && !isOld && before.unsigned < suspectAfter) {
        complain(`key ${before.key.slice(0, 8)} had no answer, and ${key.slice(0, 8)} is sent instead`);
      }
    }
    if (before?.key === key && before.body !== body) {
      complain(`key ${key.slice(0, 8)} is sent with other bytes than before`);
    }
    const current: OpenKey = before?.key === key ? before : { key, body, sentAtMs, unsigned: 0, isLoose: false };
    current.sentAtMs = sentAtMs;
    const verdict = verdictOf(exchange);
    const isDeadThen = exchange.endedAtMs !== null && deaths.get(exchange.life) === exchange.endedAtMs;
    current.isLoose = isDeadThen && verdict !== 'nothing';
    current.unsigned += verdict === 'unsigned' ? 1 : 0;
    if (verdict === 'spent' && !isDeadThen) {
      spent.add(key);
      open.delete(email);
    } else {
      open.set(email, current);
    }
  }
  return violations;
}

function checkFinal({ evidence, referee, contested, endMs }: Run): Violation[] {
  const drained = new Set(evidence.drains.filter(({ tookMs }) => tookMs !== null).map(({ email }) => email));
  const rows = groupBy(evidence.rows, ofProduct);
  return [...groupBy(evidence.intents.filter(({ standing }) => standing !== 'refused'), ofProduct)].flatMap(([key, intents]): Violation[] => {
    const [last, row] = [intents.at(-1), rows.get(key)?.at(-1)];
    if (last === undefined || row === undefined || !drained.has(last.email)) {
      return [];
    }
    const isSettled = row.standing === 'delivered' || row.standing === 'parked' || row.standing === 'discarded';
    const settled: Violation[] = isSettled ? [] : [{ rule: 'I4', atMs: endMs, what: `${key}: the last update is ${row.standing} after draining` }];
    const isSure = row.standing === 'delivered' && !contested.has(last.productId);
    return isSure && referee.setting(last.productId) !== row.isEnabled
      ? [...settled, { rule: 'I4', atMs: last.atMs, what: `${key}: delivered as ${row.isEnabled ? 'on' : 'off'}, but the platform has it ${row.isEnabled ? 'off' : 'on'}` }]
      : settled;
  });
}

function checkRate({ referee }: Run): Violation[] {
  const arrivals = referee.arrivals.filter(({ isOfNetwork }) => !isOfNetwork);
  const place = arrivals.findIndex((arrival, index) => {
    const earliest = arrivals[index - limit];
    return earliest !== undefined && arrival.atMs - earliest.atMs < windowMs;
  });
  const [first, last] = [arrivals[place - limit] as Arrival, arrivals[place] as Arrival];
  return place === -1 ? [] : [{ rule: 'I5', atMs: last.atMs, what: `${String(limit + 1)} arrivals in ${String(last.atMs - first.atMs)} ms` }];
}

function checkRefreshes({ evidence, exchanges, endMs }: Run): Violation[] {
  const deaths = new Map(evidence.deaths.map(({ life, atMs }) => [life, atMs]));
  const refreshes = exchanges.filter(({ isRefresh }) => isRefresh);
  return refreshes.flatMap((refresh, place): Violation[] => {
    const before = refreshes[place - 1];
    const beforeEndMs = before?.endedAtMs ?? deaths.get(before?.life ?? 0) ?? endMs;
    return before !== undefined && before.life === refresh.life && refresh.sentAtMs < beforeEndMs
      ? [{ rule: 'I6', atMs: refresh.sentAtMs, what: `#${String(refresh.number)} refreshes while #${String(before.number)} does` }]
      : [];
  });
}

function checkParked({ evidence, referee, contested, endMs }: Run): Violation[] {
  const seen = [...evidence.parkedSeen, ...evidence.rows.filter(({ standing }) => standing === 'parked').map((update) => ({ atMs: endMs, update }))];
  const groundless = seen.find(({ update }) =>
    update.parkedBecause === 'refused' ? !referee.refused.has(update.productId) : update.parkedBecause === 'conflict' ? !contested.has(update.productId) : true,
  );
  const { atMs, update } = groundless ?? {};
  return update === undefined ? [] : [{ rule: 'I9', atMs: atMs ?? 0, what: `update ${String(update.id)} of ${update.productId} is parked as ${String(update.parkedBecause)} without a cause: ${JSON.stringify(update)}` }];
}

/** Judges a run; the earliest violation first. */
export function judge(run: Run): readonly Violation[] {
  const { evidence, endMs } = run;
  return [
    ...evidence.breakdowns.map(({ atMs, what }): Violation => ({ rule: 'I0', atMs, what })),
    ...checkRows(run),
    ...checkEffects(run),
    ...checkKeys(run),
    ...checkKeyLives(run),
    ...evidence.untrueAnswers.map(({ atMs, what }): Violation => ({ rule: 'I4', atMs, what })),
    ...checkFinal(run),
    ...checkRate(run),
    ...checkRefreshes(run),
    ...evidence.leaks.map(({ atMs, what }): Violation => ({ rule: 'I7', atMs, what })),
    ...evidence.drains.filter(({ tookMs }) => tookMs === null).map(({ email }): Violation => ({ rule: 'I8', atMs: endMs, what: `the updates of ${email} did not drain` })),
    ...checkParked(run),
  ].sort((left, right) => left.atMs - right.atMs);
}
