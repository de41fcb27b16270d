import { expect } from 'vitest';
import type { Failure } from '../../../app/domain/failure.ts';
import { fail, succeed, type Result } from '../../../app/domain/result.ts';
import type { TokenAnswer } from '../../../app/platform/token-answer.ts';
import type { ClientCredentials, Grant } from '../../../app/platform/tokens.ts';
import type { Vault } from '../../../app/ports.ts';
import { createSession, type Session, type SessionMark, type SessionPorts } from '../../../app/session/session.ts';
import { createManualClock, settlePromises } from '../../support/manual-clock.ts';
import type { AccessToken } from '../../../app/platform/access-token.ts';

type Reply = Result<TokenAnswer, Failure>;
type VaultMood = 'open' | 'locked' | 'unavailable';

export const refused: Reply = fail({ kind: 'credentialsRejected', status: 400, code: 'invalid_grant' });

interface Gate {
  readonly name: string;
  open(): void;
}

/**
 * A platform that rotates refresh tokens and knows each once, and a keychain with moods; both can be made to wait at a
 * gate.
 */
export function createWorld() {
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
    /** The marks are not kept. */
    isDiskFull: false,
    mood: 'open' as VaultMood,
    /** The platform's answer instead of a token. */
    trouble: null as Reply | null,
    client: Promise.resolve<Result<ClientCredentials, Failure>>(
      succeed({ clientId: 'client', clientSecret: 'made-up' }),
    ),
    expiresIn: undefined as number | undefined,
    rotation: 'rotated' as 'rotated' | 'silent',
    underWay: 0,
    maxUnderWay: 0,
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
    world.maxUnderWay = Math.max(world.maxUnderWay, world.underWay);
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

  function openSession(more: Partial<SessionPorts> = {}): Session {
    return createSession({
      ...more,
      clock,
      vault,
      requestToken: (_client, grant) => requestToken(grant),
      client: () => world.client,
      saveMark: (mark) => {
        marks.push(mark);
        return world.isDiskFull ? fail({ kind: 'storageFull' }) : succeed(undefined);
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

export async function signedIn(world = createWorld(), email = 'ana@example.com') {
  const session = world.openSession();
  expect(await session.signIn(email, 'right')).toEqual({ ok: true, value: undefined });
  return { world, session };
}

export function valueOf(result: Result<AccessToken, Failure>): string {
  return result.ok ? result.value.text : result.failure.kind;
}
