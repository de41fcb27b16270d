import type { PlantedBugs } from '../mutation.ts';

const hubRulesTest = 'test/simulation/hub/hub-rules.test.ts';
const documentTest = 'test/unit/hub/document.test.ts';
const hubTest = 'test/simulation/hub/hub.test.ts';
const shopDayTest = 'test/simulation/hub/shop-day.test.ts';
const accountsTest = 'test/simulation/hub/accounts.test.ts';
const lentTurnsTest = 'test/unit/hub/lent-turns.test.ts';

export const hubMutations: PlantedBugs = {
  'nothing is kept for who is cut off (H1)': { change: ['Math.max($1, $2.$3)', '$1'], world: 'hub', seeds: [2] },
  'rows are written beside a terminal that reads none (H1)': {
    change: ['&& $1.$2($3).$4(({ $5 }) => $5)', ''],
    test: 'test/unit/hub/sealed-document.test.ts',
  },
  'all shares rise at once (H1)': { change: ['Math.max(1, $1), $2', 'Math.max(1, $1), $2 + $1'], test: documentTest },
  'what is held and does not count is free (H1)': {
    change: ['$1 + $2 - $3($4)', '0 * ($1 + $2)'],
    world: 'hub',
    seeds: [2],
  },
  'who moves to another hub gives its share back (H1)': { change: ["|| $1 === 'moving'", ''], test: hubRulesTest },
  'the share is lowered after the write (H2)': { change: 'skip', test: hubRulesTest },
  'what was lent is over at once when nobody says so (H3)': { change: ['$1($2)', '25_000'], test: hubRulesTest },
  'what was lent is over by a window of sixty seconds (H1, H3)': {
    change: ['$1 + $2 + $3;', '$1 + Math.min(60_000, $2) + $3;'],
    test: hubRulesTest,
  },
  'the windows that other terminals have set do not count (H1)': {
    change: ['($1) => $1.$2', '() => 0'],
    test: hubRulesTest,
  },
  'a ticket lasts for ever (H4)': { change: ['|| $1 - $2.$3 > $4', ''], test: lentTurnsTest },
  "the hub's time is its server's clock (H5)": {
    change: ['Math.min($1.$2 + $3, $4.$2 + $5)', '$1.$2 + $3'],
    test: documentTest,
  },
  'a clock that was set back hides who is silent (H5)': { change: [', $1.$2 + $3)', ')'], test: documentTest },
  'who is cut off uses its share at once (H6)': { change: ['$1($2())', '30_000'], test: hubTest },
  'an answer that was not believed counts as heard (H6)': {
    change: ['$1.$2, $3: $4.$3, $5: false', '$1.$2, $3: $1.$2, $5: false'],
    test: hubRulesTest,
  },
  'the share is used while it is given back (H7)': { change: ['&& !$1', ''], test: hubRulesTest },
  'all ask again and again while nothing is lent (H8)': { change: ['$1 + (', '0 * $1 + ('], test: hubRulesTest },
  'a loss is not noticed (H8)': { change: ['$1.$2 &&', '$1.$2 ||'], test: hubRulesTest },
  'an old row passes beside a new header (H8)': {
    change: ['$1 === $2($3)', '$1 !== $2.length'],
    test: 'test/unit/hub/sealed-document.test.ts',
  },
  'what a terminal cannot read is lost, whatever its key (H8)': { change: ['!$1.$2()', 'false'], test: hubTest },
  'where no document is, none has been lost (H8)': { change: ['$1 ?', '$1 || true ?'], test: hubRulesTest },
  'a life of the hub is an old one at once (H8)': { change: ['> $1($2)', '>= 0 * $1($2)'], test: hubRulesTest },
  'after a loss it is lent at once (H8)': { change: ['$1: $2.$3 + $4($5($6, $7))', '$1: $2.$1'], test: hubRulesTest },
  'a hub that lends a person nothing is believed (H9)': {
    change: ['$1 ?', '$1 ? 0 * $1 === 0 ||'],
    test: hubRulesTest,
  },
  'a hub that never lends again is believed (H9)': {
    change: ['$1 - $2 <= $3($4) + $5', '0 * ($1 - $2) === 0'],
    test: hubTest,
  },
  'a terminal that does not believe the hub leaves what it is lent (H9)': {
    change: ['$1($2.$3) !== null', '$2.$3 < 0'],
    test: hubRulesTest,
  },
  'the share is not on the disk (H10)': { change: 'skip', test: hubRulesTest },
  'the quickest takes the turn (H11)': { change: ['?.$1 === $1', '!== undefined'], test: documentTest },
  'who holds most goes first (H11)': { change: ['$1.$2 - $3', '$3.$2 - $1'], world: 'hub' },
  'a till takes turns for the background without a pause (H11)': {
    change: ['? 0 : $1 * $2', '? 0 : 0 * $1 * $2'],
    test: shopDayTest,
  },
  'the catalogues take all at once that is left (H13)': { change: ['$1 > 0', 'false'], test: documentTest },
  "a turn of the lost document's time is one to come (H13)": { change: ['$1: 0', '$1: 1e15'], test: documentTest },
  'who copied last is forgotten (H13)': { change: ['$1.$2 : $3.$4', '0 : $3.$4'], test: documentTest },
  'all members write at the same moments (H14)': { change: ['$1 * $2', '0 * $2'], test: documentTest },
  'what another run writes over its record is taken for its own (H16)': {
    change: ['$1 !== null && $2($3, $4, $5.$6)', 'false'],
    test: hubTest,
  },
  'a start gives back what another run with its id has under way (H16)': {
    change: ['$1.$2 && $3 !== undefined ? $4($3, $5, $6) : 0', '0'],
    test: hubTest,
  },
  'figures are never gathered (H15)': { change: ['$1 > 1 && $2 <= $3', 'false'], test: documentTest },
  'figures are asked for beside those of whoever has the turn (H15)': { change: 'skip', test: documentTest },
  'a till goes on wanting what nobody waits for (L1)': { change: 'skip', test: shopDayTest },
  'persons at several terminals wait for each other (L1)': { change: 'skip', test: shopDayTest },
  'each till counts anew since when it waits (L1)': {
    change: ['$1 !== undefined && $2.$3($1 - $4) <= $5 ? $1 : $4', '$4'],
    test: documentTest,
  },
  'a 429 is for one terminal alone (H12)': { change: ['!$1($2.$3, $4)', '$2.$3 > 0'], test: hubRulesTest },
  'a 429 of before a loss has just come (H12)': {
    change: ['...$1($2.$3, $2.$4),', ''],
    test: 'test/unit/hub/shared-refusal.test.ts',
  },
  'a longer pause than the one that the hub knows is told to nobody (H12)': {
    change: ['> $1.$2', '< 0'],
    test: 'test/unit/hub/shared-refusal.test.ts',
  },
  'a right lent for what is spare is used before others of the till (B8)': {
    change: ['($1.length > 0 ? $1 : $2)', '$2'],
    test: lentTurnsTest,
  },
  'tills of all accounts share one limit (H17)': {
    change: ['$1.filter(([, $2]) => $3($2))', '$1'],
    test: accountsTest,
  },
  "those that count by the platform's address leave the others to themselves (H17)": {
    change: ['&& $1.$2(({ $3 }) => $3 !== null)', ''],
    test: accountsTest,
  },
  'who comes to another account brings its rights along (H17)': {
    change: ['$1.$2 ? undefined : $3', '$3'],
    test: 'test/unit/hub/accounts.test.ts',
  },
  'who comes to another account leaves the one before at once (H17)': {
    change: ['$1 ? $2 : $3([$2, ...$4])', '$2'],
    test: accountsTest,
  },
  'who takes part by another id leaves the account before at once (H17)': {
    change: ['$1([$2, $3 === undefined ? $2 : $3])', '$2'],
    test: 'test/unit/hub/memory-store.test.ts',
  },
  'what was kept at one account is used at another (H17)': { change: ['$1($2, $3)', 'true'], test: accountsTest },
};
