// The proof of how a session begins and ends: sign-in, restart, refusal, and the keychain's moods (S2, S3).
import { expect, test } from 'vitest';
import { fail } from '../../../app/domain/result.ts';
import { clientSecretName } from '../../../app/session/client-secret.ts';
import { ownTokenName, refreshTokenName } from '../../../app/session/entries.ts';
import { createWorld, refused, signedIn, valueOf } from './session-world.ts';

test('signing in keeps the refresh token in the keychain, the access token in memory, and says who', async () => {
  const { world, session } = await signedIn();
  expect(session.state()).toEqual({ state: 'signedIn', email: 'ana@example.com', keptIn: 'keychain', failure: null });
  expect([...world.entries.values()].join()).toContain('refresh-1');
  expect([...world.entries.values()].join()).not.toContain('access-1');
  expect(world.marks).toEqual([{ email: 'ana@example.com' }]);
  expect(valueOf(await session.accessToken())).toBe('access-1');
});

test('S3: state and marks hold no secret', async () => {
  const { world, session } = await signedIn();
  await session.renew('access-1');
  world.trouble = refused;
  await session.renew('access-2');
  expect(JSON.stringify([session.state(), world.marks])).not.toMatch(/access-|refresh-|right|made-up/);
});

test('a wrong password is told once, and changes nothing of who is signed in', async () => {
  const { world, session } = await signedIn();
  expect(await session.signIn('bia@example.com', 'wrong')).toEqual(refused);
  expect(world.grants).toHaveLength(2);
  expect(session.user()).toBe('ana@example.com');
  expect(valueOf(await session.accessToken())).toBe('access-1');
});

test('a restart finds the sign-in again', async () => {
  const { world } = await signedIn();
  const session = world.openSession();
  await session.restore({ email: 'ana@example.com' });
  expect(session.user()).toBe('ana@example.com');
  expect(valueOf(await session.accessToken())).toBe('access-2');
});

test.each(['unreachable', 'timedOut', 'tooManyRequests', 'notThePlatform', 'cancelled'] as const)(
  'S2: %s ends no session',
  async (kind) => {
    const { world, session } = await signedIn();
    world.trouble = fail({ kind });
    expect(valueOf(await session.renew('access-1'))).toBe(kind);
    expect(session.state()).toMatchObject({ state: 'signedIn', email: 'ana@example.com' });
    world.trouble = null;
    expect(valueOf(await session.renew('access-1'))).toBe('access-2');
  },
);

test.each([
  { kind: 'forbidden', status: 403 },
  { kind: 'badRequest', status: 400 },
  { kind: 'unprocessable', status: 422, code: 'terms_not_accepted' },
  { kind: 'badRequest', status: 400, code: 'invalid_scope' },
  { kind: 'notFound', status: 404 },
  { kind: 'platformFailed', status: 503 },
  { kind: 'answerMalformed', status: 200 },
] as const)(
  'S2: a renewal answered with %j ends no session, and is tried again after pauses of 1 to 60 s',
  async (failure) => {
    const { world, session } = await signedIn();
    world.trouble = fail(failure);
    const entries = [...world.entries];
    for (const pauseMs of [1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => 1000 * seconds)) {
      const asked = world.grants.length;
      expect(await session.renew('access-1')).toEqual(fail({ ...failure, kind: 'renewalFailed' }));
      expect(world.grants).toHaveLength(asked + 1);
      await world.clock.advance(pauseMs - 1);
      expect(valueOf(await session.renew('access-1'))).toBe('renewalFailed');
      expect(world.grants).toHaveLength(asked + 1);
      await world.clock.advance(1);
    }
    expect(session.state()).toMatchObject({ state: 'signedIn', email: 'ana@example.com', keptIn: 'keychain' });
    expect([...world.entries]).toEqual(entries);
    world.trouble = null;
    expect(valueOf(await session.renew('access-1'))).toBe('access-2');
    world.trouble = fail(failure);
    await session.renew('access-2');
    await world.clock.advance(1000);
    world.trouble = null;
    expect(valueOf(await session.renew('access-2'))).toBe('access-3');
  },
);

test('whoever signs in anew does not wait for the pause of a renewal', async () => {
  const { world, session } = await signedIn();
  world.trouble = fail({ kind: 'forbidden', status: 403 });
  await session.renew('access-1');
  world.trouble = null;
  expect(await session.signIn('ana@example.com', 'right')).toEqual({ ok: true, value: undefined });
  expect(valueOf(await session.renew('access-2'))).toBe('access-3');
});

test('S2: a refused refresh token ends it; the user stays known, and signing in again mends it', async () => {
  const { world, session } = await signedIn();
  world.trouble = refused;
  expect(valueOf(await session.renew('access-1'))).toBe('signInNeeded');
  expect(session.state()).toMatchObject({
    state: 'ended',
    email: 'ana@example.com',
    failure: { code: 'invalid_grant' },
  });
  const asked = world.grants.length;
  expect(valueOf(await session.accessToken())).toBe('signInNeeded');
  expect(valueOf(await session.renew('access-1'))).toBe('signInNeeded');
  expect(world.grants).toHaveLength(asked);
  world.trouble = null;
  await session.signIn('ana@example.com', 'right');
  expect(session.state()).toMatchObject({ state: 'signedIn', failure: null });
});

test('S2: a locked keychain is said, and works again when it is unlocked', async () => {
  const { world } = await signedIn();
  world.mood = 'locked';
  const session = world.openSession();
  await session.restore({ email: 'ana@example.com' });
  expect(session.state()).toMatchObject({ state: 'signedIn', failure: { kind: 'vaultLocked' } });
  expect(valueOf(await session.accessToken())).toBe('vaultLocked');
  expect(world.grants).toHaveLength(1);
  world.mood = 'open';
  expect(valueOf(await session.accessToken())).toBe('access-2');
  expect(session.state()).toMatchObject({ state: 'signedIn', failure: null });
});

