// The state that is expected of a terminal after a power cut: the files that are left are opened with the real code and
// held against what had been acknowledged and sent by then. Rules, cited by the tests:
//   P1  The database is whole: it opens, is not set aside, and passes SQLite's own check.
//   P2  Every acknowledged update and discard is there and intact, in its order, and at most the one that was being
//       made besides (Q1).
//   P3  Key, bytes and attempt of every request that had left are there (Q4).
//   P4  Every slot of the rate limit that still counts is in the send log (B2).
//   P5  The terminal goes on: a request that had no answer goes out again first, key and bytes the same, and the queue
//       drains.
// It never cuts.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSendLog } from '../../app/rate-limit/send-log.ts';
import { succeed } from '../../app/domain/result.ts';
import type { HttpRequest } from '../../app/ports.ts';
import type { Terminal } from '../../app/terminal/terminal.ts';
import { Database } from '../../app/storage/database.ts';
import { queueMigrations } from '../../app/terminal/workspace/queue-migrations.ts';
import { listQueue } from '../support/list-queue.ts';
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

interface Loss {
  readonly rule: 'P1' | 'P2' | 'P3' | 'P4' | 'P5';
  readonly what: string;
}

/** A slot counts for so long after its answer (B1). */
const windowMs = 60_000;
const drainStepMs = 10_000;
const maxDrainMs = 30 * 60_000;
/** The machine has just started again. */
const uptimeAfterCutMs = 30_000;

type SentMark = Extract<Mark, { kind: 'sent' }>;
type Keyed = SentMark & { readonly key: string };

interface Row {
  readonly id: number;
  readonly what: string;
  readonly status: string;
  readonly parkedBecause: string | null;
}

function isKeyed(mark: Mark): mark is Keyed {
  return mark.kind === 'sent' && mark.key !== null;
}

/** The send log and the requests, read from the file itself through the real opening. */
async function checkFile(path: string, marks: readonly Mark[]): Promise<readonly Loss[]> {
  const losses: Loss[] = [];
  const database = await Database.open(path, { kind: 'precious', migrations: queueMigrations });
  try {
    const [check] = database.prepare<{ integrity_check: string }>('PRAGMA integrity_check').all();
    if (check?.integrity_check !== 'ok') {
      losses.push({ rule: 'P1', what: `SQLite's check says: ${String(check?.integrity_check)}` });
    }
    const request = database.prepare<{ body: string; attempts: number }>(
      'SELECT body, (SELECT count(*) FROM attempts WHERE request_id = requests.id) AS attempts FROM requests WHERE idempotency_key = ?',
    );
    const keyed = marks.filter(isKeyed);
    for (const key of new Set(keyed.map((mark) => mark.key))) {
      const sendings = keyed.filter((mark) => mark.key === key);
      const row = request.get(key);
      if (row === undefined || row.attempts < sendings.length || sendings.some(({ body }) => body !== row.body)) {
        losses.push({
          rule: 'P3',
          what: `request ${key} had left ${sendings.length} times; the books have ${row === undefined ? 'nothing of it' : `${row.attempts} attempts`}`,
        });
      }
    }
    losses.push(...checkSlots(database, marks));
    return losses;
  } finally {
    database.close();
  }
}

function checkSlots(database: Database, marks: readonly Mark[]): readonly Loss[] {
  const nowMs = Math.max(0, ...marks.map((mark) => ('uptimeMs' in mark ? mark.uptimeMs : 0)));
  const endedAt = new Map(
    marks.flatMap((mark) => (mark.kind === 'ended' ? [[mark.number, mark.uptimeMs] as const] : [])),
  );
  const counting = marks
    .filter((mark) => mark.kind === 'sent')
    .filter(({ number }) => (endedAt.get(number) ?? nowMs) > nowMs - windowMs);
  // Within the same boot, the less forgiving case.
  const busy = openSendLog(database, 'https://platform.example.com')
    .remember(nowMs)
    .filter(({ arrivedForMs }) => arrivedForMs < windowMs);
  return busy.length < counting.length
    ? [{ rule: 'P4', what: `${counting.length} requests still count, the send log has ${busy.length}` }]
    : [];
}

async function listRows({ handlers }: Terminal): Promise<readonly Row[]> {
  const updates = await listQueue(handlers['queue:list']);
  return updates.map((update) => ({ ...update, what: describeUpdate(update) }));
}

