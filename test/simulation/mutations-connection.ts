import type { Mutation } from './mutation.ts';

export const connectionMutations: readonly Mutation[] = [
  {
    name: 'what was sent is sending until it is delivered',
    file: 'app/queue/sender.ts',
    find: '.finally(() => store.setUnderWay(null))',
    replace: '',
    rules: ['I29'],
  },
  {
    name: 'a platform that is silent is online',
    file: 'app/platform/connection.ts',
    find: '      silence.begin(call);\n',
    replace: '',
    rules: ['I29'],
  },
  {
    name: 'a call that did not get through leaves it online',
    file: 'app/platform/connection.ts',
    find: 'move(meaning, failure);',
    replace: "move('open', null);",
    rules: ['I29'],
  },
  {
    name: 'a platform that answers again is told as silent still',
    file: 'app/platform/connection.ts',
    find: "move('open', null);",
    replace: 'gate.answer();',
    rules: ['I29'],
  },
  {
    name: 'faults alone are no outage (W2)',
    file: 'app/platform/connection.ts',
    find: 'if (faults >= faultsOfOutage ||',
    replace: 'if (faults < 0 ||',
    rules: ['W2'],
    test: 'test/unit/platform/connection.test.ts',
  },
  {
    name: 'a next try is told that waits for a sign-in',
    file: 'app/terminal/workspace/connection-state.ts',
    find: 'heldBy: state, nextTryAt: null',
    replace: 'heldBy: state',
    rules: ['I29'],
    test: 'test/unit/terminal/workspace/connection-state.test.ts',
  },
  {
    name: 'a locked keychain is no reason to sign in',
    file: 'app/terminal/workspace/connection-state.ts',
    find: "session.state !== 'signedIn' || session.failure !== null",
    replace: "session.state !== 'signedIn'",
    rules: ['I29'],
    test: 'test/unit/terminal/workspace/connection-state.test.ts',
  },
  {
    name: 'an answer counts as told what the page may drop from it',
    file: 'app/terminal/workspace/shown-cards.ts',
    find: 'const told = shown.get(key) ?? card;',
    replace: 'const told = card;',
    rules: [],
    test: 'test/unit/terminal/workspace/shown-cards.test.ts',
  },
];
