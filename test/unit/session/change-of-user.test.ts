// Invariant S7 of session.ts: whoever is kept loses nothing when another comes.
import { expect, test } from 'vitest';
import { succeed } from '../../../app/domain/result.ts';
import { settlePromises } from '../../support/manual-clock.ts';
import { ownTokenName, refreshTokenName } from '../../../app/session/entries.ts';
import type { Session } from '../../../app/session/session.ts';
import { createWorld, valueOf } from './session-world.ts';

const [ana, bea, caio] = ['ana@example.com', 'bea@example.com', 'caio@example.com'];

/** A session with these users kept, each signed in once, the last one now. */
async function keeping(...users: readonly string[]) {
  const world = createWorld();
  const kept = new Set<string>();
  const over: string[] = [];
  const session = world.openSession({ isKept: (email) => kept.has(email), onOver: (email) => over.push(email) });
  for (const user of users) {
    expect(await session.signIn(user, 'right')).toMatchObject({ ok: true });
    kept.add(user);
    expect(await session.keepApart()).toMatchObject({ ok: true });
  }
  return { world, session, kept, over };
}

test('S7: each has an entry of their own, and a change takes no call', async () => {
  const { world, session } = await keeping(ana, bea);
  expect([...world.entries.keys()]).toEqual([ownTokenName(ana), ownTokenName(bea)]);
  const calls = world.grants.length;
  expect(session.change(ana)).toEqual({ ok: true, value: undefined });
  expect(session.user()).toBe(ana);
  expect(world.usersByAccess.get(valueOf(await session.accessToken()))).toBe(ana);
  expect(session.change(bea)).toMatchObject({ ok: true });
  expect(world.usersByAccess.get(valueOf(await session.accessToken()))).toBe(bea);
  expect(world.grants).toHaveLength(calls);
  expect(world.marks.at(-1)).toEqual({ email: bea });
});

test('a renewal that is under way at a change ends in its own entry, whose user then comes back', async () => {
  const { world, session } = await keeping(ana, bea);
  world.isGated = true;
  const renewing = session.renew(valueOf(await session.accessToken()));
  await settlePromises();
  expect(session.change(ana)).toMatchObject({ ok: true });
  world.isGated = false;
  await world.openEveryGate();
  await renewing;
  expect(session.user()).toBe(ana);
  expect(world.marks.at(-1)).toEqual({ email: ana });
  // The token before was ended by rotation: only the newer one is good after a restart.
  const next = world.openSession({ isKept: () => true });
  await next.restore({ email: bea });
  expect(world.usersByAccess.get(valueOf(await next.accessToken()))).toBe(bea);
});

test('whoever is refused is over, now or aside, and cannot come back; nor can who was never kept', async () => {
  const { world, session, over } = await keeping(ana, bea);
  world.valid.clear();
  await session.renew(valueOf(await session.accessToken()));
  expect(session.state()).toMatchObject({ state: 'ended', email: bea });
  expect(over).toEqual([bea]);
  expect(session.change(ana)).toMatchObject({ ok: true });
  await session.renew(valueOf(await session.accessToken()));
  expect(over).toEqual([bea, ana]);
  expect(session.change(caio)).toEqual({ ok: false, failure: { kind: 'signInNeeded' } });
});

test('who is not kept leaves no token when somebody comes back', async () => {
  const { world, session } = await keeping(ana);
  await session.signIn(caio, 'right');
  expect([...world.entries.keys()]).toEqual([ownTokenName(ana), refreshTokenName]);
  expect(session.change(ana)).toMatchObject({ ok: true });
  await session.settle();
  expect([...world.entries.keys()]).toEqual([ownTokenName(ana)]);
});

test.for([
  ['waits for the platform', 'token', ana],
  ['waits for the platform, and she was here before', 'token', bea],
  ['waits for the keychain', 'vault', ana],
  ['waits for the keychain, and she was here before', 'vault', bea],
] as const)('S5: who comes back ends a sign-in that %s, and nothing of it is left', async ([, gate, coming]) => {
  const { world, session } = await keeping(ana, bea);
  world.isGated = true;
  const signingIn = session.signIn(caio, 'right');
  await settlePromises();
  if (gate === 'vault') {
    world.gates.shift()?.open();
    await settlePromises();
  }
  expect(world.gates.map(({ name }) => name)).toEqual([gate]);
  expect(session.change(coming)).toMatchObject({ ok: true });
  world.isGated = false;
  await world.openEveryGate();
  await signingIn;
  await session.settle();
  expect(session.user()).toBe(coming);
  expect(world.marks.at(-1)).toEqual({ email: coming });
  expect([...world.entries.keys()]).toEqual([ownTokenName(ana), ownTokenName(bea)]);
});

/** Bea signs in, and her token waits for the keychain. */
async function signInUntilKept({ world, session }: Pick<Awaited<ReturnType<typeof keeping>>, 'world' | 'session'>) {
  world.isGated = true;
  const done = session.signIn(bea, 'right');
  await settlePromises();
  world.gates.shift()?.open();
  await settlePromises();
  return { done };
}

