// How the first answer to a key is written down.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { KeptAnswer } from './ports.ts';

/** How an answer is written under its key: `open` gives null to a request that must not be told it. */
export interface Seal {
  readonly close: (answer: KeptAnswer) => KeptAnswer;
  readonly open: (kept: KeptAnswer) => KeptAnswer | null;
}

const cipher = 'aes-256-gcm';
const sealMark = 'sealed:';
const [nonceBytes, tagBytes] = [12, 16];

/** In clear. */
export const noSeal: Seal = {
  close: (answer) => answer,
  open: (kept) => (kept.body.startsWith(sealMark) ? null : kept),
};

/** A token is never written in clear: what is granted is readable by the secrets of the same request alone. */
export function sealBy(body: string): Seal {
  const secret = createHash('sha256').update(body).digest();
  return {
    close: (answer) => {
      if (answer.status >= 300) {
        return answer;
      }
      const nonce = randomBytes(nonceBytes);
      const sealing = createCipheriv(cipher, secret, nonce);
      const text = Buffer.concat([sealing.update(answer.body, 'utf8'), sealing.final()]);
      const sealed = Buffer.concat([nonce, sealing.getAuthTag(), text]);
      return { ...answer, body: sealMark + sealed.toString('base64') };
    },
    open: (kept) => {
      if (!kept.body.startsWith(sealMark)) {
        // A refusal is in clear. What else is belongs to another kind of request.
        return kept.status >= 300 ? kept : null;
      }
      const sealed = Buffer.from(kept.body.slice(sealMark.length), 'base64');
      const opening = createDecipheriv(cipher, secret, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes });
      opening.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
      try {
        const text = Buffer.concat([opening.update(sealed.subarray(nonceBytes + tagBytes)), opening.final()]);
        return { ...kept, body: text.toString('utf8') };
      } catch {
        return null;
      }
    },
  };
}
