// PINs at next to no cost: the real hash takes a tenth of a second of a processor. It is the same function of a smaller
// cost. What the real one costs is proven in test/unit/lock/pin.test.ts, and built apps have it.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const real = crypto.scrypt;

type Scrypt = (
  password: crypto.BinaryLike,
  salt: crypto.BinaryLike,
  length: number,
  options: crypto.ScryptOptions,
  callback: (error: Error | null, key: Buffer) => void,
) => void;

/** Hashes PINs so, and hands each answer to `later`, until the answered function is called. */
export function hashQuickly(later: (answer: () => void) => void): () => void {
  const quick: Scrypt = (password, salt, length, options, callback) => {
    const key = crypto.scryptSync(password, salt, length, { ...options, N: 2 });
    later(() => callback(null, key));
  };
  Object.assign(crypto, { scrypt: quick });
  syncBuiltinESMExports();
  return () => {
    Object.assign(crypto, { scrypt: real });
    syncBuiltinESMExports();
  };
}
