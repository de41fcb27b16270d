import { createCipheriv, createDecipheriv, createHash, type CipherKey } from 'node:crypto';
import type { Random } from '../ports.ts';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Seals bytes under a key of 32 bytes; `about` says what they are, and opening them needs the same. */
export function seal(key: CipherKey, about: string, bytes: Uint8Array, random: Pick<Random, 'uuid'>): Buffer {
  const iv = createHash('sha256').update(random.uuid()).digest().subarray(0, ivBytes);
  const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(about));
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** The bytes, or null where the key or what they are about are others, or a bit of them. */
export function open(key: CipherKey, about: string, bytes: Uint8Array): Buffer | null {
  if (bytes.length < ivBytes + tagBytes) {
    return null;
  }
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
  } catch {
    return null;
  }
}
