import type { Mutation } from '../mutation.ts';

export const hostsMutations: readonly Mutation[] = [
  {
    name: 'a file that was signed by a clock ahead is taken',
    file: 'app/hosts/provisioning/published.ts',
    find: 'if (isAhead(at)) {',
    replace: 'if (isAhead(at) && at < 0) {',
    rules: ['P6'],
    test: 'test/unit/hosts/provisioning/offered.test.ts',
  },
  {
    name: 'a file with a stamp ahead blocks right ones for ever',
    file: 'app/hosts/provisioning/published.ts',
    find: '    !isAhead(before.signed.at) &&\n',
    replace: '',
    rules: ['P6'],
    test: 'test/unit/hosts/provisioning/offered.test.ts',
  },
];
