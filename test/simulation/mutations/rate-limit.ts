import type { PlantedBugs } from '../mutation.ts';

const accountsTest = 'test/unit/rate-limit/accounts.test.ts';

export const rateLimitMutations: PlantedBugs = {
  'the catalogue ignores the reserve (A2)': { change: ['($1.$2 > 0 ? $3 : $4)', '0'], world: 'counter' },
  'the shares of the lower lanes are ignored (A3)': {
    change: ['Math.min($1, Math.floor($2 * $3))', '0 * Math.min($1, $2 * $3)'],
    world: 'counter',
  },
  'a cancelled waiter is still given its slot (A2, A3, A7, A9)': { change: ['$1.$2', 'resolve'], world: 'counter' },
  'whoever has the whole part and is refused keeps nothing for a newcomer, nor as one (B7, C4)': {
    change: ['$1;', '$1 - 1e12;'],
    test: 'test/simulation/account/fairness.test.ts',
  },
  'slots that count are forgotten (A1)': { change: ['($1)', '($1 + 1e9)'], world: 'counter' },
  'a window that is made longer has forgotten what came free (A1)': {
    change: [
      '+ $1 > $2); const $3 = $4 === -1 ? $5.length : $4; if ($3 >= $6)',
      '+ 60_000 > $2); const $3 = $4 === -1 ? $5.length : $4; if ($3 > 0)',
    ],
    world: 'counter',
  },
  'the newest question always goes first (A7)': {
    change: ['($1.find(({ $2 }) => $3 - $2 >= $4) ?? $1.at(-1))', '$1.at(-1)'],
    world: 'counter',
  },
  'a 429 pauses, and shrinks nothing (A8)': { change: ['!$1', '!$1 || $1'], world: 'counter' },
  'the rate limit is back within a minute after a 429 (A8)': { change: ['6.8', '0.3'], world: 'counter' },
  'the rate limit never grows beyond where it was refused (A9)': { change: ['1 / 20', '0'], world: 'counter' },
  'what is spare leaves only the reserve free (A10)': {
    change: ['- 1 >= Math.max($1, $2 / 2)', '> $1'],
    world: 'counter',
  },
  'what is spare goes while others wait (A2, A3, A10)': {
    change: ['$1.filter(({ $2 }) => $2 !== true)', '$1'],
    world: 'counter',
  },
  'an abandoned slot is free a window after its abandonment (A1)': { change: ['120_000', '0'], world: 'counter' },
  'the rate limit is forgotten at a restart (I5)': {
    change: ['(const { $1, ...$2 } of $3.$4($5))', '(const { $1, ...$2 } of $3.$4($5).slice(0, 0))'],
  },
  'a slot cools from its sending on (I5)': {
    change: [
      '=> $1($2), $3: () => { $4($2, false);',
      '=> { try { return $1($2); } finally { $4($2, false); } }, $3: () => { $4($2, false);',
    ],
  },
  'unsettled slots are free after a restart (I5)': { change: ['-$1', '60_000'] },
  'a window of 57 s (I5)': { change: ['1000', '950'], seeds: [6] },
  'a reboot frees every slot (I5)': { change: [': $1)', ': 90_000)'] },
  'a 429 that names no time is followed at once': {
    change: ['Math.min($1, Math.max($2, $3 ?? $4))', '($3 ?? 0)'],
    test: 'test/unit/rate-limit/rate-limit.test.ts',
  },
  'a restart forgets the pause after a 429 (I13)': { change: ['Math.max(0, $1 - $2)', '0 * ($1 - $2)'] },
  'a restart forgets the shrunk part (I21)': { change: ['= $1?.$2 ??', '='] },
  'settled slots wait for the next request, however many they are (B2)': {
    change: ['> $1', '< 0'],
    test: 'test/unit/rate-limit/rate-limit.test.ts',
  },
  'a 429 is forgotten at once (I22)': { change: ['=> $1', '=> Number.NEGATIVE_INFINITY'], seeds: [14] },
  'a granted slot may leave at any time (H4)': {
    change: ['$1.$2', '$1.$2 + 86_400_000'],
    test: 'test/simulation/hub/hub-rules.test.ts',
  },
  'a slot is not on the disk when its request leaves (H10)': {
    change: ['$1.$2($3.$4, $5, $6 > 0)', '1'],
    test: 'test/simulation/hub/hub-rules.test.ts',
  },
  'another terminal ends a pause that is longer than its own (B7)': {
    change: ['Math.max($1.$2, $3.$4() - $5)', '$1.$2'],
    test: 'test/unit/rate-limit/what-lasts.test.ts',
  },
  'slots of another account count here (B9)': {
    change: ['$1 === 0 ? $2.$3(({ $4 }) => $4 !== true) : $2', '$2'],
    test: accountsTest,
  },
  'slots that were sent for every account count at none but their own (B9)': {
    change: ['$1 !== null && $2 !== null &&', ''],
    test: accountsTest,
  },
  "a request at another account counts at the open shop's alone (B9)": {
    change: ['$1 ? null : $2', '$2'],
    test: accountsTest,
  },
};
