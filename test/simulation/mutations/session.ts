import type { PlantedBugs } from '../mutation.ts';

export const sessionMutations: PlantedBugs = {
  'two refreshes at once (I6)': { change: ['$1 ??=', '$1 ='] },
  "a refresh's new refresh token is forgotten (I12)": { change: ['$1.$2 ?? $3.$4', '$3.$4 ?? $1.$2 ?? null'] },
  'an open keychain without the entry passes for a locked one (S2)': {
    change: ["'signInNeeded'", "'vaultLocked'"],
    test: 'test/unit/session/session.test.ts',
  },
  'a token that was not moved to its own entry outlives the sign-out (S7)': {
    change: 'skip',
    test: 'test/unit/session/kept-sign-ins.test.ts',
  },
  'any trouble with a refresh ends the sign-in (I12)': { change: ['$1.$2($3.$4)', 'true'] },
  'the sign-ins of two cashiers are kept under one name (S7)': {
    change: ['$1.toLowerCase()', '$1.slice(-12)'],
    test: 'test/unit/session/change-of-user.test.ts',
  },
  'a sign-in that was used beside another is opened a second time when its user comes (S8)': {
    change: ['=== null', '!== undefined'],
    test: 'test/unit/session/kept-sign-ins.test.ts',
  },
  'what a full disk has noted takes the place of a token that comes meanwhile (S9)': {
    change: ['$1 ? $2.$3($4) : $2.$5($4)', '$2.$3($4).then(() => ($1 ? undefined : $2.$5($4)))'],
    test: 'test/unit/session/change-of-user.test.ts',
  },
  'a sign-in that is answered late takes the screen from who has come back meanwhile (S5)': {
    change: 'skip',
    test: 'test/unit/session/change-of-user.test.ts',
  },
  'a renewal beside that the keychain did not take is lost at the end of the run (S8)': {
    change: ['$1.$2() !==', '$1.$2() ==='],
    test: 'test/unit/session/kept-sign-ins.test.ts',
  },
  'a client secret that the keychain did not take is lost at the end of the run (S9)': {
    change: 'skip',
    test: 'test/integration/terminal/profile-sign-ins.test.ts',
  },
  'the older token of who signs in again is looked for while the newer one is being kept (S8)': {
    change: 'skip',
    test: 'test/unit/session/kept-sign-ins.test.ts',
  },
  'what waits for the password goes out all the same (C6)': {
    change: ['? !$1($2) :', '||'],
    test: 'test/unit/session/kept-sign-ins.test.ts',
  },
  'a client secret that was changed ends all sign-ins (S2)': {
    change: ['!$1($2) &&', ''],
    test: 'test/unit/session/kept-sign-ins.test.ts',
  },
  'a 401 of unknown origin ends the session the first time (S2)': {
    change: ['3', '1'],
    test: 'test/unit/session/renewal.test.ts',
  },
  'who signs out while their new token is being kept is thought to have one (S9)': {
    change: 'skip',
    test: 'test/unit/session/kept-sign-ins.test.ts',
  },
};
