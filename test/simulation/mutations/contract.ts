import type { Mutation } from '../mutation.ts';

export const contractMutations: readonly Mutation[] = [
  {
    name: 'the sign-in of practice opens what belongs to the terminal',
    file: 'app/contract/access.ts',
    find: "practice: 'managesStore', profile: 'manager' } as const;",
    replace: "practice: 'manager', profile: 'manager' } as const;",
    rules: [],
    test: 'test/integration/terminal/access.test.ts',
  },
  {
    name: 'settings can be changed while a store is changed',
    file: 'app/contract/access.ts',
    find: "const managed = { none: 'signedIn',",
    replace: "const managed = { none: 'managesStore',",
    rules: [],
    test: 'test/integration/terminal/practice-own.test.ts',
  },
  {
    name: 'what the PIN of the terminal holds passes in practice',
    file: 'app/contract/access.ts',
    find: "return 'notInPractice'; // A5",
    replace: "return 'passes'; // A5",
    rules: [],
    test: 'test/integration/terminal/practice-own.test.ts',
  },
  {
    name: 'the first screen gives everything though a profile exists',
    file: 'app/contract/access.ts',
    find: "if (profiles === 0 && open !== 'profile') {",
    replace: "if (open === 'none') {",
    rules: [],
    test: 'test/integration/terminal/access.test.ts',
  },
];
