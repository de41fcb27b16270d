// Owns the planted bugs: single-place mutations of the code that the promises rest on, each with the rules of invariants.ts of
// which at least one must catch it. Never holds a mutation that changes nothing that anybody could see.
import type { Violation } from './invariants.ts';

/** One mutation: `find` occurs exactly once in the file, and `replace` stands in its place. */
export interface Plant {
  readonly name: string;
  /** From the top of the tree on. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** Caught means: a violation of one of these. */
  readonly rules: readonly Violation['rule'][];
}

const keys: readonly Plant[] = [
  {
    name: 'a new key on every retry',
    file: 'app/queue/store.ts',
    find: 'if (!isWhole || isStale(row, updates, now)) {',
    replace: 'if (!isWhole || isStale(row, updates, now) || sql.lastAttempt.get(row.id) !== undefined) {',
    rules: ['I2'],
  },
  {
    name: 'no answer dissolves the request',
    file: 'app/queue/disposition.ts',
    find: "    return { step: 'sendAgain', cause: 'network', proveFirst: false };\n  }\n  const { status",
    replace: "    return { step: 'sealAnew', cause: 'platform', readFirst: true };\n  }\n  const { status",
    rules: ['I2'],
  },
  {
    name: 'the key is kept after an answer',
    file: 'app/queue/disposition.ts',
    find: "return isSuspect ? { step: 'halve', readFirst: true } : { step: 'sealAnew', cause: 'platform', readFirst: true };",
    replace: "return { step: 'sendAgain', cause: 'network', proveFirst: false };",
    rules: ['I2'],
  },
  {
    name: 'nothing is read after a 5xx',
    file: 'app/queue/disposition.ts',
    find: "{ step: 'sealAnew', cause: 'platform', readFirst: true };",
    replace: "{ step: 'sealAnew', cause: 'platform', readFirst: false };",
    rules: ['I2'],
  },
  {
    name: 'the echo is ignored',
    file: 'app/queue/disposition.ts',
    find: "if (echo === 'none' && sent.unechoed < poisonedAfter) {",
    replace: "if (echo === 'none' && sent.unechoed > poisonedAfter) {",
    rules: ['I2'],
  },
  {
    name: 'a key is never poisoned',
    file: 'app/queue/disposition.ts',
    find: 'sent.unechoed < poisonedAfter',
    replace: 'sent.unechoed < Number.MAX_SAFE_INTEGER',
    rules: ['I8'],
  },
  {
    name: 'the page of a captive portal is a success',
    file: 'app/queue/disposition.ts',
    find: "if (echo === 'other' || (isPage && echo === 'none' && isSuccess)) {",
    replace: "if (echo === 'other') {",
    rules: ['I2', 'I4'],
  },
  {
    name: 'a 401 parks',
    file: 'app/queue/disposition.ts',
    find: "return { step: 'sealAnew', cause: 'signIn', readFirst: sent.isRepeated };",
    replace: "return { step: 'parkAll' };",
    rules: ['I9'],
  },
];

const rows: readonly Plant[] = [
  {
    name: 'a newer update supersedes a sealed one',
    file: 'app/queue/statements.ts',
    find: "kind = 'coupon' AND state IN ('pending', 'parked') ORDER BY id",
    replace: "kind = 'coupon' AND state IN ('pending', 'sealed', 'parked') ORDER BY id",
    rules: ['I2'],
  },
  {
    name: 'a request is sealed without its first update',
    file: 'app/queue/store.ts',
    find: 'for (const update of updates) {\n          sql.seal.run',
    replace: 'for (const update of updates.slice(1)) {\n          sql.seal.run',
    rules: ['I2'],
  },
  {
    name: 'an update is acknowledged before it is kept',
    file: 'app/queue/queue.ts',
    find: "return enqueue(store.ownerId(owner), clock.now()) ? succeed(undefined) : fail({ kind: 'queueFull' });",
    replace: 'clock.after(1, () => enqueue(store.ownerId(owner), clock.now()));\n      return succeed(undefined);',
    rules: ['I1', 'I4'],
  },
  {
    name: 'updates are deleted at the start',
    file: 'app/queue/store.ts',
    find: 'sql.abandon.run(now);',
    replace: "sql.abandon.run(now);\n        database.exec(\"DELETE FROM updates WHERE state = 'pending' AND attempts = 0 AND id % 7 = 0\");",
    rules: ['I1'],
  },
];

const allowance: readonly Plant[] = [
  { name: 'the allowance is forgotten at a restart', file: 'app/budget/budget.ts', find: 'const remembered = log.remember(startMs);', replace: 'const remembered = log.remember(startMs).slice(0, 0);', rules: ['I5'] },
  {
    name: 'a slot cools from its sending on',
    file: 'app/budget/budget.ts',
    find: 'const slot: BusySlot = { lane: waiter.lane, freeAtMs: null };',
    replace: 'const slot: BusySlot = { lane: waiter.lane, freeAtMs: nowMs + windowMs };',
    rules: ['I5'],
  },
  { name: 'unsettled slots are free after a restart', file: 'app/budget/store.ts', find: 'settledAt === null ? 0 :', replace: 'settledAt === null ? 60_000 :', rules: ['I5'] },
  { name: 'a window of 57 s', file: 'app/budget/budget.ts', find: 'export const windowMs = 60_000;', replace: 'export const windowMs = 57_000;', rules: ['I5'] },
];

const session: readonly Plant[] = [
  { name: 'two refreshes at once', file: 'app/session/session.ts', find: 'if (renewal === null) {', replace: 'if (renewal === null || generation > 0) {', rules: ['I6'] },
  { name: 'a token is logged', file: 'app/queue/queue.ts', find: "ports.log('sent', { request: request.id,", replace: "ports.log('sent', { accessToken, request: request.id,", rules: ['I7'] },
];

/** All planted bugs. */
export const plants: readonly Plant[] = [...keys, ...rows, ...allowance, ...session];
