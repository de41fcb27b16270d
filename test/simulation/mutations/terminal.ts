import type { PlantedBugs } from '../mutation.ts';

const signInTest = 'test/integration/terminal/sign-in.test.ts';

export const terminalMutations: PlantedBugs = {
  'the next shop answers what was asked at the one before': {
    change: ['$1 === $2($3) ||', "$1.startsWith('[') ||"],
    test: 'test/integration/terminal/profiles.test.ts',
  },
  'what one shop has told stands at the next one': {
    change: 'skip',
    test: 'test/integration/terminal/notices.test.ts',
  },
  'a sign-out that waits for another shop ends the sign-in of the one before alone': {
    change: ['&& $1 !== $2', '&& $1 === $2'],
    test: 'test/integration/terminal/profile-sign-ins.test.ts',
  },
  'a sign-out that waited signs out whoever came meanwhile': {
    change: ['!$1($2, $3.$4.$5().$2)', "$2 === 'nobody'"],
    test: 'test/integration/terminal/cashiers.test.ts',
  },
  'a sign-out that is asked for at a locked till is made once another shop is open': {
    change: ['$1.$2()', 'false'],
    test: 'test/integration/terminal/locked-till.test.ts',
  },
  'a sign-in whose stocks are refused late signs out whoever came meanwhile': {
    change: ['|| $1.$2.$3() !== $3', ''],
    test: 'test/integration/terminal/cashiers.test.ts',
  },
  'a connection that is tried for long is opened under whoever came meanwhile': {
    change: ['$1.$2() !== $3 || $3.$4.$5() !== $5', 'false'],
    test: signInTest,
  },
  'the kept sign-in of another profile is tried while somebody opens that one': {
    change: ['|| $1($2.$3.$4)', ''],
    test: 'test/integration/terminal/profile-sign-ins.test.ts',
  },
  'who leaves a locked till for the first screen puts another connection in the place of its own': {
    change: 'skip',
    test: 'test/integration/terminal/locked-till.test.ts',
  },
  'another company is read under the sign-in behind a lock': {
    change: ['$1($2.$3(', 'false && $1($2.$3('],
    test: 'test/integration/terminal/locked-till.test.ts',
  },
  'who is being signed in puts another connection in the place of the one that PINs lead back to': {
    change: ['|| $1.$2();', ';'],
    test: 'test/integration/terminal/locked-till.test.ts',
  },
  'what is tried and over beside a sign-in lets its user at the screen': {
    change: ['delete($1)', 'clear()'],
    test: 'test/integration/terminal/cashiers.test.ts',
  },
  'whoever sets the last of too many PINs is at the screen of who has come meanwhile': {
    change: ['$1.$2() !== $3 ||', ''],
    test: 'test/integration/terminal/cashiers.test.ts',
  },
  'the request of a trial outlives the rate limit that it counts in': {
    change: ['$1.$2([$3, $4.$5.$6])', '$3'],
    test: 'test/integration/terminal/profile-sign-ins.test.ts',
  },
  'an attempt that another one overtakes leaves its user signed in': { change: ['$1($2)', 'false'], test: signInTest },
  'nobody leaves a shop while the stocks of a sign-in are asked': { change: ['&& !$1.$2()', ''], test: signInTest },
  'closing does not wait for the keychain (I12)': { change: 'skip', world: ['short runs'], seeds: [9] },
  'what a cashier has asked for goes out for longer than their PIN suffices (C6)': {
    change: ['$1($2) && $3($2)', 'true'],
    test: 'test/unit/terminal/cashiers/cashiers.test.ts',
  },
  "the days of practice's settings end the PINs of the terminal": {
    change: ['$1: $1.$2', '$1'],
    test: 'test/integration/terminal/locked-till.test.ts',
  },
  'behind the lock it goes out for longer than their PIN suffices (C6)': {
    change: ['!$1($2)', 'false'],
    test: 'test/unit/terminal/cashiers/cashiers.test.ts',
  },
  'days that are over leave a token where the next one has no PIN (C3)': {
    change: ['} $1();', '$1(); }'],
    test: 'test/unit/terminal/cashiers/cashiers.test.ts',
  },
  'what a cashier has asked for waits until they are back (I8)': {
    change: ['$1($2) &&', 'false &&'],
    world: ['renewals of two'],
    seeds: [9],
  },
  'the days of a PIN are counted by the wall clock (C3)': {
    change: ['$1: $2(), $3,', '$1: $3, $3,'],
    test: 'test/unit/terminal/cashiers/cashiers.test.ts',
  },
  'a sign-in in the future lets in once it is past (C3)': {
    change: ['{ ...$1, $2: null }', '$1'],
    test: 'test/unit/terminal/cashiers/cashiers.test.ts',
  },
  'a clock that is known to be ahead is noted as right (C3)': {
    change: ['- Math.max(0, $1())', ''],
    test: 'test/unit/terminal/cashiers/cashiers.test.ts',
  },
  'the clocks of a PIN are noted at a sign-in and at the end alone (C3)': {
    change: 'skip',
    test: 'test/unit/terminal/cashiers/cashiers.test.ts',
  },
  'a rest at another shop leaves whoever was at the screen there (C1)': {
    change: ['$1.$2 === $3.$2() &&', ''],
    test: 'test/unit/terminal/cashiers/cashiers.test.ts',
  },
  'a rest ends nothing where nobody can be locked (C1)': {
    change: ['!$1() && $2($3()), $4: () => { $5();', '!$1() && $2($3()), $4: () => { if (!$1() && $2($3())) { $5(); }'],
    test: 'test/unit/terminal/cashiers/cashiers.test.ts',
  },
  'whom the platform has refused is at the screen still (C1)': {
    change: ['&& $1.$2 === $3.$2;', ';'],
    test: 'test/unit/terminal/cashiers/cashiers.test.ts',
  },
  'who did what names nobody (I26)': {
    change: ['$1.$2() ? null : ($3?.$4.$5().$6 ?? null)', 'null'],
    world: ['changeover'],
  },
  'a company is opened under the name of the one before (I10)': {
    change: [
      "await $1.$2(); const $3 = $4.$5($6, $7); $8.$9({ $10: 'platform' }); const $11 = await $1.$12($6); if ($13) { await $14($11, $6.$15); }",
      "const $11 = await $1.$12($6); if ($13) { await $14($11, $6.$15); } const $3 = $4.$5($6, $7); $8.$9({ $10: 'platform' });",
    ],
    test: 'test/simulation/change-of-company.test.ts',
  },
  'practice writes the list of the terminal': {
    change: ['? $1 : $2)', '? $2 : $2)'],
    test: 'test/integration/terminal/practice-own.test.ts',
  },
  'a next try is told that waits for a sign-in (I29)': {
    change: [', $1: null', ''],
    test: 'test/unit/terminal/workspace/connection-state.test.ts',
  },
  'a locked keychain is no reason to sign in (I29)': {
    change: ['|| $1.$2 !== null', ''],
    test: 'test/unit/terminal/workspace/connection-state.test.ts',
  },
  'an answer counts as told what the page may drop from it': {
    change: ['$1.get($2.$3) ??', ''],
    test: 'test/unit/terminal/cards/shown-cards.test.ts',
  },
  'what a shop opened first is closed first': {
    change: ['$1.$2(0).toReversed()', '$1.$2(0)'],
    test: 'test/unit/terminal/workspace/context.test.ts',
  },
};
