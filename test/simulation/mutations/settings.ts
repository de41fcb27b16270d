import type { Mutation } from '../mutation.ts';

export const settingsMutations: readonly Mutation[] = [
  {
    name: "a setting made in practice is the terminal's",
    file: 'app/settings/settings.ts',
    find: 'open = openPractice(terminal);',
    replace: 'open = terminal;',
    rules: ['I31'],
    isPressed: true,
  },
  {
    name: 'a setting made in practice stays',
    file: 'app/settings/settings.ts',
    find: 'if (open !== terminal) {',
    replace: 'if (open === terminal) {',
    rules: [],
    test: 'test/integration/terminal/practice-own.test.ts',
  },
];
