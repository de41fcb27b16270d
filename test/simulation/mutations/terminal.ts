import type { Mutation } from '../mutation.ts';

export const terminalMutations: readonly Mutation[] = [
  {
    name: 'a sign-out that waits for another store ends the sign-in of the one before alone',
    file: 'app/terminal/profiles/sign-in-calls.ts',
    find: 'now !== null && now !== open && now',
    replace: 'now !== null && now === open && now',
    rules: ['I10'],
    world: ['changeover', 'two shops'],
  },
  {
    name: 'a sign-out that waited signs out whoever came meanwhile',
    file: 'app/terminal/profiles/sign-in-calls.ts',
    find: 'if (!isSameUser(email, open.session.state().email)) {',
    replace: "if (email === 'nobody') {",
    rules: [],
    test: 'test/integration/terminal/cashiers.test.ts',
  },
  {
    name: 'closing does not wait for the keychain',
    file: 'app/terminal/workspace/platform-access.ts',
    find: '  onClose(() => session.settle());\n',
    replace: '',
    rules: ['I12'],
    world: ['short runs'],
    seeds: [9],
  },
  {
    name: 'what a cashier has asked for goes out for longer than their PIN suffices',
    file: 'app/terminal/cashiers/cashiers.ts',
    find: 'hasPin(one) && canComeBack(one))),',
    replace: 'one.email.length > 0)),',
    rules: ['C6'],
    test: 'test/unit/terminal/cashiers/cashiers.test.ts',
  },
  {
    name: 'behind the lock it goes out for longer than their PIN suffices',
    file: 'app/terminal/cashiers/cashiers.ts',
    find: 'isLocked() && !canComeBack(cashier);',
    replace: 'isLocked() && cashier.vaultName.length === 0;',
    rules: ['C6'],
    test: 'test/unit/terminal/cashiers/cashiers.test.ts',
  },
  {
    name: 'days that are over leave a token where the next one has no PIN',
    file: 'app/terminal/cashiers/cashiers.ts',
    find: '        comes(now.vaultName, now.email);\n      }\n      releaseOver();',
    replace: '        comes(now.vaultName, now.email);\n        releaseOver();\n      }',
    rules: ['C3'],
    test: 'test/unit/terminal/cashiers/cashiers.test.ts',
  },
  {
    name: 'what a cashier has asked for waits until they are back',
    file: 'app/terminal/cashiers/cashiers.ts',
    find: 'emailsOf(kept.of(vaultName).filter((one) => hasPin(one)',
    replace: "emailsOf(kept.of(vaultName).filter((one) => one.email === '' && hasPin(one)",
    rules: ['I8'],
    world: ['renewals of two'],
    seeds: [9],
  },
  {
    name: 'the days of a PIN are counted by the wall clock',
    file: 'app/terminal/cashiers/cashier-time.ts',
    find: 'startMs + Math.floor(clock.uptimeMs() - uptimeAtStartMs)',
    replace: 'clock.now()',
    rules: ['C3'],
    test: 'test/unit/terminal/cashiers/cashiers.test.ts',
  },
  {
    name: 'a sign-in in the future lets in once it is past',
    file: 'app/terminal/cashiers/cashier-time.ts',
    find: '{ ...one, signedInAt: null } : one',
    replace: 'one : one',
    rules: ['C3'],
    test: 'test/unit/terminal/cashiers/cashiers.test.ts',
  },
  {
    name: 'a clock that is known to be ahead is noted as right',
    file: 'app/terminal/cashiers/cashier-time.ts',
    find: 'clock.now() - Math.max(0, aheadMs())',
    replace: 'clock.now()',
    rules: ['C3'],
    test: 'test/unit/terminal/cashiers/cashiers.test.ts',
  },
  {
    name: 'the clocks of a PIN are noted at a sign-in and at the end alone',
    file: 'app/terminal/cashiers/cashier-time.ts',
    find: '      timer = clock.after(notedEveryMs, note);\n',
    replace: '',
    rules: ['C3'],
    test: 'test/unit/terminal/cashiers/cashiers.test.ts',
  },
  {
    name: 'a rest at another store leaves whoever was at the screen there',
    file: 'app/terminal/cashiers/cashiers.ts',
    find: '        present.stay === store.stay() &&\n',
    replace: '',
    rules: ['C1'],
    test: 'test/unit/terminal/cashiers/cashiers.test.ts',
  },
  {
    name: 'a rest ends nothing where nobody can be locked',
    file: 'app/terminal/cashiers/calls.ts',
    find: '    cashiers.lock();\n',
    replace: '    if (cashiers.canLock()) {\n      cashiers.lock();\n    }\n',
    rules: ['C1'],
    test: 'test/unit/terminal/cashiers/cashiers.test.ts',
  },
  {
    name: 'whom the platform has refused is at the screen still',
    file: 'app/terminal/cashiers/cashiers.ts',
    find: 'isSameUser(present.email, now.email) &&\n        present.signedInAt === now.signedInAt;',
    replace: 'isSameUser(present.email, now.email);',
    rules: ['C1'],
    test: 'test/unit/terminal/cashiers/cashiers.test.ts',
  },
  {
    name: 'who did what names the cashier who is listed first',
    file: 'app/terminal/manager-lock.ts',
    find: 'email: cashiers.isLocked() ? null : (workspace',
    replace: 'email: settings.get().cashiers[0]?.email ?? (workspace',
    rules: ['I26'],
    world: ['changeover'],
  },
  {
    name: 'a company is opened under the name of the one before',
    file: 'app/terminal/profiles/calls.ts',
    find: `      await store.close();
      const profile = profiles.keep(draft, replacedId);
      settings.change({ mode: 'platform' });
      const workspace = await store.openPlatform(draft);
      if (keepsSignIn) {
        await restore(workspace, draft.vaultName);
      }
`,
    replace: `      const workspace = await store.openPlatform(draft);
      if (keepsSignIn) {
        await restore(workspace, draft.vaultName);
      }
      const profile = profiles.keep(draft, replacedId);
      settings.change({ mode: 'platform' });
`,
    rules: ['I10'],
    test: 'test/simulation/change-of-company.test.ts',
  },
  {
    name: 'practice writes the list of the terminal',
    file: 'app/terminal/manager-lock.ts',
    find: '(isPractice ? ofPractice : audit)',
    replace: '(isPractice ? audit : audit)',
    rules: [],
    test: 'test/integration/terminal/practice-own.test.ts',
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
    file: 'app/terminal/cards/shown-cards.ts',
    find: 'const told = shown.get(key) ?? card;',
    replace: 'const told = card;',
    rules: [],
    test: 'test/unit/terminal/cards/shown-cards.test.ts',
  },
  {
    name: 'what a store opened first is closed first',
    file: 'app/terminal/workspace/context.ts',
    find: 'opened.splice(0).toReversed()',
    replace: 'opened.splice(0)',
    rules: [],
    test: 'test/unit/terminal/workspace/context.test.ts',
  },
];
