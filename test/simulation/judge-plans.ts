import type { Evidence, Intent } from './evidence.ts';
import type { Run, Violation } from './judging.ts';
import { isTimeLost } from './judge-ages.ts';
import { platformEpochMs } from './referee.ts';

/** A clock that is set, or a store that opens, is looked at within so long, and a moment waits for so long. */
const settledMs = 17 * 60_000;
const secondMs = 1_000;
/** A moment that was made is listed for so long by the clock on the wall, which may have been set by years since. */
const listedMs = 7 * 24 * 3_600_000;

/** The switches that plans asked for, in their order: an effect of one comes after somebody has planned it. */
export function intentsOfPlans({ evidence }: Run): readonly Omit<Intent, 'life' | 'status'>[] {
  const newest = new Map<string, number>();
  return evidence.rows.flatMap(({ id, email, companyId, isEnabled, plan, ...row }) => {
    // A disk may have altered the row since, and what it asked for.
    const damage = evidence.damages.find((one) => one.damage.kind === 'update' && one.damage.updateId === id)?.damage;
    const productId = (damage?.kind === 'update' ? damage.subjectIds[0] : undefined) ?? row.productId;
    const planned = evidence.plans.find(({ name }) => name === plan);
    if (planned === undefined) {
      return [];
    }
    const atMs = Math.max(planned.atMs, newest.get(productId) ?? 0);
    newest.set(productId, atMs);
    const settings = damage === undefined ? [isEnabled] : [true, false];
    return settings.map((setting) => ({ email, companyId, productId, isEnabled: setting, atMs }));
  });
}

/** When the clock on the wall of the machine said this, at the earliest since `fromMs`. */
function earliestMs({ wallClock }: Evidence, wallMs: number, fromMs: number): number {
  const spans = wallClock.map(({ atMs, offMs }, place) => {
    const untilMs = wallClock[place + 1]?.atMs ?? Number.POSITIVE_INFINITY;
    const saidMs = Math.max(wallMs - platformEpochMs - offMs, atMs, fromMs);
    return saidMs <= untilMs && saidMs + platformEpochMs + offMs <= wallMs + secondMs
      ? saidMs
      : Number.POSITIVE_INFINITY;
  });
  return Math.min(...spans);
}

/** When a run could first notice that this moment has come: at once, or with the next run where the last one had died. */
function noticedMs({ starts, deaths }: Evidence, momentMs: number): number {
  const diedMs = deaths.findLast(({ atMs }) => atMs <= momentMs)?.atMs ?? Number.NEGATIVE_INFINITY;
  const isRunning = starts.some((atMs) => atMs >= diedMs && atMs <= momentMs);
  return isRunning ? momentMs : (starts.find((atMs) => atMs > momentMs) ?? momentMs);
}

/**
 * P6 of app/coupons/planner.ts: A plan that was made while the clock was ahead counts from then by the clock as it is.
 * Where that was set forward once more, past this moment and before it was settled, the plan was made after it: the next
 * one is a week away. So it is where nobody can know how long ago the plan was made.
 */
function isBeforePlan(evidence: Evidence, { isAhead, atMs: madeMs }: Evidence['plans'][number], at: number): boolean {
  const wallMs = (atMs: number, offMs: number): number => platformEpochMs + atMs + offMs;
  const isSetForward = evidence.wallClock.some(
    ({ atMs, offMs }, place, sets) =>
      atMs > madeMs && wallMs(madeMs, offMs) >= at && wallMs(atMs, sets[place - 1]?.offMs ?? offMs) <= at + settledMs,
  );
  const isLost = isTimeLost(evidence, madeMs, noticedMs(evidence, at - platformEpochMs));
  return isAhead && (isSetForward || isLost);
}

/** I28: What the last word of a plan brought about, by what the platform has. */
function untrue({ evidence, referee }: Run, altered: ReadonlySet<number>): readonly string[] {
  const newest = new Map(evidence.rows.map((row) => [row.productId, row] as const));
  return [...newest.values()].flatMap(({ id, plan, productId, isEnabled, status, createdAt }) => {
    const planned = evidence.plans.find(({ name }) => name === plan);
    if (planned === undefined || status !== 'delivered' || altered.has(id)) {
      return [];
    }
    const elsewhere = referee.effects.findLast((effect) => effect.productId === productId && effect.key === null);
    const isLast = (elsewhere?.atMs ?? Number.NEGATIVE_INFINITY) < earliestMs(evidence, createdAt, planned.atMs);
    return isLast && referee.setting(productId) !== isEnabled
      ? [`${plan ?? ''} is delivered for ${productId}, which the platform does not have ${isEnabled ? 'on' : 'off'}`]
      : [];
  });
}

/** I23 to I25, I28 */
export function checkPlans(run: Run): Violation[] {
  const { evidence, endMs } = run;
  const { plans, planned, rows, damages } = evidence;
  const violations: Violation[] = [];
  const complain = (rule: 'I23' | 'I24' | 'I25' | 'I28', what: string): void => {
    violations.push({ rule, atMs: endMs, what });
  };
  // An update that a disk has altered is judged elsewhere.
  const altered = new Set(damages.flatMap(({ damage }) => (damage.kind === 'update' ? [damage.updateId] : [])));
  const made = new Map<string, number>();
  for (const { id, plan, email, companyId, productId, isEnabled } of rows) {
    if (plan === undefined || altered.has(id)) {
      continue;
    }
    const of = plans.find(({ name }) => name === plan);
    // A search may find another product by then.
    const isChosen = of?.isSearch === true || of?.productIds.some((one) => one === productId) === true;
    if (of?.email !== email || of.companyId !== companyId || !isChosen) {
      complain('I25', `update ${String(id)} is by ${plan}, which nobody has planned so`);
    }
    const key = `${plan} ${String(isEnabled)} ${productId}`;
    made.set(key, (made.get(key) ?? 0) + 1);
  }
  for (const [key, count] of made) {
    if (count > 1) {
      complain('I23', `${key} is made ${String(count)} times`);
    }
  }
  for (const what of untrue(run, altered)) {
    complain('I28', what);
  }
  if (planned === null) {
    return violations;
  }
  for (const plan of plans) {
    const { name, on, off, isSure, isSearch, productIds } = plan;
    for (const [isEnabled, at] of [
      [true, on],
      [false, off],
    ] as const) {
      const ofThis = (one: { readonly setName: string; readonly isEnabled: boolean }): boolean =>
        one.setName === name && one.isEnabled === isEnabled;
      const kept = planned.made.find(ofThis);
      const count = [...made.keys()].filter((key) => key.startsWith(`${name} ${String(isEnabled)} `)).length;
      if (kept !== undefined && altered.size === 0 && kept.count !== count) {
        complain('I23', `${name} made ${String(kept.count)} updates, and ${String(count)} are there`);
      }
      // P5: Whatever a reading showed.
      if (kept !== undefined && !isSearch && kept.count !== productIds.length) {
        complain(
          'I28',
          `${name} switched ${String(kept.count)} of ${String(productIds.length)} ${isEnabled ? 'on' : 'off'}`,
        );
      }
      const ageMs = planned.wallMs - at;
      const isDue = ageMs > settledMs && ageMs < listedMs && !isBeforePlan(evidence, plan, at);
      // A clock that was weeks ahead for a while forgets what was made, once a plan is over.
      if (isSure && isDue && kept === undefined && count === 0 && !planned.missed.some(ofThis)) {
        complain('I24', `${name} ${isEnabled ? 'on' : 'off'} is neither made nor told`);
      }
    }
  }
  return violations;
}
