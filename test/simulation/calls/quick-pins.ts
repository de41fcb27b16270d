// PINs under a virtual clock. The real hash takes a tenth of a second in another thread, of which a virtual clock knows
// nothing; here it takes its time by that clock, and costs next to nothing. It is the same function of a smaller cost.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import type { World } from '../virtual-clock.ts';

const hashMs = 80;
const real = crypto.scrypt;

type Scrypt = (
  password: crypto.BinaryLike,
  salt: crypto.BinaryLike,
  length: number,
  options: crypto.ScryptOptions,
  callback: (error: Error | null, key: Buffer) => void,
) => void;

/** Hashes PINs in this world's time until the answered function is called. */
export function hashInTime(world: World): () => void {
  const quick: Scrypt = (password, salt, length, options, callback) => {
    const key = crypto.scryptSync(password, salt, length, { ...options, N: 2 });
    world.after(hashMs, () => callback(null, key));
  };
  Object.assign(crypto, { scrypt: quick });
  syncBuiltinESMExports();
  return () => {
    Object.assign(crypto, { scrypt: real });
    syncBuiltinESMExports();
  };
}
