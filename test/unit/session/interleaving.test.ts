// The proof that users who come and go while answers are on their way never get each other's token, and that one
// renewal runs at a time (S1, S4, S5).
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Failure } from '../../../app/domain/failure.ts';
import { fail, type Result } from '../../../app/domain/result.ts';
import { settlePromises } from '../../support/manual-clock.ts';
import { createWorld, signedIn, valueOf } from './session-world.ts';
import type { AccessToken } from '../../../app/platform/access-token.ts';

test('signing out leaves nothing behind, also when a renewal is under way', async () => {
  const { world, session } = await signedIn();
  world.isGated = true;
  const renewing = session.renew('access-1');
  await settlePromises();
  const leaving = session.signOut();
  world.isGated = false;
  await world.openEveryGate();
  await leaving;
  expect(valueOf(await renewing)).toBe('signInNeeded');
  expect(session.state()).toEqual({ state: 'signedOut', email: null, keptIn: null, failure: null });
  expect(world.entries.size).toBe(0);
  expect(world.marks.at(-1)).toBeNull();
  expect(valueOf(await session.accessToken())).toBe('signInNeeded');
});

test('S6: whoever closes the app waits until the keychain has the newest refresh token', async () => {
  const { world, session } = await signedIn();
  world.isGated = true;
  const renewing = session.renew('access-1');
  await settlePromises();
  let isSettled = false;
  const settling = session.settle().then(() => {
    isSettled = true;
  });
  // The platform answers; the keychain takes its time.
  world.gates.shift()?.open();
  await settlePromises();
  expect(world.gates.map(({ name }) => name)).toEqual(['vault']);
  expect(isSettled).toBe(false);
  await world.openEveryGate();
  await Promise.all([settling, renewing]);
  expect([...world.entries.values()]).toEqual([expect.stringContaining('refresh-2')]);
  const next = world.openSession();
  world.isGated = false;
  await next.restore({ email: 'ana@example.com' });
  expect(valueOf(await next.accessToken())).toBe('access-3');
});

test("S4: a keychain that holds another user's token serves nobody", async () => {
  const { world } = await signedIn(createWorld(), 'bia@example.com');
  const session = world.openSession();
  await session.restore({ email: 'ana@example.com' });
  expect(session.state()).toMatchObject({ state: 'signedOut' });
  expect(valueOf(await session.accessToken())).toBe('signInNeeded');
  expect(world.grants).toHaveLength(1);
});

test("S5: a slow keychain gives an earlier user's token to nobody", async () => {
  const { world } = await signedIn(createWorld(), 'ana@example.com');
  const session = world.openSession();
  world.isGated = true;
  const restoring = session.restore({ email: 'ana@example.com' });
  await settlePromises();
  const signingIn = session.signIn('bia@example.com', 'right');
  await settlePromises();
  // The platform answers before the keychain.
  const token = world.gates.findIndex(({ name }) => name === 'token');
  world.gates.splice(token, 1)[0]?.open();
  await settlePromises();
  world.isGated = false;
  await world.openEveryGate();
  await Promise.all([restoring, signingIn]);
  expect(session.user()).toBe('bia@example.com');
  const renewed = valueOf(await session.renew(valueOf(await session.accessToken())));
  expect(world.usersByAccess.get(renewed)).toBe('bia@example.com');
});

test('S5: signing out while the keychain is slow to find the sign-in again leaves nobody signed in', async () => {
  const { world } = await signedIn();
  const session = world.openSession();
  world.isGated = true;
  const restoring = session.restore({ email: 'ana@example.com' });
  await settlePromises();
  const leaving = session.signOut();
  world.isGated = false;
  await world.openEveryGate();
  await Promise.all([restoring, leaving]);
  expect(session.state()).toEqual({ state: 'signedOut', email: null, keptIn: null, failure: null });
});

test('S5: a renewal of an earlier user is not waited for by the next one', async () => {
  const { world, session } = await signedIn();
  world.isGated = true;
  const hanging = session.renew('access-1');
  await settlePromises();
  world.isGated = false;
  const stuck = world.gates.splice(0);
  await session.signOut();
  await session.signIn('bia@example.com', 'right');
  expect(world.usersByAccess.get(valueOf(await session.renew(valueOf(await session.accessToken()))))).toBe(
    'bia@example.com',
  );
  stuck[0]?.open();
  expect(valueOf(await hanging)).toBe('signInNeeded');
  expect(session.user()).toBe('bia@example.com');
});

