import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { isSignedFeed } from '../../../../app/hosts/updates/signature.ts';
import { publicKeyOf, signFeed, withExpiry, withPercentage } from '../../../../build/sign-feed.ts';

const newKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const feed = 'version: 0.2.0\nfiles: []\n';

test('a feed that the holder of the key has signed is known as such, to the byte', () => {
  const key = newKey();
  const signature = signFeed(feed, key);
  expect(isSignedFeed(feed, signature, [publicKeyOf(key)])).toBe(true);
  expect(isSignedFeed(`${feed} `, signature, [publicKeyOf(key)])).toBe(false);
  expect(isSignedFeed(feed, signature, [publicKeyOf(newKey())])).toBe(false);
});

test('while one key takes the place of another, a feed of either is believed, and no other', () => {
  const [old, next] = [newKey(), newKey()];
  const known = [publicKeyOf(old), publicKeyOf(next)];
  expect([old, next, newKey()].map((key) => isSignedFeed(feed, signFeed(feed, key), known))).toEqual([
    true,
    true,
    false,
  ]);
});

test.each(['', 'no signature', '<html></html>', 'A'.repeat(86) + '==', 'A'.repeat(10_000)])(
  '%j is no signature',
  (signature) => {
    expect(isSignedFeed(feed, signature, [publicKeyOf(newKey())])).toBe(false);
  },
);

test('without a key, or with half of one, nothing is signed', () => {
  const key = newKey();
  expect(isSignedFeed(feed, signFeed(feed, key), [])).toBe(false);
  expect(isSignedFeed(feed, signFeed(feed, key), ['', publicKeyOf(key).slice(0, 20)])).toBe(false);
});

test('the stage of a feed is written once', () => {
  expect(withPercentage(feed, 10)).toBe('version: 0.2.0\nfiles: []\nstagingPercentage: 10\n');
  expect(withPercentage(withPercentage(feed, 10), 50)).toBe('version: 0.2.0\nfiles: []\nstagingPercentage: 50\n');
});

test('the day until which a feed is good is written once, as text', () => {
  const [soon, later] = [new Date('2026-12-01T00:00:00Z'), new Date('2027-01-01T00:00:00Z')];
  expect(withExpiry(withExpiry(feed, soon), later)).toBe(
    "version: 0.2.0\nfiles: []\nexpires: '2027-01-01T00:00:00.000Z'\n",
  );
});
