import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  readonly inBundle?: boolean;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly integrity?: string;
}
type Locked = Readonly<Record<string, LockedPackage>>;

const root = join(import.meta.dirname, '../../..');
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { readonly packages: Locked };
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};

/**
 * The packages that npm would take from a registry without knowing what it should get. None is exempt: what is marked as
 * another's part and lies below none that brings it along comes from a registry, too.
 */
function withoutDigest(locked: Locked): readonly string[] {
  return Object.entries(locked)
    .filter(([path, { integrity = '' }]) => path !== '' && !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity))
    .map(([path]) => path);
}

/** The packages that npm would ask for by another name than their folder has, where package.json does not say so. */
function underOtherName(locked: Locked): readonly string[] {
  return Object.entries(locked)
    .filter(([path, { name }]) => {
      const said = /^npm:(.+)@/.exec(dependencies[path.replace(/^node_modules\//, '')] ?? '')?.[1];
      return path !== '' && name !== said;
    })
    .map(([path]) => path);
}

test('every package of the lockfile has its digest, and no registry is named', () => {
  expect(Object.keys(packages).length).toBeGreaterThan(500);
  expect(withoutDigest(packages)).toEqual([]);
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});

test('no package of the lockfile is another one than its folder says', () => {
  expect(underOtherName(packages)).toEqual([]);
  for (const path of ['node_modules/axios', 'node_modules/keytar']) {
    expect(underOtherName({ ...packages, [path]: { ...packages[path], name: 'axios-of-others' } })).toEqual([path]);
  }
});

test('a package whose digest is gone, shortened or of a weaker kind is found', () => {
  const [path = ''] = Object.keys(packages).filter((name) => name !== '');
  for (const integrity of [undefined, 'sha512-AAAA', `sha1-${'A'.repeat(27)}=`]) {
    for (const marks of [{}, { inBundle: true }, { link: true }]) {
      expect(
        withoutDigest({
          ...packages,
          [path]: { version: '1.0.0', ...marks, ...(integrity === undefined ? {} : { integrity }) },
        }),
      ).toEqual([path]);
    }
  }
});
