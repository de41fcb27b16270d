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

/** By which the server tells a shop's keys apart. */
export const keyIdOf = (storeKey: string): string => createHash('sha256').update(storeKey).digest('base64url');

const meaningOfNext = (id: string): string => `tillside-hub key\n${id}`;
const bytesOf = (storeKey: string): Buffer => Buffer.from(storeKey, 'base64url');

/** The key that comes after this one, for who has this one. */
export function sealNextKey(storeKey: string, next: string, random: Pick<Random, 'uuid'>): string {
  return seal(bytesOf(storeKey), meaningOfNext(keyIdOf(storeKey)), bytesOf(next), random).toString('base64');
}

/** Null where it was not sealed with this one. */
export function openNextKey(storeKey: string, sealed: string): string | null {
  const bytes = open(bytesOf(storeKey), meaningOfNext(keyIdOf(storeKey)), Buffer.from(sealed, 'base64'));
  return bytes?.length === 32 ? bytes.toString('base64url') : null;
}
