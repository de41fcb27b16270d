import type { Mutation } from './mutation.ts';

export const sessionMutations: readonly Mutation[] = [
  {
    name: 'two refreshes at once',
    file: 'app/session/sign-in.ts',
    find: 'underWay ??= request()',
    replace: 'underWay = request()',
    rules: ['I6'],
  },
  {
    name: 'a sign-out that waits for another store ends the sign-in of the one before alone',
    file: 'app/terminal/sign-in-handlers.ts',
    find: 'now !== null && now !== open && now',
    replace: 'now !== null && now === open && now',
    rules: ['I10'],
    world: ['changeover', 'two shops'],
  },
  {
    name: 'a token is logged',
    file: 'app/queue/sender.ts',
    find: 'request: request.id,',
    replace: 'accessToken,\n      request: request.id,',
    rules: ['I7'],
  },
  {
    name: "a refresh's new refresh token is forgotten",
    file: 'app/session/sign-in.ts',
    find: 'const refresh = answer.refresh_token ?? tokens.refresh;',
    replace: 'const refresh = tokens.refresh ?? answer.refresh_token ?? null;',
    rules: ['I12'],
  },
  {
    name: 'an open keychain without the entry passes for a locked one',
    file: 'app/session/session.ts',
    find: "(await isMissing(vault, name)) ? 'signInNeeded' : 'vaultLocked'",
    replace: "(await isMissing(vault, name)) ? 'vaultLocked' : 'vaultLocked'",
    rules: ['I8'],
    seeds: [156],
  },
  {
    name: 'closing does not wait for the keychain',
    file: 'app/terminal/workspace.ts',
    find: '      await session.settle();\n',
    replace: '',
    rules: ['I12'],
    world: ['short runs'],
    seeds: [9],
  },
  {
    name: 'a renewal that nobody answered goes out under a new key',
    file: 'app/platform/token-keys.ts',
    find: 'open = isSpent ?',
    replace: 'open = isSpent || answers < 9 ?',
    rules: ['I12'],
  },
  {
    name: 'what a machine in between answers spends the key of a renewal',
    file: 'app/platform/token-keys.ts',
    find: "(source === 'unknown' ? 0 : 1)",
    replace: '(answer.ok ? 1 : 0)',
    rules: ['I12'],
    world: ['renewals through a proxy'],
    seeds: [9],
  },
  {
    name: 'a token request carries no key',
    file: 'app/platform/tokens.ts',
    find: "path: '/oauth/token', body, idempotencyKey }",
    replace: "path: '/oauth/token', body }",
    rules: ['I4', 'I8'],
  },
  {
    name: 'any trouble with a refresh ends the sign-in',
    file: 'app/session/sign-in.ts',
    find: "if (answer.failure.kind === 'credentialsRejected') {",
    replace: 'if (!answer.ok) {',
    rules: ['I12'],
  },
  {
    name: 'a token serves whoever is signed in when it leaves',
    file: 'app/platform/access-token.ts',
    find: 'user !== null && token.user.toLowerCase() === user.toLowerCase()',
    replace: 'user !== null',
    rules: ['I10'],
    world: 'turns',
  },
  {
    name: 'the sign-ins of two cashiers are kept under one name',
    file: 'app/session/session.ts',
    find: '`${refreshTokenName} ${email.toLowerCase()}`',
    replace: '`${refreshTokenName} ${email.slice(-12)}`',
    rules: ['S7'],
    test: 'test/unit/session/change-of-user.test.ts',
  },
  {
    name: 'the days of a PIN are counted by the wall clock',
    file: 'app/terminal/cashier-time.ts',
    find: 'startMs + Math.floor(clock.uptimeMs() - uptimeAtStartMs)',
    replace: 'clock.now()',
    rules: ['C3'],
    test: 'test/unit/terminal/cashiers.test.ts',
  },
  {
    name: 'a sign-in in the future lets in once it is past',
    file: 'app/terminal/cashier-time.ts',
    find: '{ ...one, signedInAt: null } : one',
    replace: 'one : one',
    rules: ['C3'],
    test: 'test/unit/terminal/cashiers.test.ts',
  },
  {
    name: 'a clock that is known to be ahead is noted as right',
    file: 'app/terminal/cashier-time.ts',
    find: 'clock.now() - Math.max(0, aheadMs())',
    replace: 'clock.now()',
    rules: ['C3'],
    test: 'test/unit/terminal/cashiers.test.ts',
  },
  {
    name: 'the clocks of a PIN are noted at a sign-in and at the end alone',
    file: 'app/terminal/cashier-time.ts',
    find: '      timer = clock.after(notedEveryMs, note);\n',
    replace: '',
    rules: ['C3'],
    test: 'test/unit/terminal/cashiers.test.ts',
  },
  {
    name: 'a rest at another store leaves whoever was at the screen there',
    file: 'app/terminal/cashiers.ts',
    find: '        present.stay === store.stay() &&\n',
    replace: '',
    rules: ['C1'],
    test: 'test/unit/terminal/cashiers.test.ts',
  },
  {
    name: 'a rest ends nothing where nobody can be locked',
    file: 'app/terminal/cashier-handlers.ts',
    find: '    cashiers.lock();\n',
    replace: '    if (cashiers.canLock()) {\n      cashiers.lock();\n    }\n',
    rules: ['C1'],
    test: 'test/unit/terminal/cashiers.test.ts',
  },
  {
    name: 'whom the platform has refused is at the screen still',
    file: 'app/terminal/cashiers.ts',
    find: 'isSame(present.email, now.email) &&\n        present.signedInAt === now.signedInAt;',
    replace: 'isSame(present.email, now.email);',
    rules: ['C1'],
    test: 'test/unit/terminal/cashiers.test.ts',
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
    file: 'app/terminal/profile-handlers.ts',
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
    name: 'any 4xx ends the session',
    file: 'app/platform/token-answer.ts',
    find: 'if (isRefusal(response, failure)) {',
    replace: 'if ([400, 401, 403, 422].includes(status)) {',
    rules: ['I12'],
  },
  {
    name: 'only a code ends the session',
    file: 'app/platform/token-answer.ts',
    find: 'return response.status === 401 || fields',
    replace: 'return false && fields',
    rules: ['I4', 'I8'],
  },
  {
    name: 'the sign-in of practice opens what belongs to the terminal',
    file: 'app/contract/access.ts',
    find: "return open === 'profile' ? 'manager' : 'signedIn'; // A2",
    replace: "return 'manager';",
    rules: [],
    test: 'test/integration/terminal/access.test.ts',
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
