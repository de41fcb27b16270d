// The proof of how long a token serves, when it is renewed, and which refresh token is used for that.
import { expect, test } from 'vitest';
import { fail } from '../../../app/domain/result.ts';
import { tokenAnswerSchema } from '../../../app/platform/wire.ts';
import { createWorld, refused, signedIn, valueOf } from './session-world.ts';

test.each([
  ['missing', undefined],
  ['zero', 0],
  ['negative', -5],
  ['text', '3600x'],
  ['null', null],
  ['a list', [3600]],
])('expires_in %s: the token serves until it is refused', async (_what, expiresIn) => {
  const answer = tokenAnswerSchema.parse({
    access_token: 'a',
    ...(expiresIn === undefined ? {} : { expires_in: expiresIn }),
  });
  const world = createWorld();
  world.expiresIn = answer.expires_in;
  const { session } = await signedIn(world);
  await world.clock.advance(365 * 86_400_000);
  expect(valueOf(await session.accessToken())).toBe('access-1');
  expect(valueOf(await session.renew('access-1'))).toBe('access-2');
});

test.each([
  { expiresIn: 3600, renewedAfterMs: 3_540_000 },
  { expiresIn: 10, renewedAfterMs: 5_000 },
  { expiresIn: 0.001, renewedAfterMs: 1 },
  { expiresIn: 1e308, renewedAfterMs: Infinity },
])('expires_in $expiresIn: renewed after $renewedAfterMs ms, and not before', async ({ expiresIn, renewedAfterMs }) => {
  const world = createWorld();
  world.expiresIn = expiresIn;
  const { session } = await signedIn(world);
  if (renewedAfterMs !== Infinity) {
    await world.clock.advance(Math.max(0, renewedAfterMs - 2));
  }
  expect(valueOf(await session.accessToken())).toBe('access-1');
  await world.clock.advance(renewedAfterMs === Infinity ? 86_400_000 : 2);
  expect(valueOf(await session.accessToken())).toBe(renewedAfterMs === Infinity ? 'access-1' : 'access-2');
});

test('expires_in as text counts, however long it is', () => {
  expect(tokenAnswerSchema.parse({ access_token: 'a', expires_in: '3600' }).expires_in).toBe(3600);
  expect(tokenAnswerSchema.parse({ access_token: 'a', expires_in: '9'.repeat(400) }).expires_in).toBeUndefined();
});

test('without a new refresh token the old one goes on, and the keychain is not written again', async () => {
  const world = createWorld();
  world.rotation = 'silent';
  const { session } = await signedIn(world);
  const before = [...world.entries];
  for (const access of ['access-1', 'access-2', 'access-3']) {
    await session.renew(access);
  }
  expect(world.grants.slice(1)).toEqual(
    Array.from({ length: 3 }, () => ({ grant_type: 'refresh_token', refresh_token: 'refresh-1' })),
  );
  expect([...world.entries]).toEqual(before);
});

test('with a new refresh token the newest is used and kept', async () => {
  const { world, session } = await signedIn();
  await session.renew('access-1');
  await session.renew('access-2');
  expect(world.grants.at(-1)).toEqual({ grant_type: 'refresh_token', refresh_token: 'refresh-2' });
  expect([...world.entries.values()].join()).toContain('refresh-3');
});

test('a token that is about to expire serves while its renewal has trouble on the way', async () => {
  const world = createWorld();
  world.expiresIn = 3600;
  const { session } = await signedIn(world);
  await world.clock.advance(3_550_000);
  world.trouble = fail({ kind: 'unreachable' });
  expect(valueOf(await session.accessToken())).toBe('access-1');
  world.trouble = null;
  expect(valueOf(await session.accessToken())).toBe('access-2');
});

test.each([-86_400_000, 86_400_000, -10 * 365 * 86_400_000])(
  'a wall clock that is set by %d ms neither renews a token nor lets one run out',
  async (byMs) => {
    const world = createWorld();
    world.expiresIn = 3600;
    const { session } = await signedIn(world);
    world.clock.jumpWall(byMs);
    expect(valueOf(await session.accessToken())).toBe('access-1');
    await world.clock.advance(3_541_000);
    expect(valueOf(await session.accessToken())).toBe('access-2');
  },
);

test("after a sleep longer than the token's life it is renewed before it is used, once for all who ask", async () => {
  const world = createWorld();
  world.expiresIn = 3600;
  const { session } = await signedIn(world);
  // The machine's uptime counts sleep, so waking up finds the time gone at once.
  await world.clock.advance(9 * 3_600_000);
  const tokens = await Promise.all([session.accessToken(), session.accessToken(), session.renew('access-1')]);
  expect(tokens.map(valueOf)).toEqual(['access-2', 'access-2', 'access-2']);
  expect(world.grants).toHaveLength(2);
});

const doubted = fail({ kind: 'unauthorized', status: 401 } as const);

test('S2 a 401 that may be nobody’s ends the sign-in when it has come three times, over a minute', async () => {
  const { world, session } = await signedIn();
  world.trouble = doubted;
  const ask = (): ReturnType<typeof session.renew> => session.renew('access-1');
  for (const sent of [1, 2]) {
    expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'renewalFailed' } });
    await world.clock.advance(29_999);
    expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'renewalFailed' } });
    expect(world.grants, 'nothing is sent meanwhile').toHaveLength(1 + sent);
    expect(session.state()).toMatchObject({ state: 'signedIn' });
    await world.clock.advance(1);
  }
  expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'signInNeeded' } });
  expect(session.state()).toMatchObject({ state: 'ended', failure: { kind: 'credentialsRejected' } });
});

test('S2 what comes in between decides: a token restarts the count, the platform’s own refusal ends it', async () => {
  const { world, session } = await signedIn();
  for (const round of [0, 1, 2]) {
    world.trouble = doubted;
    await session.renew(`access-${String(round + 1)}`);
    await world.clock.advance(30_000);
    await session.renew(`access-${String(round + 1)}`);
    await world.clock.advance(30_000);
    world.trouble = null;
    expect(valueOf(await session.renew(`access-${String(round + 1)}`))).toBe(`access-${String(round + 2)}`);
  }
  world.trouble = doubted;
  await session.renew('access-4');
  await world.clock.advance(30_000);
  world.trouble = refused;
  await session.renew('access-4');
  expect(session.state().state).toBe('ended');
});
