// Owns the proof of the session's invariants S1 to S5: renewal, expiry, the keychain's moods, and users who come and go
// while answers are on their way.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Failure } from '../../../app/domain/failure.ts';
import { fail, succeed, type Result } from '../../../app/domain/result.ts';
import type { Grant, TokenAnswer } from '../../../app/platform/tokens.ts';
import { tokenAnswerSchema } from '../../../app/platform/wire.ts';
import type { Vault } from '../../../app/ports.ts';
import { createSession, type Session, type SessionMark } from '../../../app/session/session.ts';
import { createManualClock, settlePromises } from '../../support/manual-clock.ts';

type Reply = Result<TokenAnswer, Failure>;
type VaultMood = 'open' | 'locked' | 'unavailable';

const refused: Reply = fail({ kind: 'credentialsRejected', status: 400, code: 'invalid_grant' });

interface Gate {
  readonly name: string;
  open(): void;
}

/** A platform that rotates refresh tokens and knows each once, and a keychain with moods; both can be made to wait at a gate. */
function createWorld() {
  const clock = createManualClock();
  const gates: Gate[] = [];
  const marks: (SessionMark | null)[] = [];
  const entries = new Map<string, string>();
  const world = {
    clock,
    gates,
    marks,
    entries,
    grants: [] as Grant[],
    isGated: false,
    mood: 'open' as VaultMood,
    /** What the platform answers instead of a token. */
    trouble: null as Reply | null,
    expiresIn: undefined as number | undefined,
    rotation: 'rotated' as 'rotated' | 'silent',
    underWay: 0,
    mostUnderWay: 0,
    valid: new Set<string>(),
    count: 0,
    usersByRefresh: new Map<string, string>(),
    usersByAccess: new Map<string, string>(),
  };

  async function pass(name: string): Promise<void> {
    if (world.isGated) {
      await new Promise<void>((resolve) => {
        gates.push({ name, open: resolve });
      });
    }
  }

  function grantTo(email: string): Reply {
    world.count += 1;
    const access = `access-${world.count}`;
    const refresh = `refresh-${world.count}`;
    world.usersByAccess.set(access, email);
    world.usersByRefresh.set(refresh, email);
    world.valid.add(refresh);
    return succeed({ access_token: access, refresh_token: refresh, expires_in: world.expiresIn });
  }

  async function requestToken(grant: Grant): Promise<Reply> {
    world.grants.push(grant);
    world.underWay += grant.grant_type === 'refresh_token' ? 1 : 0;
    world.mostUnderWay = Math.max(world.mostUnderWay, world.underWay);
    const answer = ((): Reply => {
      if (world.trouble !== null) {
        return world.trouble;
      }
      if (grant.grant_type === 'password') {
        return grant.password === 'right' ? grantTo(grant.username) : refused;
      }
      const email = world.usersByRefresh.get(grant.refresh_token);
      if (email === undefined || !world.valid.has(grant.refresh_token)) {
        return refused;
      }
      const granted = grantTo(email);
      if (world.rotation === 'rotated' || !granted.ok) {
        world.valid.delete(grant.refresh_token);
        return granted;
      }
      return succeed({ access_token: granted.value.access_token, expires_in: world.expiresIn });
    })();
    await pass('token');
    world.underWay -= grant.grant_type === 'refresh_token' ? 1 : 0;
    return answer;
  }

  // One call at a time, as the real one.
  let turn: Promise<unknown> = Promise.resolve();
  function inTurn<Value>(action: () => Value): Promise<Result<Value, Failure>> {
    const mine = turn.then(async (): Promise<Result<Value, Failure>> => {
      await pass('vault');
      return world.mood === 'unavailable' ? fail({ kind: 'vaultUnavailable' }) : succeed(action());
    });
    turn = mine;
    return mine;
  }
  const vault: Vault = {
    read: (name) => inTurn(() => (world.mood === 'locked' ? null : (entries.get(name) ?? null))),
    write: (name, secret) =>
      inTurn(() => {
        entries.set(name, secret);
      }),
    remove: (name) =>
      inTurn(() => {
        entries.delete(name);
      }),
  };

  function openSession(): Session {
    return createSession({
      clock,
      vault,
      requestToken: (_client, grant) => requestToken(grant),
      client: () => Promise.resolve(succeed({ clientId: 'client', clientSecret: 'made-up' })),
      saveMark: (mark) => {
        marks.push(mark);
      },
    });
  }

  async function openEveryGate(): Promise<void> {
    for (let gate = gates.shift(); gate !== undefined; gate = gates.shift()) {
      gate.open();
      await settlePromises();
    }
  }

  return Object.assign(world, { openSession, openEveryGate });
}

async function signedIn(world = createWorld(), email = 'ana@example.com') {
  const session = world.openSession();
  expect(await session.signIn(email, 'right')).toEqual({ ok: true, value: undefined });
  return { world, session };
}

function valueOf(result: Result<string, Failure>): string {
  return result.ok ? result.value : result.failure.kind;
}

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

