// Owns the planted bugs: single-place mutations of the code that the promises rest on, each with the rules of invariants.ts of
// which at least one must catch it. Never holds a mutation that changes nothing that anybody could see.
import type { Plant } from './plant.ts';
import { allowancePlants } from './plants-allowance.ts';
import { cataloguePlants } from './plants-catalogue.ts';

const keys: readonly Plant[] = [
  {
    name: 'a new key on every retry',
    file: 'app/queue/store.ts',
    find: 'if (!isWhole || isStale(row, updates, now)) {',
    replace: 'if (!isWhole || isStale(row, updates, now) || sql.attemptsAt.get(row.id) !== undefined) {',
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
    find: "if (echo !== 'ours' && sent.unechoed < poisonedAfter) {",
    replace: "if (echo !== 'ours' && sent.unechoed > poisonedAfter) {",
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
    find: "if (isPage && echo === 'none' && isSuccess) {",
    replace: "if (isPage && echo === 'other' && isSuccess) {",
    rules: ['I2', 'I4'],
  },
  {
    name: 'a 401 parks',
    file: 'app/queue/disposition.ts',
    find: "return { step: 'sealAnew', cause, readFirst: sent.isRepeated };",
    replace: "return cause === 'signIn' ? { step: 'parkAll' } : { step: 'sealAnew', cause, readFirst: sent.isRepeated };",
    rules: ['I9'],
  },
  {
    name: 'a 401 proves that an earlier sending had no effect',
    file: 'app/queue/disposition.ts',
    find: "{ step: 'sealAnew', cause, readFirst: sent.isRepeated }",
    replace: "{ step: 'sealAnew', cause, readFirst: cause !== 'signIn' && sent.isRepeated }",
    rules: ['I2', 'I3'],
  },
  {
    name: 'a restoration that nobody answered goes out under a new key',
    file: 'app/queue/store.ts',
    find: 'return attempts !== undefined && now - attempts.first_sent_at > keyTrustedForMs;',
    replace: 'return attempts !== undefined;',
    rules: ['I2'],
  },
  {
    name: 'a restoration that may be done is told as refused',
    file: 'app/queue/disposition.ts',
    find: "return { step: isMaybeDone ? 'parkMaybeDone' : 'parkAll' };",
    replace: "return { step: 'parkAll' };",
    rules: ['I9'],
  },
  { name: 'a key of more than 100 characters', file: 'app/queue/queue.ts', find: 'store.seal(ownerId, random.uuid(), clock.now())', replace: 'store.seal(ownerId, random.uuid().repeat(3), clock.now())', rules: ['I9'] },
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
    find: 'sql.abandon.run(now);\n        history',
    replace: "sql.abandon.run(now);\n        database.exec(\"DELETE FROM updates WHERE state = 'pending' AND attempts = 0 AND id % 7 = 0\");\n        history",
    rules: ['I1'],
  },
  {
    name: 'what waits is given up when nobody is signed in',
    file: 'app/queue/store.ts',
    find: 'sql.foreign.all(ownerId),',
    replace: "{\n      if (ownerId === 0) {\n        database.exec(\"UPDATE updates SET state = 'discarded' WHERE state = 'pending'\");\n      }\n      return sql.foreign.all(ownerId);\n    },",
    rules: ['I1'],
  },
  {
    name: 'an older update goes back beside a newer one',
    file: 'app/queue/store.ts',
    find: 'if (newer === undefined) {\n      return false;',
    replace: 'if (newer === undefined || row.attempts > 1) {\n      return false;',
    rules: ['I2', 'I3'],
  },
  {
    name: "another user's updates are sealed, too",
    file: 'app/queue/statements.ts',
    find: "owner_id = ?1 AND kind = 'coupon' AND split_group = ?2",
    replace: "(owner_id = ?1 OR owner_id IN (SELECT theirs.id FROM owners AS theirs JOIN owners AS mine USING (platform, company_id) WHERE mine.id = ?1)) AND kind = 'coupon' AND split_group = ?2",
    rules: ['I10'],
  },
  {
    name: "another company's updates are sealed, too",
    file: 'app/queue/statements.ts',
    find: "owner_id = ?1 AND kind = 'coupon' AND split_group = ?2",
    replace: "(owner_id = ?1 OR owner_id IN (SELECT theirs.id FROM owners AS theirs JOIN owners AS mine USING (platform, email) WHERE mine.id = ?1)) AND kind = 'coupon' AND split_group = ?2",
    rules: ['I10'],
  },
  {
    name: 'whoever signs out while the allowance is waited for is sent for all the same',
    file: 'app/queue/queue.ts',
    find: 'const isStillOwner = current !== null && store.ownerId(current) === ownerId;',
    replace: 'const isStillOwner = current !== undefined;',
    rules: ['I10'],
  },
  {
    name: 'what was given up stands again beside what was asked for since',
    file: 'app/queue/intake.ts',
    find: ' || sql.isInTheWay.get(row.owner_id, row.subject_id, row.kind, row.id) !== undefined',
    replace: '',
    rules: ['I2', 'I3', 'I4'],
  },
  { name: 'a conflict is never detected', file: 'app/queue/reconcile.ts', find: "? 'conflict' : 'send'", replace: "? 'send' : 'send'", rules: ['I3'] },
  { name: 'a conflict overwrites', file: 'app/queue/store.ts', find: "} else if (result === 'conflict') {", replace: "} else if (result === 'conflict' && row.attempts > 0) {", rules: ['I3'] },
  { name: 'a newer update of another user overtakes nothing', file: 'app/queue/store.ts', find: 'sql.overtake.run(row.subject_id, row.id, row.owner_id); // Q7', replace: '// Q7', rules: ['I3'] },
  { name: 'an overtaken update forgets that it is', file: 'app/queue/statements.ts', find: "theirs.state = 'delivered' AND theirs.id > updates.id", replace: "theirs.state = 'delivered' AND theirs.id < 0", rules: ['I3'] },
  {
    name: "one's own change in doubt is taken for somebody else's",
    file: 'app/queue/store.ts',
    find: 'const seen = isInDoubt && row.seen !== row.is_enabled ? null : row.seen;',
    replace: 'const seen = row.seen;',
    rules: ['I9'],
  },
  { name: 'the checksum of an update is never checked', file: 'app/queue/store.ts', find: 'const isSound = row.checksum === updateChecksum(row);', replace: 'const isSound = row.checksum.length > 0;', rules: ['I11'] },
  {
    name: 'an altered request is sent',
    file: 'app/queue/store.ts',
    find: 'row.checksum === requestChecksum(row) && isSealedFrom(row, updates);',
    replace: "row.checksum !== '';",
    rules: ['I11'],
  },
  {
    name: 'an update is delivered and its setting is not confirmed',
    file: 'app/queue/store.ts',
    find: 'if (owner !== undefined && coupons.length > 0) {',
    replace: 'if (owner !== undefined && coupons.length > 1_000) {',
    rules: ['I4'],
  },
  { name: 'an attempt whose answer found no room counts as open for ever', file: 'app/queue/store.ts', find: '        sql.abandon.run(now);\n        sql.countAttempt', replace: '        sql.countAttempt', rules: ['I4'] },
  {
    name: 'nothing asks before it is sent, however old',
    file: 'app/queue/statements.ts',
    find: "state = 'pending' AND owner_id = ?2 AND created_at < ?1 - ?3",
    replace: "state = 'pending' AND owner_id = ?2 AND created_at < ?1 - ?3 - 1e12",
    rules: ['I14'],
  },
  { name: 'an update asks long before it is old', file: 'app/queue/statements.ts', find: 'created_at < ?1 - ?3 AND is_age_approved = 0', replace: 'created_at < ?1 - ?3 / 10 AND is_age_approved = 0', rules: ['I9'] },
];

