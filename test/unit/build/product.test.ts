import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeMsiProject } from '../../../build/msi.ts';
import { product, projectDirectory } from '../../../build/project.ts';
import { writeManifests } from '../../../build/store-manifests.ts';

const read = (path: string): string => readFileSync(join(projectDirectory, path), 'utf8');
const owner = new URL(product.repository.url).pathname.split('/')[1] ?? '';

test('package.json alone says where the product is found; its owners are a team of that account', () => {
  expect(product.bugs.url).toBe(`${product.repository.url}/issues`);
  const teams = read('.github/CODEOWNERS').match(/ \S+@\S+$| @\S+$/gm) ?? [];
  expect(teams.length).toBeGreaterThan(3);
  expect(teams.filter((team) => !team.startsWith(` @${owner}/`))).toEqual([]);
  const everything = globSync(['*.{md,yml,ts,json}', '{.ci,.github,app,assets,build,docs,renderer,test}/**/*'], {
    cwd: projectDirectory,
    exclude: ['package.json', 'package-lock.json'],
    withFileTypes: true,
  }).filter((entry) => entry.isFile() && !/\.(?:png|ico|icns|woff2)$/.test(entry.name));
  expect(everything.length).toBeGreaterThan(1000);
  const addresses = [product.repository.url, product.homepage.replace(/\/$/, '')];
  const others = everything
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => addresses.some((address) => readFileSync(path, 'utf8').includes(address)));
  expect(others).toEqual([]);
});

test.each([
  'package.json',
  'electron-builder.yml',
  'SECURITY.md',
  'CONTRIBUTING.md',
  ...globSync('.github/**/*.*', { cwd: projectDirectory }),
])('%s has no made-up address where the product’s own belongs', (path) => {
  expect(read(path)).not.toMatch(/example\.(?:com|org|net)/);
});

test('the MSI and winget say where help is, and by whom the product is', () => {
  const msi = writeMsiProject(['Tillside.exe'], { version: '1.2.3', arch: 'x64' });
  const winget = Object.values(writeManifests({ version: '1.2.3', url: 'https://files', digestOf: () => '' })).join(
    '\n',
  );
  for (const known of [product.author.name, product.homepage, product.bugs.url]) {
    expect(msi).toContain(`="${known}"`);
    expect(winget).toContain(`: ${known}\n`);
  }
});
