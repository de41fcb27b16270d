// The signature of what an address offers: Ed25519 (RFC 8032) over the exact bytes of a file, in a file of the same name
// with ".sig" after it, base64.
import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { isStampAhead } from '../../domain/date-time.ts';

const signatureBytes = 64;
const keyBytes = 32;

function readPublicKey(publicKey: string): KeyObject | null {
  const raw = Buffer.from(publicKey, 'base64');
  return raw.length === keyBytes
    ? createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') } })
    : null;
}

/** Whether the holder of one of the keys has signed just this text; false for no key, or no signature. */
export function isSigned(text: string, signature: string, publicKeys: readonly string[]): boolean {
  const given = Buffer.from(signature.trim(), 'base64');
  return (
    given.length === signatureBytes &&
    publicKeys.some((publicKey) => {
      const key = readPublicKey(publicKey);
      return key !== null && verify(null, Buffer.from(text, 'utf8'), key, given);
    })
  );
}

const dayMs = 24 * 3_600_000;

/**
 * Whether what says that it was signed then was signed by a clock that was ahead: of this machine's clock, and of the
 * server's that offers it, where that tells its own; all in milliseconds since 1970.
 */
export function isSignedAhead(at: number, now: number, servedAt: number | null): boolean {
  // Either may be behind.
  return isStampAhead(at, Math.max(now, servedAt ?? now));
}

/** The most days that anything is signed for. */
export const maxSignedDays = 365;

/** Whether what is good until then is good now; both in milliseconds since 1970. */
export function isGoodOn(until: number, now: number): boolean {
  // A day more, for a clock that is only a little behind.
  return now <= until && until - now <= (maxSignedDays + 1) * dayMs;
}
