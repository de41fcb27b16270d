import type { PlantedBugs } from '../mutation.ts';

const lookupTest = 'test/unit/catalogue/lookup/lookup.test.ts';

export const catalogueMutations: PlantedBugs = {
  'a code that leads to another product in the copy shows it': {
    change: 'skip',
    test: 'test/unit/catalogue/repository/proven-codes.test.ts',
  },
  'a row of the changes that has moved up past the place that was read stays as it was (P3)': {
    change: ['&& $1.$2 < $3', '&& $1.$2 < 0'],
    test: 'test/unit/catalogue/sync/sync-lies.test.ts',
  },
  'a stock that a full disk kept out is never copied': {
    change: 'skip',
    test: 'test/unit/catalogue/repository/refused-opening.test.ts',
  },
  'what moves to the next page and changes is joined to what it was': {
    change: ['? 1 : 2', '? 1 : 1'],
    test: 'test/unit/catalogue/repository/rows-of-product.test.ts',
  },
  'an answer of one stock counts for another (K3)': {
    change: ['every(', 'some('],
    test: 'test/unit/catalogue/lookup/aliases.test.ts',
  },
  'changes are asked for without an overlap (I15)': { change: ['120_000', '0'] },
  "changes are timed by this machine's clock alone (I15)": { change: ['Math.min($1, Math.max($2, $1 - $3))', '$2'] },
  'a moment of a clock that was ahead is believed': {
    change: ['$1 <= $2', 'true'],
    test: 'test/unit/catalogue/sync/sync-lies.test.ts',
  },
  'changes of the last days alone are taken for refused while nothing changes': {
    change: ['$1.get($2)', '$1.get(undefined)'],
    test: 'test/unit/catalogue/sync/narrow-questions.test.ts',
  },
  'a filter that is always answered with 404 is taken for one that nothing fits': {
    change: 'skip',
    test: 'test/unit/catalogue/sync/narrow-questions.test.ts',
  },
  'no changes are asked for after a full listing (I15, I16)': {
    change: ['($1 !== null || $2 !== null)', '$1 !== null'],
  },
  'a pass over changes ends with its first page (I15)': { change: ['$1 ?', '!$1 || $1 ?'] },
  'nothing that vanished is ever swept (I16)': { change: ['0 ?', '1e9 ?'] },
  'an old listing is put over a newer live figure (I18)': { change: ['($1, $2, $3)', '($1, null, $3)'] },
  'a figure from before the clock was set back stays (I15)': { change: ['$1;', '$1 + 1e12;'] },
  'a figure is noted as of when it was stored (I18)': { change: ['$1, $2: $3.', '$1: $1 + 3_600_000, $2: $3.'] },
  'a label that a product no longer has still finds it (I17)': { change: ['$1)', '-$1)'] },
  'a fragment of a code is learnt as the code (I17)': { change: ['$1($2, $3)', '$1($2, $3) || true'] },
  'pages that were read ahead are taken in from the last one on (I15, I16)': {
    change: ['$1($2.$3($4.$5), $6, $7),', '$1($2.$3($4.$5), $6, $7)) .toReversed('],
  },
  "a till that is refused a stock joins others' questions (H15)": {
    change: ['=== null', '!== undefined'],
    test: 'test/unit/catalogue/lookup/live-figures.test.ts',
  },
  'a platform that lists nothing by ids is asked for a listing each time (H15)': {
    change: 'skip',
    test: 'test/unit/catalogue/lookup/live-figures.test.ts',
  },
  'what others wait for is not shared with them (H15)': {
    change: 'skip',
    test: 'test/unit/catalogue/lookup/shared-answers.test.ts',
  },
  'a figure from before it was asked for answers a scan (H15)': {
    change: ['&& $1 >= $2 - $3', ''],
    test: 'test/unit/catalogue/lookup/live-figures.test.ts',
  },
  'a figure of a part stays beside all rows of the product': {
    change: ['$1.$2 > 1', '$1.$2 > 99'],
    test: 'test/unit/catalogue/repository/rows-of-product.test.ts',
  },
  'a product that was renamed keeps its name (I15, I16)': { change: ['!== null &&', '=== undefined &&'] },
  'a full listing is over with the page before its last (I15, I16)': { change: ['&& $1', '- 1'] },
  'an outage puts the next changes off (I15)': {
    change: ['Math.min(Math.max(0, $1 - $2), $3 * $4)', 'Math.max(0, $1 - $2, $3 - $4)'],
  },
  'during an outage the copy goes on asking (I15)': {
    change: ['$1()', 'null'],
    test: 'test/unit/catalogue/sync/sync-failures.test.ts',
  },
  'what waited for the connection does not go on when it returns (I15)': {
    change: 'skip',
    test: 'test/unit/catalogue/sync/sync-failures.test.ts',
  },
  'what a listing did not show is removed without asking for it (I15)': {
    change: ['$1.filter(($2) => !$3.includes($2)) : []', '$1 : $3'],
  },
  'a failure of what is no longer due is waited for (I15)': {
    change: ['$1.$2(new', 'new Set(new'],
    test: 'test/unit/catalogue/sync/sync-failures.test.ts',
  },
  'a row is jumped over at its first failure (I15)': { change: ['3, $1: 8', '1, $1: 1'] },
  'a row that moved to an earlier page is lost (I15)': {
    change: ['(0, ($1.$2 ?? $3.$4) - $3.$4)', '(0, $3.$4 - ($1.$2 ?? $3.$4), -1) * 0'],
  },
  'a page that has gone is asked for until it comes back (I15, I16)': { change: ['!== $1', "=== ''"] },
  'a stock that is refused once counts as refused (I15)': {
    change: ['&& $1.has($2)', '&& !$1.has($2)'],
    test: 'test/unit/catalogue/sync/sync-failures.test.ts',
  },
  'a stock that is refused here is taken from the others': {
    change: ['=== null &&', '!== undefined &&'],
    test: 'test/unit/catalogue/sync/shared-pages.test.ts',
  },
  'a listing that is asked for makes the copy incomplete (I20)': {
    change: ['...$1', '...Object.fromEntries(Object.keys($1).map(($1) => [$1, null]))'],
  },
  'what is shown of a copy begins anew with each listing (I20)': {
    change: ['$1.$2?.$3 … $4: $1.$4', '$1.$2?.$3 … $4: $1.$2 === null ? $1.$4 : null'],
  },
  'what cannot be read is not counted (I16)': { change: ['1', '0'] },
  'what could not be read counts for ever (I16)': { change: ['$1.$2.$3)', '0)'] },
  'what nothing names counts anew where changes show it (I16)': { change: ['pass DESC,', ''] },
  'a product that became unreadable is taken for one that vanished': {
    change: ['? $1 === 0 :', '||'],
    test: 'test/unit/catalogue/sync/unreadable.test.ts',
  },
  'a code is learned though a product that it may mean could not be read': {
    change: ['&& $1 === 0', ''],
    test: 'test/unit/catalogue/lookup/asking.test.ts',
  },
  'a refused stock counts as the whole catalogue': { change: ['$1 > 0', '$1 < 0'], test: lookupTest },
  'a miss does not say what could not be read': {
    change: ['$1.reduce(($2, $3) => $2 + $3.$4, 0)', '0 * $1.length'],
    test: 'test/unit/catalogue/lookup/asking.test.ts',
  },
  'a product counts as changed when only zeros came to its numbers': {
    change: ['!$1.$2($3)', '$1 !== $3'],
    test: 'test/unit/catalogue/repository/shown-fields.test.ts',
  },
  "a scale's label with a weight means what is sold by the piece as well (C7)": {
    change: ["!$1('netWeightKg')", 'true'],
    test: 'test/unit/catalogue/lookup/label-choices.test.ts',
  },
  "a scale's label with pieces means what is sold by weight as well (C7)": {
    change: ["!$1('pieces')", 'true'],
    test: 'test/unit/catalogue/lookup/label-choices.test.ts',
  },
  "what was chosen for a scale's label answers among products that it was not chosen among (S1)": {
    change: ['$1.every(($2) => $3.$4.includes($2)) ? $3 : null', '$3'],
    test: 'test/unit/catalogue/lookup/label-choices.test.ts',
  },
  "what is left over answers for what was chosen for a scale's label and has gone (S2)": {
    change: ["'gone'", 'null'],
    test: 'test/unit/catalogue/lookup/label-choices.test.ts',
  },
  "an older choice for a scale's label stays beside the newer one (S3)": {
    change: ['[...$1, ...$2]', '$2'],
    test: 'test/unit/catalogue/lookup/label-choices.test.ts',
  },
  "an answer does not say that a person chose it for a scale's label (C8)": {
    change: ['{ ...$1.$2, $3: $4.at }', '$1.$2'],
    test: 'test/unit/catalogue/lookup/label-choices.test.ts',
  },
  'a code that two products share shows the cards of both (K7)': { change: ['$1 ?', '$1 || !$1 ?'], test: lookupTest },
  'what a part of the copy finds is not asked for (K8)': {
    change: ['&& $1($2)', '&& false'],
    test: 'test/unit/catalogue/lookup/asking.test.ts',
  },
  'the recent lookups forget which of several was chosen (K7)': { change: ['[$1]', '[]'], test: lookupTest },
  'what a cashier has turned away from is sent all the same (A4)': {
    change: ['$1.abort(); $1', '$1'],
    world: 'counter',
  },
  'two questions at once are one, whatever they ask (A5)': { change: ['`${$1}/${$2}`', '$1'], world: 'counter' },
  'patience grows with each 429 that names no pause (S5)': {
    change: ['$1 ? $2 : $2 + 1', '$2 + Number($1 || !$1)'],
    test: 'test/unit/catalogue/sync/retries.test.ts',
  },
  'a copy that cannot be written to makes way once it is open': {
    change: ['$1.$2)', 'true)'],
    test: 'test/unit/catalogue/repository/refused-opening.test.ts',
  },
  'a copy whose progress cannot be mended is not read': {
    change: ['$1(() => $2.$3({ $4 }, $5))', '$2.$3({ $4 }, $5)'],
    test: 'test/unit/catalogue/repository/refused-opening.test.ts',
  },
};