test.each([
  ['comes back', (session: Session) => Promise.resolve(session.change(ana))],
  ['tries the password in vain', (session: Session) => session.signIn(ana, 'wrong')],
  ['signs out', (session: Session) => session.signOut()],
])('S7: nor where another one %s while the newer token is being kept', async (_how, meanwhile) => {
  const { world, session } = await keeping(ana, bea);
  await session.signIn(caio, 'right');
  const { done } = await signInUntilKept({ world, session });
  expect(world.gates.map(({ name }) => name)).toEqual(['vault']);
  const coming = meanwhile(session);
  world.isGated = false;
  await world.openEveryGate();
  await Promise.all([done, coming]);
  await session.settle();
  expect([...world.entries.keys()]).not.toContain(refreshTokenName);
});

test('S7: nor where the keychain does not take the token of who comes', async () => {
  const { world, session } = await keeping();
  await session.signIn(caio, 'right');
  const { done } = await signInUntilKept({ world, session });
  world.mood = 'unavailable';
  world.gates.shift()?.open();
  await settlePromises();
  world.mood = 'open';
  world.isGated = false;
  await world.openEveryGate();
  await done;
  await session.settle();
  expect(session.state()).toMatchObject({ email: bea, keptIn: 'memory' });
  expect([...world.entries.keys()]).toEqual([]);
});

test.each(['open', 'unavailable'] as const)(
  'S7: nor where another one signs in while theirs is being kept, and finds the keychain %s',
  async (mood) => {
    const { world, session } = await keeping(bea);
    world.isGated = true;
    const openNext = async (name: string): Promise<void> => {
      expect(world.gates.map((gate) => gate.name)).toContain(name);
      world.gates
        .splice(
          world.gates.findIndex((gate) => gate.name === name),
          1,
        )[0]
        ?.open();
      await settlePromises();
    };
    const first = session.signIn(caio, 'right');
    await settlePromises();
    await openNext('token');
    const second = session.signIn(bea, 'right');
    await settlePromises();
    await openNext('token');
    // Caio's is written, and Bea's waits for the keychain.
    await openNext('vault');
    world.mood = mood;
    await openNext('vault');
    world.mood = 'open';
    world.isGated = false;
    await world.openEveryGate();
    expect([await first, await second]).toEqual([{ ok: false, failure: { kind: 'cancelled' } }, succeed(undefined)]);
    await session.settle();
    expect(session.user()).toBe(bea);
    expect([...world.entries.keys()]).not.toContain(refreshTokenName);
  },
);

test('S7: nor where two who are kept sign in, one while the token of the other is being kept', async () => {
  const { world, session } = await keeping(ana, bea);
  await session.signIn(caio, 'right');
  world.isGated = true;
  const signingIn: Promise<unknown>[] = [];
  for (const user of [bea, ana]) {
    signingIn.push(session.signIn(user, 'right'));
    await settlePromises();
    world.gates.pop()?.open();
    await settlePromises();
  }
  expect(world.gates.map(({ name }) => name)).toEqual(['vault']);
  world.isGated = false;
  await world.openEveryGate();
  await Promise.all(signingIn);
  await session.settle();
  expect(session.user()).toBe(ana);
  expect([...world.entries.keys()]).toEqual([ownTokenName(ana), ownTokenName(bea)]);
});

/** Opens the first gate of this name, with the keychain in this mood. */
async function openGate(world: ReturnType<typeof createWorld>, name: string, mood = world.mood): Promise<void> {
  const [gate] = world.gates.splice(world.gates.map((one) => one.name).indexOf(name), 1);
  expect(gate?.name).toBe(name);
  world.mood = mood;
  gate?.open();
  await settlePromises();
  world.mood = 'open';
}

test.each([
  ['twice', [caio, caio]],
  ['before and after one who is kept', [caio, ana, caio]],
])('S7: nor where they sign in %s while it is being kept, and the last one is not', async (_how, users) => {
  const { world, session } = await keeping(ana, bea);
  world.isGated = true;
  const signingIn: Promise<unknown>[] = [];
  for (const user of users) {
    signingIn.push(session.signIn(user, 'right'));
    await settlePromises();
    await openGate(world, 'token');
  }
  for (const place of users.keys()) {
    await openGate(world, 'vault', place === users.length - 1 ? 'unavailable' : 'open');
  }
  world.isGated = false;
  await world.openEveryGate();
  await Promise.all(signingIn);
  await session.settle();
  expect(session.state()).toMatchObject({ email: caio, keptIn: 'memory' });
  expect(world.marks.at(-1)).toBeNull();
  expect([...world.entries.keys()]).toEqual([ownTokenName(ana), ownTokenName(bea)]);
});

test('S2: of who signs in again twice, the last time in vain, an older token is there still', async () => {
  const { world, session } = await keeping();
  await session.signIn(caio, 'right');
  world.isGated = true;
  const signingIn: Promise<unknown>[] = [];
  for (const user of [caio, caio]) {
    signingIn.push(session.signIn(user, 'right'));
    await settlePromises();
    await openGate(world, 'token');
  }
  await openGate(world, 'vault');
  await openGate(world, 'vault', 'unavailable');
  await Promise.all(signingIn);
  expect(world.marks.at(-1)).toEqual({ email: caio });
  expect([...world.entries.keys()]).toEqual([refreshTokenName]);
});

