import type { PlantedBugs } from '../mutation.ts';

export const queueMutations: PlantedBugs = {
  'a new key on every retry (I2)': {
    change: [
      '($1 && !$2($3, $4, $5)) { return $6($3, $4, $7($3.$8) !== undefined)',
      '($1 && !$2($3, $4, $5) && $7($3.$8) === undefined) { return $6($3, $4, $7($3.$8) !== undefined)',
    ],
  },
  'no answer dissolves the request (I2)': {
    change: ["'sendAgain', $1: 'network', $2: false", "'sealAnew', $1: 'platform'"],
  },
  'the key is kept after an answer (I2)': {
    change: [
      "$1 ? { $2: 'halve', $3: true } : { $2: 'sealAnew', $4: 'platform', $3: true",
      "{ $2: 'sendAgain', $4: 'network'",
    ],
  },
  'nothing is read after a 5xx (I2)': { change: [': true };', ': false };'] },
  'the echo is ignored (I2)': { change: ['$1.$2 <', '$1.$2 >'] },
  'a key is never poisoned (I8)': { change: ['$1)', 'Number.MAX_SAFE_INTEGER)'] },
  'the page of a captive portal is a success (I2, I4)': { change: ["'none'", "'other'"] },
  'a 401 parks (I9)': {
    change: ["{ $1: 'sealAnew', $2", "$2 === 'signIn' ? { $1: 'parkAll' } : { $1: 'sealAnew', $2"],
  },
  'a 401 proves that an earlier sending had no effect (I2, I3)': {
    change: ['$1, $2:', "$1, $2: $1 !== 'signIn' &&"],
    seeds: [218],
  },
  'a restoration that nobody answered is put before a person at once (I9)': { change: ['&& $1($2, $3)', ''] },
  'what one client has sent goes out under its key by another (I2)': { change: ['$1.$2 === 1 ||', ''], seeds: [10] },
  'a restoration that may be done goes out under a new key (I2)': {
    change: ['$1 && $2', 'false && $2'],
    world: ['fleeting users'],
  },
  'what an altered request may yet do is not waited for (I3, I2)': {
    change: ['$1 ? 0 : $2.$3($4.$5, $6)', '0'],
    world: ['bad disk'],
  },
  'a restoration that may be done is told as refused (I9)': { change: ["$1 ? 'parkMaybeDone' :", ''] },
  'the items of a 422 always count from 0 (I9)': { change: ['[0, 1].find($1)', '0'] },
  'the items of a 422 are believed without a value (I9)': {
    change: ['$1.some(({ $2 }) => $2 !== null)', '$1.length > 0'],
  },
  'an update is told what was refused of another one': {
    change: ['$1($2.indexOf($3), $4, $5)', '$4'],
    test: 'test/unit/queue/repository.test.ts',
  },
  'an answer that names another key counts at once (I2)': { change: ["!== 'ours'", "=== 'none'"] },
  "the settings that wait are compared with an unnamed company's (I2, I3, I4, I9)": {
    change: ["'listCouponSettings'", "'listSettingsOfUnnamedCompany'"],
    world: ['two shops'],
  },
  "what a plan of several tills made too late undoes a person's change (P7)": {
    change: ['!== null &&', '!== null && false &&'],
    test: 'test/unit/shop-lists/shop-lists.test.ts',
  },
  'what another user has overtaken goes out where the settings cannot be read (I3)': {
    change: 'skip',
    world: ['contention'],
  },
  'a key of more than 100 characters (I8)': { change: [', $1.$2(), $3.', ', $1.$2().repeat(3), $3.'] },
  'a newer update supersedes a sealed one (I2)': { change: ['parked', "sealed', 'parked"] },
  'a request is sealed without its first update (I2)': { change: ['of $1)', 'of $1.slice(1))'] },
  'an update is acknowledged before it is kept (I1, I4)': {
    change: [
      "$1($2.$3($4), $5.$6()) ? $7(undefined) : $8({ $9: 'queueFull' })",
      '(Promise.resolve().then(() => $1($2.$3($4), $5.$6())).catch(() => null), $7(undefined))',
    ],
  },
  'updates are deleted at the start (I1)': {
    change: [
      '$1.$2(…)',
      '[$1.$2("DELETE FROM updates WHERE state = \'pending\' AND attempts = 0 AND id % 7 = 0").get(), $1.$2(…)][1]',
    ],
  },
  'what waits is given up when nobody is signed in (I1)': {
    change: [
      '($1: $2) { const $3 = $1.$4< … $5 .all($6) .map(({',
      "($1: $2) { const $3 = $1.$4< … ($6 === 0 && $1.$4(\"UPDATE updates SET state = 'discarded' WHERE state = 'pending'\").get(), $5) .all($6) .map(({",
    ],
  },
  'an older update goes back beside a newer one (I2, I3)': { change: ['=== undefined', '!== null'] },
  'an update overtakes an older one of another who can send, too (Q12)': {
    change: ['< updates.', '< -updates.'],
    test: 'test/unit/queue/kept-senders.test.ts',
  },
  'what was asked for upon the waiting update of another is a conflict with it (Q12)': {
    change: 'skip',
    test: 'test/unit/queue/kept-senders.test.ts',
  },
  'the request of one user has no answer, and that of another is sent meanwhile (Q12)': {
    change: ['Number($1.$2) - Number($3.$2) || $3', '$3'],
    test: 'test/unit/queue/kept-senders.test.ts',
  },
  'what one user alone has no answer to holds up everybody for ever (Q13)': {
    change: ['($1.$2) - Number($3.$2) || Number($3.$4)', '($3.$4)'],
    test: 'test/unit/queue/kept-senders.test.ts',
  },
  'the renewal of one user has no answer and holds up everybody for ever (Q13)': {
    change: 'skip',
    test: 'test/unit/queue/kept-senders.test.ts',
  },
  'the trouble of one sign-in holds up everybody (Q13)': {
    change: ['($1($2)) { $3.$4($5, $2)', '($1($2) && $5 < 0) { $3.$4($5, $2)'],
    test: 'test/unit/queue/kept-senders.test.ts',
  },
  'what waits for another company is said to wait for a sign-in (Q14)': {
    change: ['($1) ?', '($1) !== null ?'],
    test: 'test/unit/queue/kept-senders.test.ts',
  },
  'what waits behind a locked keychain is told to go out (Q14)': {
    change: ['[] : [$1.$2.$3]', '[$1.$2.$3] : [$1.$2.$3]'],
    test: 'test/unit/queue/kept-senders.test.ts',
  },
  "another user's updates are sealed, too (I10)": {
    change: [
      'owner_id = ?1',
      '(owner_id = ?1 OR owner_id IN (SELECT theirs.id FROM owners AS theirs JOIN owners AS mine USING (platform, company_id) WHERE mine.id = ?1))',
    ],
  },
  "another company's updates are sealed, too (I10)": {
    change: [
      'owner_id = ?1',
      '(owner_id = ?1 OR owner_id IN (SELECT theirs.id FROM owners AS theirs JOIN owners AS mine USING (platform, email) WHERE mine.id = ?1))',
    ],
  },
  'what was given up stands again beside what was asked for since (I2, I3, I4)': { change: ['|| $1($2)', ''] },
  'what was given up and stands again is never sent (I4, I8)': {
    change: [
      "${$1('?2')}",
      '?2 IS NOT NULL AND (checked_steady_ms IS NOT NULL OR attempts > 0 OR changed_at = created_at)',
    ],
  },
  'a conflict is never detected (I3)': { change: ["'conflict'", "'send'"] },
  'a conflict overwrites (I3)': { change: ["$1 === 'conflict'", 'false'] },
  'a newer update of another user overtakes nothing (I3)': { change: ['$1.$2.$3($4.$5, $4.$6, $4.$7); $1.', '$1.'] },
  'an overtaken update forgets that it is (I3)': { change: ['> updates.id', '< 0'] },
  "one's own change in doubt is taken for somebody else's (I9)": { change: ['$1 && $2.$3 !== $2.$4 ? null :', ''] },
  'the checksum of an update is never checked (I11)': { change: ['=== $1($2)', '.length > 0'] },
  'an altered request is sent (I11)': { change: ['=== $1($2) && $3($2, $4)', "!== ''"] },
  'an update is delivered and its setting is not confirmed (I4)': { change: ['0', '1_000'] },
  'an attempt whose answer found no room counts as open for ever (I4)': {
    change: ['$1.$2.$3($4); $1.', '$1.'],
    test: 'test/unit/queue/repository.test.ts',
  },
  'nothing asks before it is sent, however old (I14)': { change: ["'?4'", "'?4 + 1e12'"] },
  'an update that asks for its age forgets what it may have done (Q9)': {
    change: ["|| $1.$2 === 'old'", ''],
    test: 'test/unit/queue/age.test.ts',
  },
  'ages are counted by the wall clock (I1, I2, I9, I14)': { change: ['$1() - Math.max(0, $2.$3() - $4)', '$4'] },
  'a clock that was lost between two runs says what passed (I2)': { change: ['+ $1', ''], seeds: [932281309] },
  'a change is made beside clocks that nobody noted since they were set': {
    change: 'skip',
    test: 'test/unit/queue/steady-time.test.ts',
  },
  'another shop of the same run forgets its time (I2)': {
    change: ['=== undefined', '!== null'],
    test: 'test/unit/queue/steady-time.test.ts',
  },
  'what left before an unknown span has long arrived (I3)': {
    change: [
      "NOT (${$1('attempts.sent_steady_ms', '?2', String($2))})",
      'attempts.sent_steady_ms BETWEEN ?2 - ${$2} AND ?2',
    ],
    test: 'test/unit/queue/steady-time.test.ts',
  },
  'a failure of a middlebox counts as the platform’s answer to the key (Q6)': {
    change: ['"echo":"ours"%', ''],
    test: 'test/unit/queue/damaged-rows.test.ts',
  },
  'a time-out that a middlebox tells of ends the sending (Q6)': {
    change: ['AND NOT (FALSE ${$1})', ''],
    test: 'test/unit/queue/damaged-rows.test.ts',
  },
  'a restart that counts a little too short gives keys up (Q4)': {
    change: ['-$1', '0'],
    test: 'test/unit/queue/steady-time.test.ts',
  },
  'what an earlier run sent is waited for until the clock has passed it (I3)': {
    change: ['$1.$2 <= $3 ? $4 :', ''],
    test: 'test/unit/queue/steady-time.test.ts',
  },
  'what was stamped after the clocks were noted is old after an unknown span (I1, I9)': { change: ['/ 2', ''] },
  'a clock that was set is taken for time that passed by the next run (I1, I2, I9)': {
    change: ['> $1)', '> $1 * 1e9)'],
  },
  'an update asks long before it is old (I9)': { change: ["'?4'", "'?4 / 10'"] },
  'what is shown to be so already is sent without a reading (M5)': {
    change: ['CASE WHEN value ->> 1 IS ?2 THEN NULL ELSE ?5 END', '?5'],
    test: 'test/unit/coupons/old-reading.test.ts',
  },
  'only the queue heeds its 429 (I13)': { change: 'skip' },
  'a token is logged (I7)': { change: ["$1: $2, $3: $4): … $5('sent', {", "$1: $2, $3: $4): … $5('sent', { $1,"] },
  'what was sent is sending until it is delivered (I29)': { change: ['.$1(() => $2.$3(null))', ''] },
  'what is settled is known by its number alone (Q15)': {
    change: [" || '.' || substr(checksum, 1, 12)", ''],
    test: 'test/unit/queue/settled.test.ts',
  },
  'what a copy settles that goes on below the numbers of a lost one is forgotten (Q15)': {
    change: ['...$1($2).slice(0, $3)]);', '...$2]).slice(0, $3);'],
    test: 'test/unit/queue/settled.test.ts',
  },
  'what was settled before the hub lost something is not found (Q15)': {
    change: [", 'everyEpoch'", ''],
    test: 'test/unit/queue/settled.test.ts',
  },
  'what may stand again counts as settled (Q15)': {
    change: ["${$1('over_steady_ms', '?1', '?2')}", '?1 > ?2'],
    test: 'test/unit/queue/settled.test.ts',
  },
  'what waits goes out before it is known what this till has settled (Q15)': {
    change: ['$1 > 0', '$1 < 0'],
    test: 'test/unit/queue/settled.test.ts',
  },
};
