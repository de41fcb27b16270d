// Invariant S8 of session.ts: what is kept of a user serves while another, or nobody, is at the screen, and is the one
// sign-in that they come back to.
import { expect, test } from 'vitest';
import { fail } from '../../../app/domain/result.ts';
import type { BoundSignIn, Session } from '../../../app/session/session.ts';
import { settlePromises } from '../../support/manual-clock.ts';
import { ownTokenName } from '../../../app/session/entries.ts';
import { createWorld, valueOf } from './session-world.ts';

const [ana, bea] = ['ana@example.com', 'bea@example.com'];

/** A session with these users kept, the last one at the screen. */
async function keeping(...users: readonly string[]) {
  const world = createWorld();
  const kept = new Set<string>();
  const ports = {
    isKept: (email: string) => kept.has(email),
    keptUsers: () => [...kept],
    onOver: (email: string) => void kept.delete(email),
  };
  const session = world.openSession(ports);
  for (const user of users) {
    expect(await session.signIn(user, 'right')).toMatchObject({ ok: true });
    kept.add(user);
    expect(await session.keepApart()).toMatchObject({ ok: true });
  }
  return { world, session, kept, ports };
}

const emailsOf = (session: Session): string[] => session.signIns().map(({ email }) => email);

function of(session: Session, email: string): BoundSignIn {
  return session.signIns().find((one) => one.email === email) ?? expect.fail(`${email} has no sign-in`);
}

test('whoever is at the screen comes first, and each gives tokens of their own user', async () => {
  const { world, session } = await keeping(ana, bea);
  expect(emailsOf(session)).toEqual([bea, ana]);
  for (const email of [ana, bea]) {
    const signIn = of(session, email);
    expect(signIn.user()).toBe(email);
    expect(world.usersByAccess.get(valueOf(await signIn.accessToken()))).toBe(email);
  }
  await session.signOut();
  expect(emailsOf(session)).toEqual([ana]);
  expect(world.usersByAccess.get(valueOf(await of(session, ana).accessToken()))).toBe(ana);
});

test('after a restart they are found in the keychain, whoever is at the screen', async () => {
  const { world, ports } = await keeping(ana, bea);
  const next = world.openSession(ports);
  expect(emailsOf(next)).toEqual([ana, bea]);
  await next.restore({ email: bea });
  expect(emailsOf(next)).toEqual([bea, ana]);
  expect(world.usersByAccess.get(valueOf(await of(next, ana).accessToken()))).toBe(ana);
});

test('S8: a renewal that began beside a start or a change is the one that its user comes back to', async () => {
  const { world, ports } = await keeping(ana, bea);
  for (const come of [
    (session: Session) => session.restore({ email: ana }),
    (session: Session) => Promise.resolve(session.change(ana)),
  ]) {
    const next = world.openSession(ports);
    const renewals = world.grants.length;
    world.isGated = true;
    const renewing = of(next, ana).accessToken();
    await settlePromises();
    const coming = come(next);
    world.isGated = false;
    await world.openEveryGate();
    await coming;
    expect(world.usersByAccess.get(valueOf(await renewing))).toBe(ana);
    expect(world.usersByAccess.get(valueOf(await next.accessToken()))).toBe(ana);
    expect(next.user()).toBe(ana);
    expect(world.grants).toHaveLength(renewals + 1);
  }
});

test('S9: who signs out while their new token is being kept has none, and that is told', async () => {
  const { world, session, kept } = await keeping(ana, bea);
  world.isGated = true;
  const signingIn = session.signIn(ana, 'right');
  await settlePromises();
  // The platform's answer; the keychain takes its time.
  world.gates.shift()?.open();
  await settlePromises();
  expect(session.state().email).toBeNull();
  const signingOut = session.signOut();
  world.isGated = false;
  await world.openEveryGate();
  expect(await signingIn).toEqual(fail({ kind: 'cancelled' }));
  await signingOut;
  expect([...world.entries.keys()].filter((name) => name.includes(ana))).toEqual([]);
  expect([...kept]).toEqual([bea]);
  expect(emailsOf(session)).toEqual([bea]);
});

test('a refusal ends that sign-in alone, and is told; the others go on', async () => {
  const { world, session } = await keeping(ana, bea);
  let reported = 0;
  session.onChange(() => {
    reported += 1;
  });
  const anas = of(session, ana);
  const refused = valueOf(await anas.accessToken());
  world.valid.clear();
  expect(await anas.renew(refused)).toMatchObject({ ok: false, failure: { kind: 'signInNeeded' } });
  expect(reported).toBe(1);
  expect(emailsOf(session)).toEqual([bea]);
  expect(session.state()).toMatchObject({ state: 'signedIn', email: bea });
  expect(session.change(ana)).toMatchObject({ ok: false, failure: { kind: 'signInNeeded' } });
});

