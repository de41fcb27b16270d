import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface LockedPackage {
  readonly version?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly resolved?: string;
  readonly integrity?: string;
}

const text = readFileSync(join(import.meta.dirname, '../../../package-lock.json'), 'utf8');
const { packages } = JSON.parse(text) as { readonly packages: Readonly<Record<string, LockedPackage>> };

/** The packages that npm would take from a registry without knowing what it should get. */
function withoutDigest(locked: Readonly<Record<string, LockedPackage>>): readonly string[] {
  return Object.entries(locked)
    .filter(([path, { link, inBundle }]) => path !== '' && link !== true && inBundle !== true)
    .filter(([, { integrity = '' }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity))
    .map(([path]) => path);
}

test('every package of the lockfile has its digest, and no registry is named', () => {
  expect(Object.keys(packages).length).toBeGreaterThan(500);
  expect(withoutDigest(packages)).toEqual([]);
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});

test('a package whose digest is gone, shortened or of a weaker kind is found', () => {
  const [path = ''] = Object.keys(packages).filter((name) => name !== '');
  for (const integrity of [undefined, 'sha512-AAAA', `sha1-${'A'.repeat(27)}=`]) {
    expect(
      withoutDigest({ ...packages, [path]: { version: '1.0.0', ...(integrity === undefined ? {} : { integrity }) } }),
    ).toEqual([path]);
  }
});