test('S5: a client secret that an earlier sign-in waited for in vain is no trouble of a later one', async () => {
  const { world, session } = await signedIn();
  const { promise, resolve } = Promise.withResolvers<Awaited<typeof world.client>>();
  world.client = promise;
  const renewing = session.renew('access-1');
  await settlePromises();
  session.forget();
  resolve(fail({ kind: 'vaultUnavailable' }));
  await renewing;
  expect(session.state()).toEqual({ state: 'signedOut', email: null, keptIn: null, failure: null });
});

test('S5: a sign-in that fails costs the present user nothing, not even a renewal under way', async () => {
  const { world, session } = await signedIn();
  world.isGated = true;
  const renewing = session.renew('access-1');
  await settlePromises();
  world.isGated = false;
  await session.signIn('ana@example.com', 'wrong');
  await world.openEveryGate();
  expect(valueOf(await renewing)).toBe('access-2');
  expect(valueOf(await session.renew('access-2'))).toBe('access-3');
});

test('of two sign-ins the later one counts, whichever is answered first', async () => {
  const world = createWorld();
  const session = world.openSession();
  world.isGated = true;
  const first = session.signIn('ana@example.com', 'right');
  const second = session.signIn('bia@example.com', 'right');
  await settlePromises();
  world.isGated = false;
  world.gates.reverse();
  await world.openEveryGate();
  expect(await first).toEqual({ ok: false, failure: { kind: 'cancelled' } });
  expect(await second).toMatchObject({ ok: true });
  expect(session.user()).toBe('bia@example.com');
});

test('S1, S4, S5: in any interleaving one renewal runs, no refresh token goes twice or to another user', async () => {
  let renewals = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.constantFrom('call', 'call', 'call', 'refused', 'refused', 'wait', 'signOut', 'ana', 'bia'), {
        minLength: 3,
        maxLength: 14,
      }),
      fc.constantFrom(undefined, 1, 3600),
      async (scheduler, steps, expiresIn) => {
        const world = createWorld();
        world.expiresIn = expiresIn;
        const { session } = await signedIn(world);
        const held: string[] = [];
        let maxOfOne = 0;
        let signedOutDuring = false;
        world.isGated = true;
        // Gates open in an order that the scheduler draws.
        const drawGates = async (): Promise<void> => {
          while (world.gates.length > 0) {
            const gate = world.gates.shift();
            await scheduler.schedule(Promise.resolve(), gate?.name ?? '');
            gate?.open();
          }
        };
        const use = async (asked: Promise<Result<AccessToken, Failure>>, email: string | null): Promise<void> => {
          const result = await asked;
          if (result.ok) {
            held.push(result.value.text);
            // A token answers for the user who was signed in when it was asked for, and names them.
            expect([world.usersByAccess.get(result.value.text), result.value.user]).toEqual([email, email]);
          }
        };
        const running: Promise<unknown>[] = [];
        for (const step of steps) {
          switch (step) {
            case 'call':
              running.push(use(session.accessToken(), session.user()));
              break;
            case 'refused':
              running.push(use(session.renew(held.at(-1) ?? 'access-1'), session.user()));
              break;
            case 'wait':
              await world.clock.advance(600);
              break;
            case 'signOut':
              signedOutDuring = true;
              running.push(session.signOut());
              break;
            default:
              signedOutDuring = true;
              running.push(session.signIn(`${step}@example.com`, 'right'));
          }
          if (!signedOutDuring) {
            maxOfOne = Math.max(maxOfOne, world.maxUnderWay);
          }
          void drawGates();
          await Promise.race([scheduler.waitIdle(), settlePromises()]);
        }
        for (let round = 0; round < 30; round += 1) {
          void drawGates();
          await scheduler.waitIdle();
          await settlePromises();
        }
        await Promise.all(running);
        expect(maxOfOne).toBeLessThanOrEqual(1);
        const refreshes = world.grants.flatMap((grant) =>
          grant.grant_type === 'refresh_token' ? [grant.refresh_token] : [],
        );
        renewals += refreshes.length;
        expect(new Set(refreshes).size).toBe(refreshes.length);
      },
    ),
    { numRuns: 3_000, seed: 1 },
  );
  expect(renewals).toBeGreaterThan(300);
});
