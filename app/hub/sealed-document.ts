import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import type { Random } from '../ports.ts';
import { parseDocument, type HubDocument } from './document.ts';
import type { HubReading } from './link.ts';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Seals a text under a key of 32 bytes; `about` says what it is, and opening it needs the same. */
function seal(key: Uint8Array, about: string, text: string, random: Pick<Random, 'uuid'>): string {
  const iv = createHash('sha256').update(random.uuid()).digest().subarray(0, ivBytes);
  const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(about));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
}

/** The text, or null where the key or what it is about are others, or a bit of it. */
function open(key: Uint8Array, about: string, sealed: string): string | null {
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

/** What is sealed, so that a document cannot stand for another account or an earlier one. */
function meaningOf(account: string, version: number): string {
  return `tillside-hub 1\n${account}\n${version}`;
}

type Opened = { readonly document: HubDocument | null } | { readonly failure: 'otherKey' | 'newerDocument' };

/** The document of a reading; null where there is none yet. */
export function openDocument(key: Uint8Array, account: string, { document, version }: HubReading): Opened {
  if (document === null) {
    return { document: null };
  }
  const text = open(key, meaningOf(account, version), document);
  if (text === null) {
    return { failure: 'otherKey' };
  }
  const parsed = parseDocument(JSON.parse(text));
  return parsed === null ? { failure: 'newerDocument' } : { document: parsed };
}

/** The document as it is written with its next version. */
export function sealDocument(
  key: Uint8Array,
  account: string,
  version: number,
  document: HubDocument,
  random: Pick<Random, 'uuid'>,
): string {
  return seal(key, meaningOf(account, version), JSON.stringify(document), random);
}
