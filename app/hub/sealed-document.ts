import type { Random } from '../ports.ts';
import { parseDocument, type HubDocument } from './document.ts';
import type { HubReading } from './link.ts';
import { open, seal } from './sealing.ts';

/** The meaning that is sealed with a document, so that it cannot stand for another account or an earlier one. */
function meaningOf(account: string, version: number): string {
  return `tillside-hub 1\n${account}\n${version}`;
}

type Opened = { readonly document: HubDocument | null } | { readonly failure: 'otherKey' | 'newerDocument' };

/** The document of a reading; null where there is none yet. */
export function openDocument(key: Uint8Array, account: string, { document, version }: HubReading): Opened {
  if (document === null) {
    return { document: null };
  }
  const text = open(key, meaningOf(account, version), Buffer.from(document, 'base64'));
  if (text === null) {
    return { failure: 'otherKey' };
  }
  const parsed = parseDocument(JSON.parse(text.toString('utf8')));
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
  return seal(key, meaningOf(account, version), Buffer.from(JSON.stringify(document)), random).toString('base64');
}
