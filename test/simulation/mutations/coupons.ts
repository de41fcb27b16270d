import type { PlantedBugs } from '../mutation.ts';

export const couponsMutations: PlantedBugs = {
  'what another till delivered earlier takes the place of what this one has delivered': {
    change: ['$1 >= $2', 'false'],
    test: 'test/unit/coupons/heard-late.test.ts',
  },
  'of what two tills have delivered the one that is heard last counts': {
    change: ['($1.get($2)?.$3 ?? $3) <= $3', 'true'],
    test: 'test/unit/coupons/shared-coupons.test.ts',
  },
  'what was delivered before a loss of the hub lies in its time that begins anew': {
    change: ['$1 - $2 < $3 ? $1 : $2', '$1'],
    test: 'test/unit/coupons/shared-coupons.test.ts',
  },
  'what another till delivers while the settings are read is lost': {
    change: [' || $1.$2 > $3', ''],
    test: 'test/unit/coupons/delivered-while-reading.test.ts',
  },
  'what another till has said stands in the lists after a reading that changes no row': {
    change: ['$1($2).$3 - $4.$3', '0'],
    test: 'test/unit/coupons/repository.test.ts',
  },
  'a company that refuses its name is read without it though this till knows another (I4)': {
    change: ['|| $1()', ''],
    test: 'test/unit/coupons/refresh.test.ts',
  },
  'what was told without a name is kept though another company has come to be known (I4)': {
    change: ['&& !$1()', ''],
    test: 'test/unit/coupons/refresh.test.ts',
  },
  'what an earlier run was told without a name stays though another company has come to be known (I4)': {
    change: ['$1.$2($3) && $4()', '$1.$2($3) && false'],
    test: 'test/integration/coupons/companies.test.ts',
  },
  'a plan that a clock ahead calls over is removed to make room': {
    change: ['$1.$2($3, $4 - $5 + $6)', '$3'],
    test: 'test/unit/coupons/planner.test.ts',
  },
  'what a plan has missed is told nobody (I24)': { change: ["'missed'", "'left'"], world: ['planned'] },
  "a set's search finds what stocks have that it was not saved in (P4)": {
    change: ['$1($2, $3.$4)', "$1($2, ['1201', '1202'])"],
    test: 'test/integration/coupons/searched-stocks.test.ts',
  },
  'the mark of a moment and its updates are in two transactions (P1)': {
    change: ['return $1.$2(', 'return (($1) => $1())('],
    test: 'test/unit/coupons/planner.test.ts',
  },
  'what a plan has switched on stays on where its set cannot be looked up (P5)': {
    change: ['$1.$2 > 0', '$1.$2 > 1e9'],
    test: 'test/unit/coupons/planner.test.ts',
  },
  'a plan leaves on what its set has lost since (P5)': {
    change: ['!== null', '=== null'],
    test: 'test/unit/coupons/planner.test.ts',
  },
  'a plan leaves out what an old reading shows to be so already (I28)': {
    change: ['false', 'true'],
    world: ['planned'],
  },
  'many switched at once leave out what an old reading shows to be so already (M5)': {
    change: ["$1 === 'sending' ||", "$1 === 'sending' || $1 === 'confirmed' ||"],
    test: 'test/unit/coupons/old-reading.test.ts',
  },
  'a weekly plan counts from when a clock that was ahead says that it was made (I24)': {
    change: ['- $1.$2', ''],
    world: ['planned'],
  },
  'what a clock ahead has made is not made on the real day (P1)': {
    change: ['3', '3 AND ?3 < 0'],
    test: 'test/unit/coupons/planner.test.ts',
  },
};
