// The signature of the feed of updates: Ed25519 (RFC 8032) over the exact bytes of latest*.yml, in a file of the same
// name with ".sig" after it, base64.
import { createPublicKey, verify, type KeyObject } from 'node:crypto';

const signatureBytes = 64;
const keyBytes = 32;

function readPublicKey(publicKey: string): KeyObject | null {
  const raw = Buffer.from(publicKey, 'base64');
  return raw.length === keyBytes
    ? createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') } })
    : null;
}

/**
 * Whether this signature is that of the holder of one of the keys over just this text. False for anything that is no
 * key or no signature.
 */
export function isSignedFeed(feed: string, signature: string, publicKeys: readonly string[]): boolean {
  const given = Buffer.from(signature.trim(), 'base64');
  return (
    given.length === signatureBytes &&
    publicKeys.some((publicKey) => {
      const key = readPublicKey(publicKey);
      return key !== null && verify(null, Buffer.from(feed, 'utf8'), key, given);
    })
  );
}
