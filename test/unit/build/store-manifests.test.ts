import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { product } from '../../../build/project.ts';
import { writeManifests } from '../../../build/store-manifests.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const root = join(import.meta.dirname, '../../..');
const digestOf = (name: string): string => createHash('sha256').update(name).digest('hex');
const release = { version: '1.2.3', url: 'https://files.example.com/v1.2.3', digestOf };

test('winget is told of each installer for Windows, with its digest and whom it is for', () => {
  const manifests = writeManifests(release);
  const [version = '', installer = '', locale = ''] = ['', '.installer', '.locale.en-US'].map(
    (kind) => manifests[`Tillside.Tillside${kind}.yaml`],
  );
  for (const [text, kind] of [
    [version, 'version'],
    [installer, 'installer'],
    [locale, 'defaultLocale'],
  ] as const) {
    expect(text).toMatch(
      new RegExp(`^PackageIdentifier: Tillside\\.Tillside\nPackageVersion: 1\\.2\\.3\n[^]*\nManifestType: ${kind}\n`),
    );
  }
  const reported = installer
    .replace(/\nManifestType[^]*$/, '')
    .split('\n- ')
    .slice(3)
    .map((part) => [...part.matchAll(/^ *(\w+): (.+)$/gm)].map((match) => match[2]));
  expect(reported).toEqual(
    [
      ['x64', 'exe'],
      ['x64', 'msi'],
      ['arm64', 'exe'],
      ['arm64', 'msi'],
    ].map(([arch = '', kind = '']) => {
      const name = `Tillside-1.2.3-win-${arch}.${kind}`;
      const place = [`https://files.example.com/v1.2.3/${name}`, digestOf(name).toUpperCase()];
      return kind === 'exe' ? [arch, 'nullsoft', 'user', ...place, '/currentuser'] : [arch, 'msi', 'machine', ...place];
    }),
  );
});

test("Homebrew's cask has a digest for each processor, and keeps the data", () => {
  const cask = writeManifests(release)['tillside.rb'] ?? '';
  expect(cask).toContain(`sha256 arm:   "${digestOf('Tillside-1.2.3-mac-arm64.dmg')}"`);
  expect(cask).toContain(`intel: "${digestOf('Tillside-1.2.3-mac-x64.dmg')}"`);
  expect(cask).toContain('url "https://files.example.com/v#{version}/Tillside-#{version}-mac-#{arch}.dmg"');
  expect(cask).not.toMatch(/^ *zap/m);
});

test('they are written from the files of a release, and only when all of them are there', () => {
  const { version } = product;
  const folder = temporaryDirectory();
  const files = join(folder, 'release');
  const output = join(folder, 'manifests');
  mkdirSync(files);
  const names = ['x64', 'arm64'].flatMap((arch) => [
    `Tillside-${version}-win-${arch}.exe`,
    `Tillside-${version}-win-${arch}.msi`,
    `Tillside-${version}-mac-${arch}.dmg`,
  ]);
  for (const name of names) {
    writeFileSync(join(files, name), name);
  }
  const write = () =>
    spawnSync(
      process.execPath,
      [join(root, 'build', 'store-manifests.ts'), files, '--url', 'https://files.example.com/v1', '--output', output],
      { encoding: 'utf8' },
    );
  expect(write().status).toBe(0);
  expect(readdirSync(output).toSorted()).toEqual([
    'Tillside.Tillside.installer.yaml',
    'Tillside.Tillside.locale.en-US.yaml',
    'Tillside.Tillside.yaml',
    'tillside.rb',
  ]);
  const written = readdirSync(output).map((name) => readFileSync(join(output, name), 'utf8').toLowerCase());
  expect(names.filter((name) => !written.join('\n').includes(digestOf(name)))).toEqual([]);

  rmSync(join(files, names[0] ?? ''));
  rmSync(output, { recursive: true });
  expect(write()).toMatchObject({ status: 2, stderr: `${files} holds no ${names[0]}\n` });
});