const allowance: readonly Plant[] = [
  { name: 'the allowance is forgotten at a restart', file: 'app/budget/budget.ts', find: 'const remembered = log.remember(startMs);', replace: 'const remembered = log.remember(startMs).slice(0, 0);', rules: ['I5'] },
  {
    name: 'a slot cools from its sending on',
    file: 'app/budget/budget.ts',
    find: 'const slot: KeptSlot = { lane: waiter.lane, settledMs: null };',
    replace: 'const slot: KeptSlot = { lane: waiter.lane, settledMs: nowMs };',
    rules: ['I5'],
  },
  { name: 'unsettled slots are free after a restart', file: 'app/budget/store.ts', find: 'settledAt === null ? 0 :', replace: 'settledAt === null ? 60_000 :', rules: ['I5'] },
  { name: 'a window of 57 s', file: 'app/allowance.ts', find: 'windowSeconds * 1000', replace: 'windowSeconds * 950', rules: ['I5'] },
  { name: 'a reboot frees every slot', file: 'app/budget/store.ts', find: '(isSameBoot ? uptimeMs - notedUptimeMs : uptimeMs)', replace: '(isSameBoot ? uptimeMs - notedUptimeMs : 90_000)', rules: ['I5'] },
  { name: 'a 429 that names no time is followed at once', file: 'app/budget/budget.ts', find: 'Math.min(longestPauseMs, Math.max(shortestPauseMs, retryAfterMs ?? defaultPauseMs))', replace: '(retryAfterMs ?? 0)', rules: ['I13'] },
  { name: 'only the queue heeds its 429', file: 'app/queue/queue.ts', find: 'budget.slowDown(outcome.failure.retryAfterMs);', replace: 'moveHold(hold);', rules: ['I13'] },
];

const session: readonly Plant[] = [
  { name: 'two refreshes at once', file: 'app/session/session.ts', find: 'if (renewal === null) {', replace: 'if (renewal === null || generation > 0) {', rules: ['I6'] },
  { name: 'a token is logged', file: 'app/queue/queue.ts', find: "ports.log('sent', { request: request.id,", replace: "ports.log('sent', { accessToken, request: request.id,", rules: ['I7'] },
  { name: "a refresh's new refresh token is forgotten", file: 'app/session/session.ts', find: 'const refresh = answer.refresh_token ?? tokens.refresh;', replace: 'const refresh = tokens.refresh ?? answer.refresh_token ?? null;', rules: ['I12'] },
  { name: 'any trouble with a refresh ends the sign-in', file: 'app/session/session.ts', find: "if (answer.failure.kind === 'credentialsRejected') {", replace: 'if (!answer.ok) {', rules: ['I12'] },
];

/** All planted bugs. */
export const plants: readonly Plant[] = [...keys, ...rows, ...allowance, ...session, ...allowancePlants, ...cataloguePlants];
