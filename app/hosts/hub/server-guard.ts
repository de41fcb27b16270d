import { maxDocumentLength } from '../../hub/link.ts';
import { createPostgresGuard, signInKinds, type PostgresGuard } from '../node/postgres-guard.ts';
import { HubError } from './hub-error.ts';

/** Of one message, in bytes: it may hold a text of the hub, or all records of an account. */
export const maxMessageBytes = 2 * maxDocumentLength;

/**
 * A guard for one connection. Where `canBind`, the sign-in must be bound to the server's certificate (RFC 5802 §6). It
 * throws a `HubError`: `weakSignIn`, `failed` with `tooLong`, or `failed` with `unreadable`.
 */
export function createServerGuard(canBind: boolean): PostgresGuard {
  const { trust, sasl } = signInKinds;
  return createPostgresGuard({
    // Without TLS the server is this machine's, which may trust whoever is here.
    signIns: canBind ? [sasl] : [trust, sasl],
    mechanism: canBind ? 'SCRAM-SHA-256-PLUS' : 'SCRAM-SHA-256',
    maxMessageBytes,
    maxAnswerBytes: 4 * maxMessageBytes,
    maxAnswerMessages: 10_000,
    refuse: (why) => (why === 'weakSignIn' ? new HubError(why) : new HubError('failed', why)),
  });
}
