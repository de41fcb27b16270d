import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** The kind of a sealed text: a call, an event, or the answer to the call whose nonce is named. */
export type Purpose = 'call' | 'event' | `answer ${string}`;

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

export type Sealing = ReturnType<typeof createSealing>;

/** The nonce of what was sealed, in base64url. */
export function nonceOf(sealed: Buffer): string {
  return sealed.subarray(0, nonceBytes).toString('base64url');
}

/** Draws a key. */
export function createSealing() {
  const key = randomBytes(32);
  return {
    /** The key for the pages, in base64url. */
    key: key.toString('base64url'),
    /** The nonce, the text under the key, and the tag. */
    seal: (text: string, purpose: Purpose): Buffer<ArrayBuffer> => {
      const nonce = randomBytes(nonceBytes);
      const encrypting = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(purpose));
      return Buffer.concat([nonce, encrypting.update(text, 'utf8'), encrypting.final(), encrypting.getAuthTag()]);
    },
    /** The text; null for what was not sealed under this key for this purpose. */
    open: (sealed: Buffer, purpose: Purpose): string | null => {
      if (sealed.length < nonceBytes + tagBytes) {
        return null;
      }
      const end = sealed.length - tagBytes;
      const decrypting = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(sealed.subarray(end));
      try {
        return Buffer.concat([decrypting.update(sealed.subarray(nonceBytes, end)), decrypting.final()]).toString(
          'utf8',
        );
      } catch {
        // The tag does not fit.
        return null;
      }
    },
  };
}
