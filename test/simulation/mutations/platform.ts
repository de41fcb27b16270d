import type { PlantedBugs } from '../mutation.ts';

export const platformMutations: PlantedBugs = {
  'the settings are asked without the company': { change: ['true', 'false'], rules: ['I2', 'I3', 'I4'] },
  'a company that may not be read is read without its name': {
    change: ["($1 === 'badRequest' || $1 === 'unprocessable')", "$1 !== 'unauthorized'"],
    rules: ['I4'],
    test: 'test/unit/coupons/refresh.test.ts',
  },
  "settings that name another company are taken for this one's": {
    change: ['!== $1)', '=== null)'],
    rules: ['I4'],
    test: 'test/unit/platform/companies.test.ts',
  },
  'a date in Retry-After is read as seconds': {
    change: ['Math.min($1, Math.max(0, $2 - $3))', 'Math.max(0, ($2 - $3) / 1000)'],
    rules: ['A6'],
    world: 'counter',
  },
  "a date in Retry-After is compared with this machine's clock": {
    change: ['$1($2.$3) ??', ''],
    rules: ['A6'],
    world: 'counter',
  },
  'a renewal that nobody answered goes out under a new key': {
    change: ['(!$1) { $2.set($3, { $4, $5 })', '(!$1 && $5 > 9) { $2.set($3, { $4, $5 })'],
    rules: ['I12'],
  },
  'what a machine in between answers spends the key of a renewal': {
    change: ["&& $1?.$2 === 'unknown' ? $3($4.$5, $6, $1.$7)", "? 'platform'"],
    rules: ['I12'],
    world: ['renewals through a proxy'],
    seeds: [9],
  },
  "another user's renewal takes the place of the one that is in doubt": {
    change: ['$1.delete($2)', '$1.clear()'],
    rules: ['I12'],
    world: ['renewals of two'],
    seeds: [9],
  },
  'a token request carries no key': { change: [', $1 }', '}'], rules: ['I4', 'I8'] },
  'a token serves whoever is signed in when it leaves': {
    change: ['$1($2.$3, $3)', '$3 !== null'],
    rules: ['I10'],
    world: 'turns',
  },
  'any 4xx ends the session': {
    change: ["$1 === 401 ? 'byStatus'", "[400, 401, 403, 422].includes($1) ? 'byWords'"],
    rules: ['I12'],
  },
  'a 401 of any machine ends the session': {
    change: ["=== 'byWords'", "!== 'none'"],
    rules: ['S2'],
    test: 'test/unit/platform/token-answer.test.ts',
  },
  'only a code ends the session': { change: ["$1 === 401 ? 'byStatus' :", ''], rules: ['I4', 'I8'] },
  'a platform that is silent is online': { change: 'skip', rules: ['I29'] },
  'a call that did not get through leaves it online': { change: ['$1, $2', "'open', null"], rules: ['I29'] },
  'a platform that answers again is told as silent still': { change: 'skip', rules: ['I29'] },
  'faults alone are no outage (W2)': { change: ['>= $1', '< 0'], test: 'test/unit/platform/connection.test.ts' },
  'a refusal for too many requests is not told by the listing': {
    change: ['$1.$2($3($4.$5).$6)', '$3($4.$5)'],
    rules: ['I13', 'I5'],
  },
  'an element of the listing is read anew whenever its product is asked for': {
    change: ['(this.#$1 ??= $2(this.#$3))', '$2(this.#$3) ?? this.#$1'],
    test: 'test/unit/platform/listing/listed-element.test.ts',
  },
  "others' figures are not asked for with one's own (H15)": {
    change: ['...$1.$2($3)', ''],
    test: 'test/unit/platform/figures.test.ts',
  },
  'of several rows of one product the last one stands for it': {
    change: ['!$1', 'false'],
    test: 'test/unit/platform/listing/listed-element.test.ts',
  },
  'a price loses the zero at its end': {
    change: ['$1($2, $3, $4)', '$4'],
    test: 'test/unit/platform/listing/shown-fields.test.ts',
  },
};