test.each([false, true])('a token that the keychain did not remove after a sign-out is told of: %s', async (comes) => {
  const world = createWorld();
  const left: string[] = [];
  const session = world.openSession({ isKept: (email) => email !== caio, onTokenLeft: (name) => left.push(name) });
  await session.signIn(ana, 'right');
  await session.signIn(bea, 'right');
  await session.signOut();
  world.isGated = true;
  const signingIn = session.signIn(caio, 'right');
  await settlePromises();
  await openGate(world, 'token');
  const leaving = session.signOut();
  await openGate(world, 'vault');
  expect(!comes || session.change(ana).ok).toBe(true);
  await openGate(world, 'vault', 'unavailable');
  world.isGated = false;
  await world.openEveryGate();
  await Promise.all([signingIn, leaving]);
  expect([...world.entries.keys()]).toContain(refreshTokenName);
  expect(left).toEqual([refreshTokenName]);
});

test.each([
  ['a sign-out', [bea, ana], (session: Session) => session.signOut()],
  ['the manager', [ana, bea], (session: Session) => session.release(ana)],
])('S5: %s takes no token of who signs in again before the keychain has answered', async (_what, users, end) => {
  const { world, session } = await keeping(...users);
  world.isGated = true;
  const ending = end(session);
  const signingIn = session.signIn(ana, 'right');
  await settlePromises();
  await openGate(world, 'token');
  world.isGated = false;
  await world.openEveryGate();
  await Promise.all([ending, signingIn]);
  await session.settle();
  expect(session.state()).toMatchObject({ email: ana, keptIn: 'keychain' });
  expect([...world.entries.keys()].toSorted()).toEqual([ownTokenName(ana), ownTokenName(bea)]);
});

test('S5: a token that is moved takes none of who signs in before the keychain has answered', async () => {
  const { world, session, kept } = await keeping();
  await session.signIn(ana, 'right');
  kept.add(ana);
  world.isGated = true;
  const moving = session.keepApart();
  const signingIn = session.signIn(caio, 'right');
  await settlePromises();
  await openGate(world, 'token');
  world.isGated = false;
  await world.openEveryGate();
  await Promise.all([moving, signingIn]);
  await session.settle();
  expect(session.state()).toMatchObject({ email: caio, keptIn: 'keychain' });
  expect([...world.entries.keys()].toSorted()).toEqual([refreshTokenName, ownTokenName(ana)]);
});

test.each<[string, (session: Session) => Promise<void>]>([
  ['their sign-out', (session) => session.signOut()],
  [
    'the manager',
    (session) => {
      expect(session.change(bea)).toEqual(succeed(undefined));
      return session.release(ana);
    },
  ],
])('S5: nor does the end of a sign-in whose token was not moved, by %s', async (_who, end) => {
  const { world, session, kept } = await keeping(bea);
  await session.signIn(ana, 'right');
  kept.add(ana);
  world.isGated = true;
  const leaving = end(session);
  const signingIn = session.signIn(caio, 'right');
  await settlePromises();
  await openGate(world, 'vault');
  await openGate(world, 'token');
  world.isGated = false;
  await world.openEveryGate();
  await Promise.all([leaving, signingIn]);
  await session.settle();
  expect(session.state()).toMatchObject({ email: caio, keptIn: 'keychain' });
  expect([...world.entries.keys()].toSorted()).toEqual([refreshTokenName, ownTokenName(bea)]);
});

test('an app that ended before a token was moved finds it where it was', async () => {
  const world = createWorld();
  await world.openSession().signIn(ana, 'right');
  const next = world.openSession({ isKept: () => true });
  await next.restore({ email: ana });
  expect(world.usersByAccess.get(valueOf(await next.accessToken()))).toBe(ana);
  expect([...world.entries.keys()]).toContain(ownTokenName(ana));
});

test('a sign-out, and the manager, remove the entry', async () => {
  const { world, session, over } = await keeping(ana, bea);
  await session.release(ana);
  await session.signOut();
  expect(over).toEqual([ana, bea]);
  expect([...world.entries.keys()]).toEqual([]);
});

test('S9: what a full disk has noted in the keychain takes the place of no token that comes meanwhile', async () => {
  const { world, session } = await keeping(bea);
  await session.signIn(ana, 'right');
  world.isDiskFull = true;
  world.isGated = true;
  expect(session.change(bea)).toMatchObject({ ok: true });
  const signing = session.signIn(caio, 'right');
  await settlePromises();
  world.gates
    .splice(
      world.gates.findIndex(({ name }) => name === 'token'),
      1,
    )[0]
    ?.open();
  await settlePromises();
  world.isGated = false;
  await world.openEveryGate();
  expect(await signing).toMatchObject({ ok: true });
  await session.settle();
  const next = world.openSession({ isKept: (email) => email === bea });
  await next.restore({ email: caio });
  expect(next.user()).toBe(caio);
});