test.each([false, true])('S9: who signs out on a full disk is nobody at the next start; kept: %s', async (isKept) => {
  const world = createWorld();
  const [ana, session] = ['ana@example.com', world.openSession({ isKept: () => isKept })];
  world.entries.set(clientSecretName, 'client secret');
  await session.signIn(ana, 'right');
  world.isDiskFull = true;
  await session.signOut();
  expect(JSON.stringify([...world.entries])).not.toMatch(/refresh-\d/);
  for (const isFull of [true, false]) {
    world.isDiskFull = isFull;
    const next = world.openSession({ isKept: () => isKept });
    await next.restore({ email: ana });
    expect(next.state()).toMatchObject({ state: 'signedOut', email: null });
    expect(world.marks.at(-1)).toBeNull();
  }
  expect([...world.entries.keys()]).toEqual([clientSecretName]);
});

test('S9: of a sign-in that was in memory alone nothing is said to be left, also on a full disk', async () => {
  const world = createWorld();
  const left: string[] = [];
  const session = world.openSession({ onTokenLeft: (name) => left.push(name) });
  world.mood = 'unavailable';
  await session.signIn('ana@example.com', 'right');
  world.isDiskFull = true;
  await session.signOut();
  expect(left).toEqual([]);
});

test.each(['PIN', 'password'])('S9: whose place another takes on a full disk is nobody later; by %s', async (way) => {
  const world = createWorld();
  const [ana, bea, keptBea] = ['ana@example.com', 'bea@example.com', { isKept: (email: string) => email[0] === 'b' }];
  const session = world.openSession(keptBea);
  await session.signIn(bea, 'right');
  await session.signIn(ana, 'right');
  world.isDiskFull = true;
  expect(way === 'PIN' ? session.change(bea) : await session.signIn(bea, 'right')).toMatchObject({ ok: true });
  await session.settle();
  const next = world.openSession(keptBea);
  await next.restore({ email: ana });
  expect(next.state()).toMatchObject({ state: 'signedOut', email: null });
});

test('S7: who signs in to an entry of their own leaves no token of who has none', async () => {
  const world = createWorld();
  const session = world.openSession({ isKept: (email) => email === 'bea@example.com' });
  await session.signIn('ana@example.com', 'right');
  await session.signIn('bea@example.com', 'right');
  await session.settle();
  expect([...world.entries.keys()]).toEqual([ownTokenName('bea@example.com')]);
});

test('S9: of who was in memory alone nothing is said to be left when one with an entry signs in', async () => {
  const world = createWorld();
  world.mood = 'unavailable';
  const left: string[] = [];
  const session = world.openSession({
    isKept: (email) => email === 'bea@example.com',
    onTokenLeft: (name) => void left.push(name),
  });
  await session.signIn('ana@example.com', 'right');
  await session.signIn('bea@example.com', 'right');
  await session.settle();
  expect(left).toEqual([]);
});

test('S2: an open keychain without the entry ends it', async () => {
  const { world } = await signedIn();
  world.entries.delete(refreshTokenName);
  world.entries.set(clientSecretName, 'client secret');
  world.mood = 'locked';
  const session = world.openSession();
  await session.restore({ email: 'ana@example.com' });
  expect(session.state()).toMatchObject({ state: 'signedIn', failure: { kind: 'vaultLocked' } });
  world.mood = 'open';
  expect(valueOf(await session.accessToken())).toBe('signInNeeded');
  expect(session.state()).toMatchObject({ state: 'ended', email: 'ana@example.com' });
});

test('S2: a keychain that refuses a renewed token is no sign-out: the mark stays, the next one is kept', async () => {
  const { world, session } = await signedIn();
  world.mood = 'unavailable';
  expect(valueOf(await session.renew('access-1'))).toBe('access-2');
  expect(valueOf(await session.renew('access-2'))).toBe('access-3');
  expect(session.state()).toMatchObject({ state: 'signedIn', keptIn: 'memory' });
  expect(world.marks).toEqual([{ email: 'ana@example.com' }]);
  world.mood = 'open';
  expect(valueOf(await session.renew('access-3'))).toBe('access-4');
  expect(session.state()).toMatchObject({ state: 'signedIn', keptIn: 'keychain' });
  expect([...world.entries.values()].join()).toContain('refresh-4');
  world.mood = 'unavailable';
  expect(await session.signIn('ANA@example.com', 'right')).toMatchObject({ ok: true });
  expect(world.marks.at(-1)).toEqual({ email: 'ana@example.com' });
  // Another user's sign-in that cannot be kept must not be taken for the one before.
  expect(await session.signIn('bia@example.com', 'right')).toMatchObject({ ok: true });
  expect(world.marks.at(-1)).toBeNull();
});

test('with no keychain the session lives in memory and says so; a keychain that comes back is used', async () => {
  const world = createWorld();
  world.mood = 'unavailable';
  const { session } = await signedIn(world);
  expect(session.state()).toMatchObject({ state: 'signedIn', keptIn: 'memory' });
  expect(world.marks).toEqual([null]);
  expect(valueOf(await session.renew('access-1'))).toBe('access-2');
  world.mood = 'open';
  expect(valueOf(await session.renew('access-2'))).toBe('access-3');
  expect(session.state().keptIn).toBe('keychain');
  expect(world.marks.at(-1)).toEqual({ email: 'ana@example.com' });
});