test.each([
  ['missing', undefined],
  ['zero', 0],
  ['negative', -5],
  ['text', '3600x'],
  ['null', null],
  ['a list', [3600]],
])('expires_in %s: the token serves until it is refused', async (_what, expiresIn) => {
  const answer = tokenAnswerSchema.parse({ access_token: 'a', ...(expiresIn === undefined ? {} : { expires_in: expiresIn }) });
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
  expect(world.grants.slice(1)).toEqual(Array.from({ length: 3 }, () => ({ grant_type: 'refresh_token', refresh_token: 'refresh-1' })));
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

test.each(['unreachable', 'timedOut', 'platformFailed', 'tooManyRequests', 'notThePlatform', 'answerMalformed', 'cancelled'] as const)('S2: %s ends no session', async (kind) => {
  const { world, session } = await signedIn();
  world.trouble = fail({ kind });
  expect(valueOf(await session.renew('access-1'))).toBe(kind);
  expect(session.state()).toMatchObject({ state: 'signedIn', email: 'ana@example.com' });
  world.trouble = null;
  expect(valueOf(await session.renew('access-1'))).toBe('access-2');
});

test('S2: a refused refresh token ends it; the user stays known, and signing in again mends it', async () => {
  const { world, session } = await signedIn();
  world.trouble = refused;
  expect(valueOf(await session.renew('access-1'))).toBe('signInNeeded');
  expect(session.state()).toMatchObject({ state: 'ended', email: 'ana@example.com', failure: { code: 'invalid_grant' } });
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

test('S2: a keychain that does not take a renewed token is no sign-out: the mark stays, and the next renewal is kept again', async () => {
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
  // Another user's sign-in that cannot be kept must not be taken for the one before.
  world.mood = 'unavailable';
  expect(await session.signIn('bia@example.com', 'right')).toMatchObject({ ok: true });
  expect(world.marks.at(-1)).toBeNull();
});

test.each([-86_400_000, 86_400_000, -10 * 365 * 86_400_000])('a wall clock that is set by %d ms neither renews a token nor lets one run out', async (byMs) => {
  const world = createWorld();
  world.expiresIn = 3600;
  const { session } = await signedIn(world);
  world.clock.jumpWall(byMs);
  expect(valueOf(await session.accessToken())).toBe('access-1');
  await world.clock.advance(3_541_000);
  expect(valueOf(await session.accessToken())).toBe('access-2');
});

test('after a sleep longer than the token\'s life it is renewed before it is used, once for all who ask', async () => {
  const world = createWorld();
  world.expiresIn = 3600;
  const { session } = await signedIn(world);
  // The machine's uptime counts sleep, so waking up finds the time gone at once.
  await world.clock.advance(9 * 3_600_000);
  const tokens = await Promise.all([session.accessToken(), session.accessToken(), session.renew('access-1')]);
  expect(tokens.map(valueOf)).toEqual(['access-2', 'access-2', 'access-2']);
  expect(world.grants).toHaveLength(2);
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

test('S4: a keychain that holds another user\'s token serves nobody', async () => {
  const { world } = await signedIn(createWorld(), 'bia@example.com');
  const session = world.openSession();
  await session.restore({ email: 'ana@example.com' });
  expect(session.state()).toMatchObject({ state: 'ended' });
  expect(valueOf(await session.accessToken())).toBe('signInNeeded');
  expect(world.grants).toHaveLength(1);
});

test('S5: a slow keychain gives an earlier user\'s token to nobody', async () => {
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
  expect(world.usersByAccess.get(valueOf(await session.renew(valueOf(await session.accessToken()))))).toBe('bia@example.com');
  stuck[0]?.open();
  expect(valueOf(await hanging)).toBe('signInNeeded');
  expect(session.user()).toBe('bia@example.com');
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

test('S1, S4, S5: under any interleaving one renewal runs at a time, no refresh token is sent twice, and no user has another\'s token', { timeout: 60_000 }, async () => {
  let renewals = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.constantFrom('call', 'call', 'call', 'refused', 'refused', 'wait', 'signOut', 'ana', 'bia'), { minLength: 3, maxLength: 14 }),
      fc.constantFrom(undefined, 1, 3600),
      async (scheduler, steps, expiresIn) => {
        const world = createWorld();
        world.expiresIn = expiresIn;
        const { session } = await signedIn(world);
        const held: string[] = [];
        let mostOfOne = 0;
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
        const use = async (asked: Promise<Result<string, Failure>>, email: string | null): Promise<void> => {
          const result = await asked;
          if (result.ok) {
            held.push(result.value);
            // A token answers for the user who was signed in when it was asked for.
            expect(world.usersByAccess.get(result.value)).toBe(email);
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
            mostOfOne = Math.max(mostOfOne, world.mostUnderWay);
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
        expect(mostOfOne).toBeLessThanOrEqual(1);
        const refreshes = world.grants.flatMap((grant) => (grant.grant_type === 'refresh_token' ? [grant.refresh_token] : []));
        renewals += refreshes.length;
        expect(new Set(refreshes).size).toBe(refreshes.length);
      },
    ),
    { numRuns: 10_000, seed: 1 },
  );
  expect(renewals).toBeGreaterThan(1_000);
});
