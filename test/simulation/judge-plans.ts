import type { Intent } from './evidence.ts';
import type { Run, Violation } from './judging.ts';

/** A clock that is set, or a store that opens, is looked at within so long, and a moment waits for so long. */
const settledMs = 17 * 60_000;
/** What was made is listed for so long by the clock on the wall, which may have been set by years since. */
const listedMs = 7 * 24 * 3_600_000;

/** What plans asked for, in the order in which they did: an effect of it comes after somebody has planned it. */
export function intentsOfPlans({ evidence }: Run): readonly Omit<Intent, 'life' | 'standing'>[] {
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

/** I23 to I25 */
export function checkPlans({ evidence, endMs }: Run): Violation[] {
  const { plans, planned, rows, damages } = evidence;
  const violations: Violation[] = [];
  const complain = (rule: 'I23' | 'I24' | 'I25', what: string): void => {
    violations.push({ rule, atMs: endMs, what });
  };
  // What a disk has altered is judged elsewhere.
  const altered = new Set(damages.flatMap(({ damage }) => (damage.kind === 'update' ? [damage.updateId] : [])));
  const made = new Map<string, number>();
  for (const { id, plan, email, companyId, productId, isEnabled } of rows) {
    if (plan === undefined || altered.has(id)) {
      continue;
    }
    const of = plans.find(({ name }) => name === plan);
    if (of?.email !== email || of.companyId !== companyId || !of.productIds.some((one) => one === productId)) {
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
  if (planned === null) {
    return violations;
  }
  for (const { name, on, off, isSure } of plans) {
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
      const ageMs = planned.wallMs - at;
      const isDue = ageMs > settledMs && ageMs < listedMs;
      if (isSure && isDue && kept === undefined && !planned.missed.some(ofThis)) {
        complain('I24', `${name} ${isEnabled ? 'on' : 'off'} is neither made nor told`);
      }
    }
  }
  return violations;
}
