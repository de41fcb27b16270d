import type { PlantedBugs } from '../mutation.ts';

export const sessionMutations: PlantedBugs = {
  'two refreshes at once': { change: ['$1 ??=', '$1 ='], rules: ['I6'] },
  "a refresh's new refresh token is forgotten": {
    change: ['$1.$2 ?? $3.$4', '$3.$4 ?? $1.$2 ?? null'],
    rules: ['I12'],
  },
  'an open keychain without the entry passes for a locked one': {
    change: ["'signInNeeded'", "'vaultLocked'"],
    rules: ['S2'],
    test: 'test/unit/session/session.test.ts',
  },
  'a token that was not moved to its own entry outlives the sign-out': {
    change: [', $1', ''],
    rules: ['S7'],
    test: 'test/unit/session/kept-sign-ins.test.ts',
  },
  'any trouble with a refresh ends the sign-in': { change: ['$1.$2($3.$4)', 'true'], rules: ['I12'] },
  'the sign-ins of two cashiers are kept under one name': {
    change: ['$1.toLowerCase()', '$1.slice(-12)'],
    rules: ['S7'],
    test: 'test/unit/session/change-of-user.test.ts',
  },
  'a sign-in that was used beside another is opened a second time when its user comes': {
    change: ['=== null', '!== undefined'],
    rules: ['S8'],
    test: 'test/unit/session/kept-sign-ins.test.ts',
  },
  'a sign-in that is answered late takes the screen from who has come back meanwhile': {
    change: 'skip',
    rules: ['S5'],
    test: 'test/unit/session/change-of-user.test.ts',
  },
  'a renewal beside that the keychain did not take is lost at the end of the run': {
    change: ['$1.$2() !==', '$1.$2() ==='],
    rules: ['S8'],
    test: 'test/unit/session/kept-sign-ins.test.ts',
  },
  'a client secret that the keychain did not take is lost at the end of the run': {
    change: 'skip',
    rules: ['S9'],
    test: 'test/integration/terminal/profile-sign-ins.test.ts',
  },
  'the older token of who signs in again is looked for while the newer one is being kept': {
    change: 'skip',
    rules: ['S8'],
    test: 'test/unit/session/kept-sign-ins.test.ts',
  },
  'what waits for the password goes out all the same': {
    change: ['? !$1($2) :', '||'],
    rules: ['C6'],
    test: 'test/unit/session/kept-sign-ins.test.ts',
  },
  'a client secret that was changed ends all sign-ins': {
    change: ['!$1($2) &&', ''],
    rules: ['S2'],
    test: 'test/unit/session/kept-sign-ins.test.ts',
  },
  'a 401 of unknown origin ends the session the first time': {
    change: ['3', '1'],
    rules: ['S2'],
    test: 'test/unit/session/renewal.test.ts',
  },
};
