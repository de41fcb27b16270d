import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { isGoodOn, isSigned } from '../../../../app/hosts/signed/signature.ts';
import { publicKeyOf, signText, withExpiry, withPercentage } from '../../../../build/sign-feed.ts';

const newKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const feed = 'version: 0.2.0\nfiles: []\n';

test('a feed that the holder of the key has signed is known as such, to the byte', () => {
  const key = newKey();
  const signature = signText(feed, key);
  expect(isSigned(feed, signature, [publicKeyOf(key)])).toBe(true);
  expect(isSigned(`${feed} `, signature, [publicKeyOf(key)])).toBe(false);
  expect(isSigned(feed, signature, [publicKeyOf(newKey())])).toBe(false);
});

test('while one key takes the place of another, a feed of either is believed, and no other', () => {
  const [old, next] = [newKey(), newKey()];
  const known = [publicKeyOf(old), publicKeyOf(next)];
  expect([old, next, newKey()].map((key) => isSigned(feed, signText(feed, key), known))).toEqual([true, true, false]);
});

test.each(['', 'no signature', '<html></html>', 'A'.repeat(86) + '==', 'A'.repeat(10_000)])(
  '%j is no signature',
  (signature) => {
    expect(isSigned(feed, signature, [publicKeyOf(newKey())])).toBe(false);
  },
);

test('without a key, or with half of one, nothing is signed', () => {
  const key = newKey();
  expect(isSigned(feed, signText(feed, key), [])).toBe(false);
  expect(isSigned(feed, signText(feed, key), ['', publicKeyOf(key).slice(0, 20)])).toBe(false);
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

test('what is signed is good until it expires, and for a year and a day at most', () => {
  const [now, dayMs] = [Date.UTC(2026, 10, 1), 24 * 3_600_000];
  const isGood = [-1, 0, 1, 90 * dayMs, 366 * dayMs, 366 * dayMs + 1].map((ms) => isGoodOn(now + ms, now));
  expect(isGood).toEqual([false, true, true, true, true, false]);
});
