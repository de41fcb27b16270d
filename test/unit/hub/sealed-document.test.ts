import { expect, test } from 'vitest';
import type { HubDocument } from '../../../app/hub/document.ts';
import { openDocument, sealDocument } from '../../../app/hub/sealed-document.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';

const key = new Uint8Array(32).fill(1);
const document: HubDocument = {
  format: 1,
  epoch: 'one',
  restored: null,
  serverMs: 0,
  loMs: 0,
  hiMs: 0,
  lendsFromMs: 0,
  refusal: null,
  members: {},
};
const random = createSeededRandom('seal');
const sealed = sealDocument(key, 'account', 7, document, random);
const reading = { version: 7, document: sealed, isUnused: false, serverMs: 0 };

test('what was sealed is opened with its key, account and version', () => {
  expect(openDocument(key, 'account', reading)).toEqual({ document });
  expect(openDocument(key, 'account', { ...reading, document: null })).toEqual({ document: null });
});

test('it shows nothing of what it holds, and is another text each time', () => {
  expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('epoch');
  expect(sealDocument(key, 'account', 7, document, random)).not.toBe(sealed);
});

test.each([
  ['another key', new Uint8Array(32).fill(2), 'account', reading],
  ['another account', key, 'other', reading],
  ['an earlier document in the place of a later one', key, 'account', { ...reading, version: 8 }],
  ['a changed bit', key, 'account', { ...reading, document: `${sealed[0] === 'A' ? 'B' : 'A'}${sealed.slice(1)}` }],
  ['a cut text', key, 'account', { ...reading, document: sealed.slice(0, 20) }],
  ['no sealed text', key, 'account', { ...reading, document: '{"format":1}' }],
])('%s opens nothing', (_, otherKey, account, other) => {
  expect(openDocument(otherKey, account, other)).toEqual({ failure: 'otherKey' });
});

test('what a newer version of the app has written is told as such', () => {
  const newer = { ...document, format: 2 } as unknown as HubDocument;
  const text = sealDocument(key, 'account', 7, newer, random);
  expect(openDocument(key, 'account', { ...reading, document: text })).toEqual({ failure: 'newerDocument' });
});
