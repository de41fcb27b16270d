import { openSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import type { Id } from '../../app/domain/int64.ts';
import { fail, succeed } from '../../app/domain/result.ts';
import type { Http, HttpRequest, HttpResponse } from '../../app/ports.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';
import type { Terminal } from '../../app/terminal/terminal.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import type { Mark } from './recording.ts';
import {
  createWholeClock,
  describeUpdate,
  openTerminalOnFiles,
  openTrainingHall,
  queueKeyOf,
  signInForTraining,
  whileTimePasses,
} from './terminal-on-files.ts';

const switchedProducts = 15;

const { values } = parseArgs({
  options: {
    directory: { type: 'string' },
    marks: { type: 'string' },
    seed: { type: 'string' },
    switches: { type: 'string' },
    synchronous: { type: 'string' },
  },
});
const { directory = '', marks = '', seed = '', switches = '0', synchronous = 'FULL' } = values;

if (synchronous !== 'FULL') {
  // The negative control: the same terminal, but for what it asks of SQLite.
  const exec = DatabaseSync.prototype.exec;
  DatabaseSync.prototype.exec = function execCarelessly(this: DatabaseSync, sql: string): void {
    exec.call(this, sql.replace('synchronous = FULL', `synchronous = ${synchronous}`));
  };
}

const marksFile = openSync(marks, 'a');
function mark(event: Mark): void {
  writeSync(marksFile, `${JSON.stringify(event)}\n`);
}

const random = createSeededRandom(`power ${seed}`);
const machineClock = createWholeClock(5_000_000);
let markedMs = 0;
// Whatever the terminal does because time has passed, it does after the mark that says so.
const clock: ManualClock = {
  ...machineClock,
  uptimeMs: () => {
    const uptimeMs = machineClock.uptimeMs();
    if (uptimeMs > markedMs) {
      markedMs = uptimeMs;
      mark({ kind: 'time', uptimeMs, now: machineClock.now() });
    }
    return uptimeMs;
  },
};
const hall = await openTrainingHall(clock, switchedProducts);
const draws = random.fork('weather');
let isOutage = false;
let requests = 0;

/** Carries the request to the platform, now or later or never; fails as a network does. */
async function carry(request: HttpRequest): Promise<Result<HttpResponse, Failure>> {
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      clock.after(draws.waitMs(60), resolve);
    });
  await pause();
  const fate = isOutage ? 'lostBefore' : draws.pickWeighted({ whole: 80, lostBefore: 5, lostAfter: 10, stumble: 5 });
  if (fate === 'lostBefore') {
    return fail({ kind: 'unreachable' });
  }
  if (fate === 'stumble' && request.method === 'PUT') {
    hall.service.faults.set({
      faults: [{ kind: 'answer', status: 500, isEffectApplied: draws.chance(0.5), times: 1 }],
    });
  }
  const answer = await hall.answer(request);
  await pause();
  return fate === 'lostAfter' ? fail({ kind: 'timedOut' }) : succeed(answer);
}

const http: Http = {
  send: async (request) => {
    requests += 1;
    const number = requests;
    const key = queueKeyOf(request);
    const refusal = request.onLeaving?.() ?? null;
    if (refusal !== null) {
      return fail(refusal);
    }
    mark({ kind: 'sent', number, key, body: request.body ?? '', uptimeMs: clock.uptimeMs() });
    const cancelled = new Promise<Result<HttpResponse, Failure>>((resolve) => {
      const cancel = (): void => {
        resolve(fail({ kind: 'cancelled' }));
      };
      request.signal?.addEventListener('abort', cancel, { once: true });
      if (request.signal?.aborted === true) {
        cancel();
      }
    });
    const outcome = await Promise.race([carry(request), cancelled]);
    mark({ kind: 'ended', number, isAnswered: outcome.ok, uptimeMs: clock.uptimeMs() });
    return outcome;
  },
};

async function open(): Promise<Terminal> {
  const terminal = await openTerminalOnFiles({ directory, clock, random: random.fork(`life ${requests}`), http });
  for (let attempt = 0; attempt < 20 && !(await signInForTraining(terminal, clock)); attempt += 1) {
    await clock.advance(5_000);
  }
  return terminal;
}

const wanted = new Map<string, boolean>();
let restorations = 0;

async function makeSwitch(terminal: Terminal): Promise<void> {
  const productId = random.pick(hall.products);
  const isEnabled = !(wanted.get(productId) ?? false);
  const answer = await terminal.handlers['coupon:switch']({ productId, isEnabled });
  if (answer.ok) {
    mark({ kind: 'accepted', what: describeUpdate({ kind: 'coupon', productId, isEnabled }) });
    wanted.set(productId, isEnabled);
  }
}

/** Asks for a user back, each time another whom the platform does not know. */
async function restoreUser(terminal: Terminal): Promise<void> {
  restorations += 1;
  const userId = String(90_000 + restorations) as Id;
  if ((await terminal.handlers['user:restore']({ userId })).ok) {
    mark({ kind: 'accepted', what: describeUpdate({ kind: 'restoreUser', userId }) });
  }
}

async function discardOne(terminal: Terminal): Promise<void> {
  const listed = await terminal.handlers['queue:list']({ statuses: ['pending'], offset: 0, limit: 20 });
  const row = listed.ok ? listed.value.rows.at(-1) : undefined;
  if (row !== undefined && (await terminal.handlers['queue:discard']({ updateId: row.id })).ok) {
    mark({ kind: 'discarded', updateId: row.id });
  }
}

let terminal = await open();
for (let left = Number(switches); left > 0;) {
  switch (
    random.pickWeighted({ switch: 10, burst: 2, restore: 0.5, wait: 8, discard: 0.7, outage: 0.5, reopen: 0.2 })
  ) {
    case 'switch':
      await makeSwitch(terminal);
      left -= 1;
      break;
    case 'burst':
      for (let count = random.integer(2, 12); count > 0; count -= 1) {
        await makeSwitch(terminal);
        left -= 1;
      }
      break;
    case 'restore':
      await restoreUser(terminal);
      break;
    case 'wait':
      await clock.advance(random.waitMs(1_500));
      break;
    case 'discard':
      await discardOne(terminal);
      break;
    case 'outage':
      isOutage = !isOutage;
      break;
    case 'reopen':
      isOutage = false;
      await whileTimePasses(clock, terminal.close());
      terminal = await open();
      break;
  }
}
await whileTimePasses(clock, terminal.close());
