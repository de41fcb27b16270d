import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { HubServer } from '../../hub/address.ts';
import type { HubFailureKind, HubSignIn } from '../../hub/link.ts';
import { failureOf } from './hub-error.ts';
import { connectPg, type PgConnection } from './pg-connection.ts';

/** A terminal starts without its hub: nobody waits for this. */
const timeoutMs = 5_000;

export const makePassword = (): string => randomBytes(24).toString('base64url');

/** Somebody may read the server's log, so that it never has the password: RFC 5803, as PostgreSQL keeps it. */
export function verifierOf(password: string): string {
  const [iterations, salt] = [4_096, randomBytes(16)];
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyOf = (name: string): Buffer => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${keyOf('Server Key').toString('base64')}`;
}

async function ask(as: HubServer, sql: string, values: readonly unknown[]): ReturnType<PgConnection['query']> {
  const signal = AbortSignal.timeout(timeoutMs);
  const connection = await connectPg(as, signal);
  try {
    return await connection.query(sql, values, signal);
  } finally {
    await connection.end(signal);
  }
}

/** The shop's key after the one of this id, still sealed; null where the hub does not say. */
export async function findNextKey(server: HubServer, keyId: string): Promise<string | null> {
  const [found] = await ask(server, 'select tillside_hub.hub_follow($1) as sealed', [keyId]).catch(() => []);
  return typeof found?.['sealed'] === 'string' ? found['sealed'] : null;
}

/** With these there is no such sign-in, or no such hub. */
const ended: ReadonlySet<HubFailureKind> = new Set(['wrongPassword', 'notLetIn', 'noDatabase', 'notSetUp']);

/** Lets nobody sign in any more as this terminal alone does; false where the hub did not answer. */
export async function endSignIn(server: HubServer): Promise<boolean> {
  try {
    await ask(server, 'select tillside_hub.hub_leave()', []);
    return true;
  } catch (error) {
    return ended.has(failureOf(error).kind);
  }
}

/**
 * Makes a sign-in of this terminal's own with that of the hub's address, and tries it. Null where the hub has no roles
 * for tills, has too many, or does not let this one in (pg_hba.conf).
 */
export async function makeSignIn(server: HubServer, terminalName: string): Promise<HubSignIn | null> {
  const password = makePassword();
  try {
    const [made] = await ask(server, 'select tillside_hub.hub_join($1, $2) as role', [
      terminalName,
      verifierOf(password),
    ]);
    const user = String(made?.['role']);
    if (!/^tillside_tills_[0-9a-f_]{1,48}$/.test(user)) {
      return null;
    }
    const own = { ...server, user, password };
    await ask(own, 'select', []);
    const arrive = async (): Promise<boolean> => {
      const [arrived] = await ask(own, 'select tillside_hub.hub_arrive() as "isSo"', []).catch(() => []);
      return arrived?.['isSo'] === true;
    };
    return { user, password, arrive };
  } catch {
    return null;
  }
}
