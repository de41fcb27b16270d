import type { Mutation } from './mutation.ts';

const planted: readonly Omit<Mutation, 'world'>[] = [
  {
    name: 'the catalogue ignores the reserve',
    file: 'app/rate-limit/scheduler.ts',
    find: 'catalogue: free > (owed.catalogue > 0 ? unusedReserve : reserve), // B3',
    replace: 'catalogue: free > 0,',
    rules: ['A2'],
  },
  {
    name: 'the shares of the lower lanes are ignored',
    file: 'app/rate-limit/rules.ts',
    find: 'return Math.min(slots, Math.floor(limit * part));',
    replace: 'return 0 * Math.min(slots, limit * part);',
    rules: ['A3'],
  },
  {
    name: 'a cancelled waiter is still given its slot',
    file: 'app/rate-limit/waiters.ts',
    find: "waiter.answer(fail({ kind: 'cancelled' }));",
    replace: "resolve(fail({ kind: 'cancelled' }));",
    rules: ['A2', 'A3', 'A7', 'A9'],
  },
  {
    name: 'what a cashier has turned away from is sent all the same',
    file: 'app/catalogue/lookup/wanted.ts',
    find: 'wanted.abort(); // K5',
    replace: '// K5',
    rules: ['A4'],
  },
  {
    name: 'two questions at once are one, whatever they ask',
    file: 'app/catalogue/lookup/lookup.ts',
    find: 'refreshOnce(`${stockId}/${productId}`,',
    replace: 'refreshOnce(stockId,',
    rules: ['A5'],
  },
  {
    name: 'a date in Retry-After is read as seconds',
    file: 'app/platform/answer.ts',
    find: 'Math.min(maxRetryAfterMs, Math.max(0, date - now))',
    replace: 'Math.max(0, (date - now) / 1000)',
    rules: ['A6'],
  },
  {
    name: "a date in Retry-After is compared with this machine's clock",
    file: 'app/platform/answer.ts',
    find: 'readPlatformTime(response.headers) ?? response.receivedAt ?? null',
    replace: 'response.receivedAt ?? null',
    rules: ['A6'],
  },
  {
    name: 'a changed limit frees every slot',
    file: 'app/rate-limit/rate-limit.ts',
    find: 'reconsider: () => {\n      if (!isClosed) {',
    replace: 'reconsider: () => {\n      if (!isClosed) {\n        slots.forgetOld(Number.POSITIVE_INFINITY);',
    rules: ['A1'],
  },
  {
    name: 'a window that is made longer has forgotten what came free',
    file: 'app/rate-limit/slots.ts',
    find: 'arrivedByMs + maxWindowMs <= nowMs);\n    if (old.length >= atLeast) {',
    replace: 'arrivedByMs + windowMsNow() <= nowMs);\n    if (old.length > 0) {',
    rules: ['A1'],
  },
  {
    name: 'the newest question always goes first',
    file: 'app/rate-limit/scheduler.ts',
    find: '(mine.find(({ sinceMs }) => nowMs - sinceMs >= agedMs) ?? mine.at(-1))',
    replace: 'mine.at(-1)',
    rules: ['A7'],
  },
  {
    name: 'a 429 pauses, and shrinks nothing',
    file: 'app/rate-limit/shared-limit.ts',
    find: 'if (!isAnother) {',
    replace: 'if (!isAnother || nowMs >= 0) {',
    rules: ['A8'],
  },
  {
    name: 'the rate limit is back within a minute after a 429',
    file: 'app/rate-limit/shared-limit.ts',
    find: 'const windowsToPeak = 6.8;',
    replace: 'const windowsToPeak = 0.3;',
    rules: ['A8'],
  },
  {
    name: 'the rate limit never grows beyond where it was refused',
    file: 'app/rate-limit/shared-limit.ts',
    find: 'const riseBeyond = 1 / 20;',
    replace: 'const riseBeyond = 0;',
    rules: ['A9'],
  },
  {
    name: 'what is spare leaves only the reserve free',
    file: 'app/rate-limit/scheduler.ts',
    find: 'free - 1 >= Math.max(reserve, limit / 2)',
    replace: 'free > reserve',
    rules: ['A10'],
  },
  {
    name: 'what is spare goes while others wait',
    file: 'app/rate-limit/scheduler.ts',
    find: 'return lane === undefined ? undefined : firstOf(lane, waiters, nowMs);',
    replace: 'return lane === undefined ? all.find((one) => one.isSpare === true) : firstOf(lane, waiters, nowMs);',
    rules: ['A2', 'A3', 'A10'],
  },
  {
    name: 'an abandoned slot is free a window after its abandonment',
    file: 'app/rate-limit/rules.ts',
    find: 'export const latestArrivalMs = 120_000;',
    replace: 'export const latestArrivalMs = 0;',
    rules: ['A1'],
  },
];

