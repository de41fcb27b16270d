import type { PlantedBugs } from '../mutation.ts';

export const queueMutations: PlantedBugs = {
  'a new key on every retry': {
    change: [
      '($1 && !$2($3, $4, $5)) { return $6($3, $4, $7.$8.get($3.$9) !== undefined)',
      '($1 && !$2($3, $4, $5) && $7.$8.get($3.$9) === undefined) { return $6($3, $4, $7.$8.get($3.$9) !== undefined)',
    ],
    rules: ['I2'],
  },
  'no answer dissolves the request': {
    change: ["'sendAgain', $1: 'network', $2: false", "'sealAnew', $1: 'platform'"],
    rules: ['I2'],
  },
  'the key is kept after an answer': {
    change: [
      "$1 ? { $2: 'halve', $3: true } : { $2: 'sealAnew', $4: 'platform', $3: true",
      "{ $2: 'sendAgain', $4: 'network'",
    ],
    rules: ['I2'],
  },
  'nothing is read after a 5xx': { change: [': true };', ': false };'], rules: ['I2'] },
  'the echo is ignored': { change: ['$1.$2 <', '$1.$2 >'], rules: ['I2'] },
  'a key is never poisoned': { change: ['$1)', 'Number.MAX_SAFE_INTEGER)'], rules: ['I8'] },
  'the page of a captive portal is a success': { change: ["'none'", "'other'"], rules: ['I2', 'I4'] },
  'a 401 parks': {
    change: ["{ $1: 'sealAnew', $2", "$2 === 'signIn' ? { $1: 'parkAll' } : { $1: 'sealAnew', $2"],
    rules: ['I9'],
  },
  'a 401 proves that an earlier sending had no effect': {
    change: ['$1, $2:', "$1, $2: $1 !== 'signIn' &&"],
    rules: ['I2', 'I3'],
    seeds: [218],
  },
  'a restoration that nobody answered is put before a person at once': {
    change: ['&& !$1($2, $3, $4.$5, $6)', ''],
    rules: ['I9'],
  },
  'a restoration that may be done goes out under a new key': {
    change: ['$1 && $2', 'false && $2'],
    rules: ['I2'],
    world: ['fleeting users'],
  },
  'what an altered request may yet do is not waited for': {
    change: ['$1 ? 0 : $2.$3($4.$5, $6)', '0'],
    rules: ['I3', 'I2'],
    world: ['bad disk'],
  },
  'a restoration that may be done is told as refused': { change: ["$1 ? 'parkMaybeDone' :", ''], rules: ['I9'] },
  'the items of a 422 always count from 0': { change: ['[0, 1].find($1)', '0'], rules: ['I9'] },
  'the items of a 422 are believed without a value': {
    change: ['$1.some(({ $2 }) => $2 !== null)', '$1.length > 0'],
    rules: ['I9'],
  },
  'an answer that names another key counts at once': { change: ["!== 'ours'", "=== 'none'"], rules: ['I2'] },
  "the settings that wait are compared with an unnamed company's": {
    change: ["'listCouponSettings'", "'listSettingsOfUnnamedCompany'"],
    rules: ['I2', 'I3', 'I4', 'I9'],
    world: ['two shops'],
  },
  "what a plan of several tills made too late undoes a person's change": {
    change: ['!== null &&', '!== null && false &&'],
    rules: ['P7'],
    test: 'test/unit/shop-lists/shop-lists.test.ts',
  },
  'what another user has overtaken goes out where the settings cannot be read': {
    change: 'skip',
    rules: ['I3'],
    world: ['contention'],
  },
  'a key of more than 100 characters': { change: [', $1.$2(), $3.', ', $1.$2().repeat(3), $3.'], rules: ['I8'] },
  'a newer update supersedes a sealed one': { change: ['parked', "sealed', 'parked"], rules: ['I2'] },
  'a request is sealed without its first update': { change: ['of $1)', 'of $1.slice(1))'], rules: ['I2'] },
  'an update is acknowledged before it is kept': {
    change: [
      "$1($2.$3($4), $5.$6()) ? $7(undefined) : $8({ $9: 'queueFull' })",
      '(Promise.resolve().then(() => $1($2.$3($4), $5.$6())).catch(() => null), $7(undefined))',
    ],
    rules: ['I1', 'I4'],
  },
  'updates are deleted at the start': {
    change: [
      '$1.$2(…)',
      '[$1.$2("DELETE FROM updates WHERE state = \'pending\' AND attempts = 0 AND id % 7 = 0").get(), $1.$2(…)][1]',
    ],
    rules: ['I1'],
  },
  'what waits is given up when nobody is signed in': {
    change: [
      '($1: $2) { const $3 = $1.$4< … $5 .all($6) .map(({',
      "($1: $2) { const $3 = $1.$4< … ($6 === 0 && $1.$4(\"UPDATE updates SET state = 'discarded' WHERE state = 'pending'\").get(), $5) .all($6) .map(({",
    ],
    rules: ['I1'],
  },
  'an older update goes back beside a newer one': { change: ['=== undefined', '!== null'], rules: ['I2', 'I3'] },
  'an update overtakes an older one of another who can send, too': {
    change: ['< updates.', '< -updates.'],
    rules: ['Q12'],
    test: 'test/unit/queue/kept-senders.test.ts',
  },
  'what was asked for upon the waiting update of another is a conflict with it': {
    change: 'skip',
    rules: ['Q12'],
    test: 'test/unit/queue/kept-senders.test.ts',
  },
  'the request of one user has no answer, and that of another is sent meanwhile': {
    change: ['Number($1.$2) - Number($3.$2) || $3', '$3'],
    rules: ['Q12'],
    test: 'test/unit/queue/kept-senders.test.ts',
  },
  'what one user alone has no answer to holds up everybody for ever': {
    change: ['($1.$2) - Number($3.$2) || Number($3.$4)', '($3.$4)'],
    rules: ['Q13'],
    test: 'test/unit/queue/kept-senders.test.ts',
  },
  'the renewal of one user has no answer and holds up everybody for ever': {
    change: 'skip',
    rules: ['Q13'],
    test: 'test/unit/queue/kept-senders.test.ts',
  },
  'the trouble of one sign-in holds up everybody': {
    change: ['($1($2)) { $3.$4($5, $2)', '($1($2) && $5 < 0) { $3.$4($5, $2)'],
    rules: ['Q13'],
    test: 'test/unit/queue/kept-senders.test.ts',
  },
  'what waits for another company is said to wait for a sign-in': {
    change: ['($1) ?', '($1) !== null ?'],
    rules: ['Q14'],
    test: 'test/unit/queue/kept-senders.test.ts',
  },
  'what waits behind a locked keychain is told to go out': {
    change: ['[] : [$1.$2.$3]', '[$1.$2.$3] : [$1.$2.$3]'],
    rules: ['Q14'],
    test: 'test/unit/queue/kept-senders.test.ts',
  },
  "another user's updates are sealed, too": {
    change: [
      'owner_id = ?1',
      '(owner_id = ?1 OR owner_id IN (SELECT theirs.id FROM owners AS theirs JOIN owners AS mine USING (platform, company_id) WHERE mine.id = ?1))',
    ],
    rules: ['I10'],
  },
  "another company's updates are sealed, too": {
    change: [
      'owner_id = ?1',
      '(owner_id = ?1 OR owner_id IN (SELECT theirs.id FROM owners AS theirs JOIN owners AS mine USING (platform, email) WHERE mine.id = ?1))',
    ],
    rules: ['I10'],
  },
  'what was given up stands again beside what was asked for since': {
    change: ['|| $1($2)', ''],
    rules: ['I2', 'I3', 'I4'],
  },
  'what was given up and stands again is never sent': {
    change: [
      "${$1('?2')}",
      '?2 IS NOT NULL AND (checked_steady_ms IS NOT NULL OR attempts > 0 OR changed_at = created_at)',
    ],
    rules: ['I4', 'I8'],
  },
  'a conflict is never detected': { change: ["'conflict'", "'send'"], rules: ['I3'] },
  'a conflict overwrites': { change: ["$1 === 'conflict'", 'false'], rules: ['I3'] },
  'a newer update of another user overtakes nothing': {
    change: ['$1.$2.$3($4.$5, $4.$6, $4.$7); $1.', '$1.'],
    rules: ['I3'],
  },
  'an overtaken update forgets that it is': { change: ['> updates.id', '< 0'], rules: ['I3'] },
  "one's own change in doubt is taken for somebody else's": {
    change: ['$1 && $2.$3 !== $2.$4 ? null :', ''],
    rules: ['I9'],
  },
  'the checksum of an update is never checked': { change: ['=== $1($2)', '.length > 0'], rules: ['I11'] },
  'an altered request is sent': { change: ['=== $1($2) && $3($2, $4)', "!== ''"], rules: ['I11'] },
  'an update is delivered and its setting is not confirmed': { change: ['0', '1_000'], rules: ['I4'] },
  'an attempt whose answer found no room counts as open for ever': {
    change: ['$1.$2.$3($4); $1.', '$1.'],
    rules: ['I4'],
    test: 'test/unit/queue/repository.test.ts',
  },
  'nothing asks before it is sent, however old': { change: ["'?4'", "'?4 + 1e12'"], rules: ['I14'] },
  'an update that asks for its age forgets what it may have done': {
    change: ["|| $1.$2 === 'old'", ''],
    rules: ['Q9'],
    test: 'test/unit/queue/age.test.ts',
  },
  'ages are counted by the wall clock': {
    change: ['$1() - Math.max(0, $2.$3() - $4)', '$4'],
    rules: ['I1', 'I2', 'I9', 'I14'],
  },
  'a clock that was lost between two runs says what passed': {
    change: ['+ $1', ''],
    rules: ['I2'],
    seeds: [932281309],
  },
  'a change is made beside clocks that nobody noted since they were set': {
    change: 'skip',
    test: 'test/unit/queue/steady-time.test.ts',
  },
  'another shop of the same run forgets its time': {
    change: ['=== undefined', '!== null'],
    rules: ['I2'],
    test: 'test/unit/queue/steady-time.test.ts',
  },
  'what left before an unknown span has long arrived': {
    change: [
      "NOT (${$1('attempts.sent_steady_ms', '?2', String($2))})",
      'attempts.sent_steady_ms BETWEEN ?2 - ${$2} AND ?2',
    ],
    rules: ['I3'],
    test: 'test/unit/queue/steady-time.test.ts',
  },
  'a failure of a middlebox counts as the platform’s answer to the key': {
    change: ['"echo":"ours"%', ''],
    rules: ['Q6'],
    test: 'test/unit/queue/damaged-rows.test.ts',
  },
  'a time-out that a middlebox tells of ends the sending': {
    change: ['AND NOT (FALSE ${$1})', ''],
    rules: ['Q6'],
    test: 'test/unit/queue/damaged-rows.test.ts',
  },
  'a restart that counts a little too short gives keys up': {
    change: ['-$1', '0'],
    rules: ['Q4'],
    test: 'test/unit/queue/steady-time.test.ts',
  },
  'what an earlier run sent is waited for until the clock has passed it': {
    change: ['$1.$2 <= $3 ? $4 :', ''],
    rules: ['I3'],
    test: 'test/unit/queue/steady-time.test.ts',
  },
  'what was stamped after the clocks were noted is old after an unknown span': {
    change: ['/ 2', ''],
    rules: ['I1', 'I9'],
  },
  'a clock that was set is taken for time that passed by the next run': {
    change: ['> $1)', '> $1 * 1e9)'],
    rules: ['I1', 'I2', 'I9'],
  },
  'an update asks long before it is old': { change: ["'?4'", "'?4 / 10'"], rules: ['I9'] },
  'what is shown to be so already is sent without a reading': {
    change: ['CASE WHEN value ->> 1 IS ?2 THEN NULL ELSE ?5 END', '?5'],
    rules: ['M5'],
    test: 'test/unit/coupons/old-reading.test.ts',
  },
  'only the queue heeds its 429': { change: 'skip', rules: ['I13'] },
  'a token is logged': {
    change: ["$1: $2, $3: $4): … $5('sent', {", "$1: $2, $3: $4): … $5('sent', { $1,"],
    rules: ['I7'],
  },
  'what was sent is sending until it is delivered': { change: ['.$1(() => $2.$3(null))', ''], rules: ['I29'] },
  'what is settled is known by its number alone': {
    change: [" || '.' || substr(checksum, 1, 12)", ''],
    rules: ['Q15'],
    test: 'test/unit/queue/settled.test.ts',
  },
  'what was settled before the hub lost something is not found': {
    change: [", 'everyEpoch'", ''],
    rules: ['Q15'],
    test: 'test/unit/queue/settled.test.ts',
  },
  'what may stand again counts as settled': {
    change: ["${$1('over_steady_ms', '?1', '?2')}", '?1 > ?2'],
    rules: ['Q15'],
    test: 'test/unit/queue/settled.test.ts',
  },
  'what waits goes out before it is known what this till has settled': {
    change: ['$1 > 0', '$1 < 0'],
    rules: ['Q15'],
    test: 'test/unit/queue/settled.test.ts',
  },
};
