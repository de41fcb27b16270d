// The proof of what a terminal at rest costs its disk: what the whole of it commits in an hour, and how much that is.
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { fail, succeed } from '../../../app/domain/result.ts';
import type { Http, HttpRequest } from '../../../app/ports.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import {
  createWholeClock,
  openTerminalOnFiles,
  openTrainingHall,
  signInForTraining,
  whileTimePasses,
} from '../../endurance/terminal-on-files.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** After the platform's products were last changed. */
const startsAt = Date.UTC(2026, 10, 30, 12);

/** Counts the transactions of every database file in this process that change anything. */
function countCommits(): { commits: number } {
  const count = { commits: 0 };
  const { exec, prepare } = DatabaseSync.prototype;
  const changesOf = (database: DatabaseSync): number =>
    Number(prepare.call(database, 'SELECT total_changes() AS changes').get()?.['changes']);
  const isFile = (database: DatabaseSync): boolean => database.location() !== null;
  let before = 0;
  DatabaseSync.prototype.exec = function countingExec(this: DatabaseSync, sql: string): void {
    before = sql.startsWith('BEGIN') ? changesOf(this) : before;
    exec.call(this, sql);
    count.commits += sql === 'COMMIT' && isFile(this) && changesOf(this) > before ? 1 : 0;
  };
  DatabaseSync.prototype.prepare = function countingPrepare(this: DatabaseSync, sql: string) {
    const statement = prepare.call(this, sql);
    const run = statement.run.bind(statement) as (...parameters: unknown[]) => ReturnType<typeof statement.run>;
    statement.run = (...parameters: unknown[]) => {
      const outcome = run(...parameters);
      count.commits += !this.isTransaction && isFile(this) && Number(outcome.changes) > 0 ? 1 : 0;
      return outcome;
    };
    return statement;
  };
  onTestFinished(() => {
    Object.assign(DatabaseSync.prototype, { exec, prepare });
  });
  return count;
}

/** Bytes that this process has handed to the system to be written so far; 0 where the system does not tell. */
function writtenBytes(): number {
  return process.platform === 'linux'
    ? Number(/^wchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? 0)
    : 0;
}

interface Till {
  readonly terminal: Terminal;
  readonly clock: ManualClock;
  readonly switchOne: () => Promise<unknown>;
  readonly cutOff: () => void;
}

/** A terminal that has its copy; an outage may let requests leave, or not. */
async function openTill(leaves: boolean): Promise<Till> {
  const clock = createWholeClock(5_000_000, { now: startsAt });
  const hall = await openTrainingHall(clock, 3);
  let isOutage = false;
  const http: Http = {
    send: async (request: HttpRequest) => {
      if (!isOutage || leaves) {
        expect(request.onLeaving?.()).toBeNull();
      }
      if (isOutage) {
        return fail({ kind: 'unreachable' as const });
      }
      const answer = await hall.answer(request);
      const date = new Date(clock.now()).toUTCString();
      return succeed({ ...answer, headers: { ...answer.headers, date } });
    },
  };
  const terminal = await openTerminalOnFiles({
    directory: temporaryDirectory(),
    clock,
    random: createSeededRandom('rest'),
    http,
  });
  expect(await signInForTraining(terminal, clock)).toBe(true);
  await clock.advance(20 * minuteMs);
  const [productId] = hall.products;
  return {
    terminal,
    clock,
    switchOne: () =>
      productId === undefined
        ? Promise.reject(new Error('no product'))
        : terminal.handlers['coupon:switch']({ productId, isEnabled: true }),
    cutOff: () => {
      isOutage = true;
    },
  };
}

test('an hour online, with a copy that is complete: 60 transactions and a quarter of a megabyte', async () => {
  const count = countCommits();
  const { terminal, clock } = await openTill(true);
  count.commits = 0;
  const before = writtenBytes();
  await clock.advance(4 * hourMs);
  expect(count.commits / 4).toBeLessThanOrEqual(60);
  expect((writtenBytes() - before) / 4).toBeLessThan(250_000);
  // The control: it was at work.
  expect(count.commits / 4).toBeGreaterThan(30);
  await whileTimePasses(clock, terminal.close());
});

test.each([
  { what: 'no connection comes about', leaves: false, maxAtFirst: 3, maxInAnHour: 3, maxBytes: 50_000 },
  // Each that leaves takes a slot, and that is on disk before.
  {
    what: 'a connection comes about and nothing is answered',
    leaves: true,
    maxAtFirst: 75,
    maxInAnHour: 130,
    maxBytes: 1_000_000,
  },
])('an hour offline where $what', async ({ leaves, maxAtFirst, maxInAnHour, maxBytes }) => {
  const count = countCommits();
  const { terminal, clock, switchOne, cutOff } = await openTill(leaves);
  cutOff();
  await switchOne();
  // The outage is noticed by the next call.
  await clock.advance(5 * minuteMs);
  count.commits = 0;
  await clock.advance(10 * minuteMs);
  const atFirst = count.commits;
  const before = writtenBytes();
  await clock.advance(hourMs);

  expect(atFirst).toBeLessThanOrEqual(maxAtFirst);
  expect(count.commits - atFirst).toBeLessThanOrEqual(maxInAnHour);
  expect(writtenBytes() - before).toBeLessThan(maxBytes);
  await whileTimePasses(clock, terminal.close());
});