test('S2: a refusal of the client ends nobody’s sign-in, is told, and is over with the right secret', async () => {
  const { world, session } = await keeping(ana, bea);
  const before = { anas: valueOf(await of(session, ana).accessToken()), beas: valueOf(await session.accessToken()) };
  world.trouble = fail({ kind: 'credentialsRejected', status: 401, code: 'invalid_client' });
  for (const minutes of [0, 1, 2]) {
    await world.clock.advance(minutes * 60_000);
    expect(await of(session, ana).renew(before.anas)).toMatchObject({ failure: { kind: 'renewalFailed' } });
    expect(await session.renew(before.beas)).toMatchObject({ failure: { kind: 'renewalFailed' } });
    expect(session.state()).toMatchObject({ state: 'signedIn', email: bea, failure: { code: 'invalid_client' } });
    expect(session.signIns().map(({ email, isStuck }) => [email, isStuck()])).toEqual([
      [bea, true],
      [ana, true],
    ]);
  }
  world.trouble = null;
  await world.clock.advance(60_000);
  expect(world.usersByAccess.get(valueOf(await of(session, ana).renew(before.anas)))).toBe(ana);
  expect(world.usersByAccess.get(valueOf(await session.renew(before.beas)))).toBe(bea);
  expect(session.state()).toMatchObject({ state: 'signedIn', failure: null });
});

test.each([
  ['they come back', (session: Session) => Promise.resolve(session.change(ana))],
  ['it is used again', (session: Session) => of(session, ana).accessToken()],
])('S8: a renewal beside that the keychain did not take is given to it when %s', async (_when, use) => {
  const { world, session, ports } = await keeping(ana, bea);
  const anas = of(session, ana);
  const first = valueOf(await anas.accessToken());
  world.mood = 'unavailable';
  expect(await anas.renew(first)).toMatchObject({ ok: true });
  world.mood = 'open';
  expect(await use(session)).toMatchObject({ ok: true });
  await session.settle();
  const next = world.openSession(ports);
  expect(world.usersByAccess.get(valueOf(await of(next, ana).accessToken()))).toBe(ana);
});

test('what is told of them is told anew when one is taken away', async () => {
  const { session } = await keeping(ana, bea);
  let reported: string[] = [];
  session.onChange(() => {
    reported = emailsOf(session);
  });
  await session.release(ana);
  expect(reported).toEqual([bea]);
});

test('what is kept no longer serves no call that was begun before', async () => {
  const { session, kept } = await keeping(ana, bea);
  const anas = of(session, ana);
  kept.delete(ana);
  expect(anas.user()).toBeNull();
  expect(await anas.accessToken()).toEqual({ ok: false, failure: { kind: 'userChanged' } });
  // Neither does that of whoever was at the screen and leaves nothing behind.
  kept.delete(bea);
  const beas = of(session, bea);
  await session.signIn(ana, 'right');
  expect(beas.user()).toBeNull();
});

test('C6: whoever is signed in but must give the password serves nothing of theirs, and stays signed in', async () => {
  const { world, ports } = await keeping(ana, bea);
  let isOver = false;
  const session = world.openSession({ ...ports, needsPassword: (email) => isOver && email === bea });
  await session.restore({ email: bea });
  const before = of(session, bea);
  isOver = true;
  expect(emailsOf(session)).toEqual([ana]);
  expect(before.user()).toBeNull();
  expect(await before.accessToken()).toEqual({ ok: false, failure: { kind: 'userChanged' } });
  expect(world.usersByAccess.get(valueOf(await session.accessToken())), 'the copy goes on').toBe(bea);
  isOver = false;
  expect(world.usersByAccess.get(valueOf(await before.accessToken()))).toBe(bea);
});

test('S8: while the keychain takes a new password sign-in, nobody looks for the older token', async () => {
  const { world, session } = await keeping(ana, bea);
  const older = of(session, ana);
  world.isGated = true;
  const signingIn = session.signIn(ana, 'right');
  await settlePromises();
  world.gates.shift()?.open();
  await settlePromises();
  expect(world.gates.map(({ name }) => name)).toEqual(['vault']);
  expect(emailsOf(session)).toEqual([bea]);
  world.isGated = false;
  await world.openEveryGate();
  expect(await signingIn).toMatchObject({ ok: true });
  expect(older.user()).toBeNull();
  expect(emailsOf(session)).toEqual([ana, bea]);
  expect([...world.entries.keys()]).toContain(ownTokenName(ana));
});

test.each([
  ['signs out', (session: Session) => session.signOut()],
  [
    'is let go aside',
    async (session: Session) => {
      expect(session.change(bea)).toMatchObject({ ok: true });
      await session.release(ana);
    },
  ],
])('S7: a token that was not moved goes with its user who %s, and another user’s stays', async (_way, leave) => {
  const { world, kept, ports } = await keeping(bea);
  const before = world.openSession(ports);
  expect(await before.signIn(ana, 'right')).toMatchObject({ ok: true });
  // The app ends when her PIN is known and her token is not moved yet.
  kept.add(ana);
  const session = world.openSession(ports);
  await session.restore({ email: ana });
  expect(valueOf(await session.accessToken())).toMatch(/^access-/);
  await leave(session);
  await session.settle();
  expect([...world.entries.keys()]).toEqual([ownTokenName(bea)]);

  kept.add(ana);
  const again = world.openSession(ports);
  expect(await again.signIn(ana, 'right')).toMatchObject({ ok: true });
  expect(await again.keepApart()).toMatchObject({ ok: true });
  kept.delete(bea);
  expect(await again.signIn(bea, 'right')).toMatchObject({ ok: true });
  await again.release(ana);
  await again.settle();
  expect([...world.entries.keys()]).toEqual([ownTokenName(bea), 'refresh-token']);
});