/** What a whole shift must show. */
const plantedInShifts: readonly Mutation[] = [
  {
    name: 'the rate limit is forgotten at a restart',
    file: 'app/rate-limit/slots.ts',
    find: 'of log.remember(startMs)) {',
    replace: 'of log.remember(startMs).slice(0, 0)) {',
    rules: ['I5'],
  },
  {
    name: 'a slot cools from its sending on',
    file: 'app/rate-limit/slots.ts',
    find: 'leavesByMs: nowMs + leaveWithinMs, id: null, arrivedByMs: null };',
    replace: 'leavesByMs: nowMs + leaveWithinMs, id: null, arrivedByMs: clock.uptimeMs() };',
    rules: ['I5'],
  },
  {
    name: 'unsettled slots are free after a restart',
    file: 'app/rate-limit/send-log.ts',
    find: 'settledAt === null\n            ? -latestArrivalMs\n            : surelyPassedMs(settledAt, uptimeMs) - (isAbandoned === 1 ? latestArrivalMs : 0),',
    replace:
      'settledAt === null ? 60_000 : surelyPassedMs(settledAt, uptimeMs) - (isAbandoned === 1 ? latestArrivalMs : 0),',
    rules: ['I5'],
  },
  {
    name: 'a window of 57 s',
    file: 'app/terminal/rate-limit.ts',
    find: 'windowSeconds * 1000',
    replace: 'windowSeconds * 950',
    rules: ['I5'],
  },
  {
    name: 'a reboot frees every slot',
    file: 'app/rate-limit/send-log.ts',
    find: '(isSameBoot ? uptimeMs - notedUptimeMs : uptimeMs)',
    replace: '(isSameBoot ? uptimeMs - notedUptimeMs : 90_000)',
    rules: ['I5'],
  },
  {
    name: 'a 429 that names no time is followed at once',
    file: 'app/rate-limit/shared-limit.ts',
    find: 'Math.min(maxPauseMs, Math.max(shortestPauseMs, retryAfterMs ?? defaultPauseMs))',
    replace: '(retryAfterMs ?? 0)',
    rules: ['I13'],
  },
  {
    name: 'only the queue heeds its 429',
    file: 'app/queue/sender.ts',
    find: 'rateLimit.slowDown(outcome.failure.retryAfterMs);',
    replace: 'delay.setHold(delay.hold());',
    rules: ['I13'],
  },
  {
    name: 'a restart forgets the pause after a 429',
    file: 'app/rate-limit/send-log.ts',
    find: 'pauseMs: Math.max(0, pauseMs - passedMs)',
    replace: 'pauseMs: 0 * (pauseMs - passedMs)',
    rules: ['I13'],
  },
  {
    name: 'a restart forgets the shrunk part',
    file: 'app/rate-limit/shared-limit.ts',
    find: 'const growth = earlier?.sharing ?? null;',
    replace: 'const growth: SharingState | null = null;',
    rules: ['I21'],
  },
];

export const rateLimitMutations: readonly Mutation[] = [
  ...planted.map((mutation): Mutation => ({ ...mutation, world: 'counter' })),
  ...plantedInShifts,
];
