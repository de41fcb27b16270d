import type { PlantedBugs } from '../mutation.ts';

const accountsTest = 'test/unit/rate-limit/accounts.test.ts';

export const rateLimitMutations: PlantedBugs = {
  'the catalogue ignores the reserve': { change: ['($1.$2 > 0 ? $3 : $4)', '0'], rules: ['A2'], world: 'counter' },
  'the shares of the lower lanes are ignored': {
    change: ['Math.min($1, Math.floor($2 * $3))', '0 * Math.min($1, $2 * $3)'],
    rules: ['A3'],
    world: 'counter',
  },
  'a cancelled waiter is still given its slot': {
    change: ['$1.$2', 'resolve'],
    rules: ['A2', 'A3', 'A7', 'A9'],
    world: 'counter',
  },
  'whoever has the whole part and is refused keeps nothing for a newcomer, nor as one (C4)': {
    change: ['$1;', '$1 - 1e12;'],
    rules: ['B7'],
    test: 'test/simulation/account/fairness.test.ts',
  },
  'slots that count are forgotten': { change: ['($1)', '($1 + 1e9)'], rules: ['A1'], world: 'counter' },
  'a window that is made longer has forgotten what came free': {
    change: [
      '+ $1 > $2); const $3 = $4 === -1 ? $5.length : $4; if ($3 >= $6)',
      '+ 60_000 > $2); const $3 = $4 === -1 ? $5.length : $4; if ($3 > 0)',
    ],
    rules: ['A1'],
    world: 'counter',
  },
  'the newest question always goes first': {
    change: ['($1.find(({ $2 }) => $3 - $2 >= $4) ?? $1.at(-1))', '$1.at(-1)'],
    rules: ['A7'],
    world: 'counter',
  },
  'a 429 pauses, and shrinks nothing': { change: ['!$1', '!$1 || $1'], rules: ['A8'], world: 'counter' },
  'the rate limit is back within a minute after a 429': { change: ['6.8', '0.3'], rules: ['A8'], world: 'counter' },
  'the rate limit never grows beyond where it was refused': {
    change: ['1 / 20', '0'],
    rules: ['A9'],
    world: 'counter',
  },
  'what is spare leaves only the reserve free': {
    change: ['- 1 >= Math.max($1, $2 / 2)', '> $1'],
    rules: ['A10'],
    world: 'counter',
  },
  'what is spare goes while others wait': {
    change: ['$1.filter(({ $2 }) => $2 !== true)', '$1'],
    rules: ['A2', 'A3', 'A10'],
    world: 'counter',
  },
  'an abandoned slot is free a window after its abandonment': {
    change: ['120_000', '0'],
    rules: ['A1'],
    world: 'counter',
  },
  'the rate limit is forgotten at a restart': {
    change: ['(const { $1, ...$2 } of $3.$4($5))', '(const { $1, ...$2 } of $3.$4($5).slice(0, 0))'],
    rules: ['I5'],
  },
  'a slot cools from its sending on': {
    change: [
      '=> $1($2), $3: () => { $4($2, false);',
      '=> { try { return $1($2); } finally { $4($2, false); } }, $3: () => { $4($2, false);',
    ],
    rules: ['I5'],
  },
  'unsettled slots are free after a restart': { change: ['-$1', '60_000'], rules: ['I5'] },
  'a window of 57 s': { change: ['1000', '950'], rules: ['I5'], seeds: [6] },
  'a reboot frees every slot': { change: [': $1)', ': 90_000)'], rules: ['I5'] },
  'a 429 that names no time is followed at once': {
    change: ['Math.min($1, Math.max($2, $3 ?? $4))', '($3 ?? 0)'],
    test: 'test/unit/rate-limit/rate-limit.test.ts',
  },
  'a restart forgets the pause after a 429': { change: ['Math.max(0, $1 - $2)', '0 * ($1 - $2)'], rules: ['I13'] },
  'a restart forgets the shrunk part': { change: ['= $1?.$2 ??', '='], rules: ['I21'] },
  'settled slots wait for the next request, however many they are': {
    change: ['> $1', '< 0'],
    rules: ['B2'],
    test: 'test/unit/rate-limit/rate-limit.test.ts',
  },
  'a 429 is forgotten at once': { change: ['=> $1', '=> Number.NEGATIVE_INFINITY'], rules: ['I22'], seeds: [14] },
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
