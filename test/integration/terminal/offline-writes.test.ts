// The proof that an outage costs the disk next to nothing: what a whole terminal commits in an hour without a network,
// with an update waiting.
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { fail, succeed } from '../../../app/domain/result.ts';
import type { Http, HttpRequest } from '../../../app/ports.ts';
import {
  createWholeClock,
  openTerminalOnFiles,
  openTrainingHall,
  signInForTraining,
  whileTimePasses,
} from '../../endurance/terminal-on-files.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Counts the transactions of every database in this process that change anything. */
function countCommits(): { commits: number } {
  const count = { commits: 0 };
  const { exec, prepare } = DatabaseSync.prototype;
  const changesOf = (database: DatabaseSync): number =>
    Number(prepare.call(database, 'SELECT total_changes() AS changes').get()?.['changes']);
  let before = 0;
  DatabaseSync.prototype.exec = function countingExec(this: DatabaseSync, sql: string): void {
    before = sql.startsWith('BEGIN') ? changesOf(this) : before;
    exec.call(this, sql);
    count.commits += sql === 'COMMIT' && changesOf(this) > before ? 1 : 0;
  };
  DatabaseSync.prototype.prepare = function countingPrepare(this: DatabaseSync, sql: string) {
    const statement = prepare.call(this, sql);
    const run = statement.run.bind(statement) as (...parameters: unknown[]) => ReturnType<typeof statement.run>;
    statement.run = (...parameters: unknown[]) => {
      const outcome = run(...parameters);
      count.commits += !this.isTransaction && Number(outcome.changes) > 0 ? 1 : 0;
      return outcome;
    };
    return statement;
  };
  onTestFinished(() => {
    Object.assign(DatabaseSync.prototype, { exec, prepare });
  });
  return count;
}

test.each([
  { what: 'no connection comes about', leaves: false, maxAtFirst: 3, maxInAnHour: 3 },
  { what: 'a connection comes about and nothing is answered', leaves: true, maxAtFirst: 150, maxInAnHour: 200 },
])('an hour offline where $what', { timeout: 120_000 }, async ({ leaves, maxAtFirst, maxInAnHour }) => {
  const count = countCommits();
  const clock = createWholeClock(5_000_000);
  const hall = await openTrainingHall(clock, 3);
  let isOutage = false;
  const http: Http = {
    send: (request: HttpRequest) => {
      if (!isOutage || leaves) {
        expect(request.onLeaving?.()).toBeNull();
      }
      return Promise.resolve(isOutage ? fail({ kind: 'unreachable' as const }) : succeed(hall.answer(request)));
    },
  };
  const terminal = await openTerminalOnFiles({
    directory: temporaryDirectory(),
    clock,
    random: createSeededRandom('offline'),
    http,
  });
  expect(await signInForTraining(terminal, clock)).toBe(true);
  await clock.advance(20 * minuteMs);
  isOutage = true;
  const [productId] = hall.products;
  if (productId !== undefined) {
    await terminal.handlers['coupon:switch']({ productId, isEnabled: true });
  }
  // The outage is noticed by the next call.
  await clock.advance(5 * minuteMs);
  count.commits = 0;
  await clock.advance(10 * minuteMs);
  const atFirst = count.commits;
  await clock.advance(hourMs);

  expect(atFirst).toBeLessThanOrEqual(maxAtFirst);
  expect(count.commits - atFirst).toBeLessThanOrEqual(maxInAnHour);
  await whileTimePasses(clock, terminal.close());
});