function checkRows(rows: readonly Row[], marks: readonly Mark[]): readonly Loss[] {
  const accepted = marks.filter((mark) => mark.kind === 'accepted');
  const losses: Loss[] = [];
  accepted.forEach(({ what }, place) => {
    const row = rows[place];
    if (row?.what !== what || row.id !== place + 1 || row.parkedBecause === 'damaged') {
      losses.push({
        rule: 'P2',
        what: `update ${place + 1} (${what}) was acknowledged; the books have ${JSON.stringify(row ?? null)}`,
      });
    }
  });
  if (rows.length > accepted.length + 1) {
    losses.push({ rule: 'P2', what: `${accepted.length} updates were acknowledged, the books have ${rows.length}` });
  }
  for (const { updateId } of marks.filter((mark) => mark.kind === 'discarded')) {
    const status = rows.find(({ id }) => id === updateId)?.status;
    if (status !== 'discarded') {
      losses.push({ rule: 'P2', what: `update ${updateId} was discarded; the books say ${String(status)}` });
    }
  }
  return losses;
}

/** The request that had left, and whose answer the terminal had not heard. */
function unanswered(marks: readonly Mark[]): Keyed | null {
  const last = marks.findLast(isKeyed);
  const isAnswered = marks.some((mark) => mark.kind === 'ended' && mark.number === last?.number && mark.isAnswered);
  return last === undefined || isAnswered ? null : last;
}

/** Opens the terminal on what is left, signs in to a platform that remembers nothing, and lets it drain. */
async function checkGoingOn(directory: string, marks: readonly Mark[]): Promise<readonly Loss[]> {
  const lastNow = marks.findLast((mark) => mark.kind === 'time')?.now;
  const clock = createWholeClock(uptimeAfterCutMs, lastNow === undefined ? {} : { now: lastNow + uptimeAfterCutMs });
  const hall = await openTrainingHall(clock, 0);
  const sent: HttpRequest[] = [];
  const http = {
    send: async (request: HttpRequest) => {
      if (queueKeyOf(request) !== null) {
        sent.push(request);
      }
      return succeed(await hall.answer(request));
    },
  };
  const terminal = await openTerminalOnFiles({ directory, clock, random: createSeededRandom('after the cut'), http });
  try {
    const state = await terminal.handlers['terminal:read']({});
    if (!state.ok || state.value.notices.some(({ kind }) => kind === 'queueSetAside')) {
      return [{ rule: 'P1', what: 'the database was taken for damaged and set aside' }];
    }
    // The queue belongs to who is signed in; what may leave by then stays in the books.
    await signInForTraining(terminal, clock);
    const losses = [...checkRows(await listRows(terminal), marks)];
    const isDrained = async (): Promise<boolean> => {
      const now = await terminal.handlers['terminal:read']({});
      return now.ok && now.value.queue.pending + now.value.queue.inFlight === 0;
    };
    for (let waitedMs = 0; waitedMs < maxDrainMs && !(await isDrained()); waitedMs += drainStepMs) {
      await clock.advance(drainStepMs);
    }
    if (!(await isDrained())) {
      losses.push({ rule: 'P5', what: 'the queue did not drain' });
    }
    const expected = unanswered(marks);
    const [first] = sent;
    if (
      expected !== null &&
      (first?.headers['Idempotency-Key'] !== expected.key || (first.body ?? '') !== expected.body)
    ) {
      losses.push({
        rule: 'P5',
        what: `request ${expected.key} had no answer; the first that left afterwards was ${first?.headers['Idempotency-Key'] ?? 'none'}`,
      });
    }
    const damaged = (await listRows(terminal)).filter(({ parkedBecause }) => parkedBecause === 'damaged');
    if (damaged.length > 0) {
      losses.push({ rule: 'P2', what: `${damaged.length} updates were found damaged` });
    }
    return losses;
  } finally {
    await whileTimePasses(clock, terminal.close());
  }
}

/**
 * Lays the files into the empty folder and answers everything that the power cut has taken; empty when all rules hold.
 */
export async function checkAfterCut(
  folder: string,
  files: ReadonlyMap<string, Buffer>,
  marks: readonly Mark[],
): Promise<readonly Loss[]> {
  const store = join(folder, 'store');
  mkdirSync(store, { recursive: true });
  for (const [name, bytes] of files) {
    writeFileSync(join(store, name), bytes);
  }
  try {
    return [...(await checkFile(join(store, 'queue.db'), marks)), ...(await checkGoingOn(folder, marks))];
  } catch (error) {
    return [
      {
        rule: 'P1',
        what:
          error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 4).join(' | ') : String(error),
      },
    ];
  }
}
