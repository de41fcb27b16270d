// The proof of P1 and P5 on files: wherever the process is killed between a moment's being due and its being told, the
// moment is made by the next run, whole and once.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startChild } from '../../support/child.ts';
import { createManualClock, settlePromises } from '../../support/manual-clock.ts';
import { openPlanningTill, plannedIds, planner, type PlanningTill } from '../../support/planning-till.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

/** A Friday at 18:00. */
const dueMs = Date.UTC(2026, 10, 27, 18);
const secondMs = 1_000;

async function plan(): Promise<string> {
  const directory = temporaryDirectory();
  const till = await openPlanningTill(directory, createManualClock({ now: dueMs - 60 * secondMs }));
  const setId = till.sets.save(null, 'Happy hour', { kind: 'list', productIds: plannedIds }, planner.email) ?? 0;
  const times = { repeats: 'once', day: '2026-11-27', on: '18:00', off: null } as const;
  till.sets.plan(setId, till.queueRepository.ownerId(planner), times, dueMs - 60 * secondMs, dueMs);
  till.database.close();
  return directory;
}

/** Runs the till when the moment is due, and kills it before its step of this number. Answers how many it took. */
async function run(directory: string, killAt: number): Promise<number> {
  const till = startChild(process.execPath, ['test/support/planning-till.ts', directory, String(dueMs + secondMs)], {
    environment: { TILLSIDE_TEST_KILL_AT: String(killAt) },
  });
  const { code } = await till.ended;
  expect(code === 0).toBe(killAt === 0);
  return Number(/^STEPS (\d+)$/m.exec(till.errorLines.join('\n'))?.[1] ?? 0);
}

/** The state on disk: how many updates, and the outcomes of the plan's moments. */
function kept({ sets, queueRepository }: PlanningTill): readonly unknown[] {
  const [first] = sets.plans();
  const moments = sets.moments(first?.planId ?? 0).map(({ state, made }) => `${state} ${made}`);
  return [queueRepository.history.page(0, 100).length, moments];
}

const whole = [3, ['made 3']];

/** The leftovers of a killed run; the next run, and another, must have made the moment whole and once. */
async function judge(directory: string): Promise<readonly unknown[]> {
  const found: (readonly unknown[])[] = [];
  for (const seconds of [10, 20]) {
    const clock = createManualClock({ now: dueMs + seconds * secondMs });
    const till = await openPlanningTill(directory, clock);
    found.push(kept(till));
    const { close } = till.start(() => undefined);
    await clock.advance(1);
    await settlePromises();
    close();
    found.push(kept(till));
    till.database.close();
  }
  const [left = [], ...later] = found;
  expect(later).toEqual([whole, whole, whole]);
  return left;
}

test('P1, P5: killed at any step between due and told, a moment is made once and whole by the next run', async () => {
  const directory = await plan();
  const steps = await run(directory, 0);
  // A transaction with three updates and the moment, and what tells of it.
  expect(steps).toBeGreaterThan(6);
  expect(await judge(directory)).toEqual(whole);

  const places = Array.from({ length: steps }, (_, place) => place + 1);
  const left: (readonly unknown[])[] = [];
  const work = async (): Promise<void> => {
    for (let killAt = places.shift(); killAt !== undefined; killAt = places.shift()) {
      const killed = await plan();
      await run(killed, killAt);
      expect(existsSync(join(killed, 'told'))).toBe(false);
      left[killAt - 1] = await judge(killed);
    }
  };
  await Promise.all([work(), work()]);
  // Nothing but all of it or none of it was ever there, and a kill may come after all of it.
  expect(left).toEqual([...left.slice(1).map(() => [0, []]), whole]);
});
