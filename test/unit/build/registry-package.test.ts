import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fetchFromRegistry } from '../../../build/registry-package.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

/** A package whose version has this hash, beside an npm that has packed it and notes each of its calls. */
function makePackage() {
  const folder = temporaryDirectory();
  const path = (name: string): string => join(folder, name);
  mkdirSync(path('package/native/bin'), { recursive: true });
  writeFileSync(path('package/native/bin/server'), 'server', { mode: 0o644 });
  execFileSync('tar', ['-czf', path('packed.tgz'), '-C', folder, 'package']);
  writeFileSync(
    path('npm.mjs'),
    `import { appendFileSync, copyFileSync } from 'node:fs';
    appendFileSync(${JSON.stringify(path('calls'))}, process.argv.slice(2, 4).join(' ') + '\\n');
    copyFileSync(${JSON.stringify(path('packed.tgz'))}, process.argv[5] + '/scope-server-1.2.3.tgz');`,
  );
  vi.stubEnv('npm_execpath', path('npm.mjs'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const told: string[] = [];
  const directory = path('.cache/server');
  const sha512 = createHash('sha512')
    .update(readFileSync(path('packed.tgz')))
    .digest('base64');
  const fetch = (change: { readonly version?: string; readonly sha512?: string } = {}): number =>
    fetchFromRegistry(
      {
        title: 'Server',
        name: '@scope/server',
        version: '1.2.3',
        sha512,
        megabytes: 1,
        part: 'native',
        directory,
        executables: ['bin/server'],
        use: 'nobody uses it',
        elsewhere: 'there is none',
        ...change,
      },
      (line) => told.push(line),
    );
  return { path, directory, fetch, told, calls: () => readFileSync(path('calls'), 'utf8') };
}

const isLinux = process.platform === 'linux' && process.arch === 'x64';

test.skipIf(!isLinux)('a package of the registry is fetched once, and again when another version is named', () => {
  const { directory, fetch, calls } = makePackage();
  expect([fetch(), fetch()]).toEqual([0, 0]);
  expect(statSync(join(directory, 'bin/server')).mode & 0o777).toBe(0o755);
  expect(calls()).toBe('pack @scope/server@1.2.3\n');
  expect(fetch({ version: '1.2.4' })).toBe(0);
  expect(calls()).toBe('pack @scope/server@1.2.3\npack @scope/server@1.2.4\n');
});

test.skipIf(!isLinux)('a package that is not the examined one is not unpacked, and leaves what was there', () => {
  const { path, directory, fetch, told } = makePackage();
  expect(fetch()).toBe(0);
  expect(fetch({ version: '1.2.4', sha512: 'other' })).toBe(1);
  expect(told.at(-1)).toContain('nothing has been unpacked');
  expect(readFileSync(join(directory, 'version'), 'utf8')).toBe('1.2.3');
  expect(existsSync(join(directory, 'bin/server'))).toBe(true);
  expect(readdirSync(path('.cache'))).toEqual(['server']);
});
