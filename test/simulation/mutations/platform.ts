import type { PlantedBugs } from '../mutation.ts';

export const platformMutations: PlantedBugs = {
  'the settings are asked without the company (I2, I3, I4)': { change: ['true', 'false'] },
  'a company that may not be read is read without its name (I4)': {
    change: ["($1 === 'badRequest' || $1 === 'unprocessable')", "$1 !== 'unauthorized'"],
    test: 'test/unit/coupons/refresh.test.ts',
  },
  "settings that name another company are taken for this one's (I4)": {
    change: ['!== $1)', '=== null)'],
    test: 'test/unit/platform/companies.test.ts',
  },
  'a date in Retry-After is read as seconds (A6)': {
    change: ['Math.min($1, Math.max(0, $2 - $3))', 'Math.max(0, ($2 - $3) / 1000)'],
    world: 'counter',
  },
  "a date in Retry-After is compared with this machine's clock (A6)": {
    change: ['$1($2.$3) ??', ''],
    world: 'counter',
  },
  'a renewal that nobody answered goes out under a new key (I12)': {
    change: ['(!$1) { $2.set($3, { $4, $5 })', '(!$1 && $5 > 9) { $2.set($3, { $4, $5 })'],
  },
  'what a machine in between answers spends the key of a renewal (I12)': {
    change: ["&& $1?.$2 === 'unknown' ? $3($4.$5, $6, $1.$7)", "? 'platform'"],
    world: ['renewals through a proxy'],
    seeds: [9],
  },
  "another user's renewal takes the place of the one that is in doubt (I12)": {
    change: ['$1.delete($2)', '$1.clear()'],
    world: ['renewals of two'],
    seeds: [9],
  },
  'a token request carries no key (I4, I8)': { change: [', $1 }', '}'] },
  'a token serves whoever is signed in when it leaves (I10)': {
    change: ['$1($2.$3, $3)', '$3 !== null'],
    world: 'turns',
  },
  'any 4xx ends the session (I12)': {
    change: ["$1 === 401 ? 'byStatus'", "[400, 401, 403, 422].includes($1) ? 'byWords'"],
  },
  'a 401 of any machine ends the session (S2)': {
    change: ["=== 'byWords'", "!== 'none'"],
    test: 'test/unit/platform/token-answer.test.ts',
  },
  'only a code ends the session (I4, I8)': { change: ["$1 === 401 ? 'byStatus' :", ''] },
  'a platform that is silent is online (I29)': { change: 'skip' },
  'a call that did not get through leaves it online (I29)': { change: ['$1, $2', "'open', null"] },
  'a platform that answers again is told as silent still (I29)': { change: 'skip' },
  'faults alone are no outage (W2)': { change: ['>= $1', '< 0'], test: 'test/unit/platform/connection.test.ts' },
  'a refusal for too many requests is not told by the listing (I13, I5)': {
    change: ['$1.$2($3($4.$5).$6)', '$3($4.$5)'],
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
