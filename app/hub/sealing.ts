import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import type { Random } from '../ports.ts';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Seals a text under a key of 32 bytes; `about` says what it is, and opening it needs the same. */
export function seal(key: Uint8Array, about: string, text: string, random: Pick<Random, 'uuid'>): string {
  const iv = createHash('sha256').update(random.uuid()).digest().subarray(0, ivBytes);
  const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(about));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
}

/** The text, or null where the key or what it is about are others, or a bit of it. */
export function open(key: Uint8Array, about: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length < ivBytes + tagBytes) {
    return null;
  }
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
