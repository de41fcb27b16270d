import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** One package as it lies in node_modules. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly licence: string;
  readonly licenceText: string;
  /** Of the tarball that it came in, as the lockfile has it: "sha512-" and base64. */
  readonly integrity: string;
}

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly integrity?: string }>>;
}

/**
 * The folder of the package that a module belongs to, from the project's folder on, or null for a module of our own.
 */
export function packageFolderOf(moduleId: string): string | null {
  const path = moduleId.replace(/^\0(?:[a-z-]+:)?/, '').replaceAll('\\', '/');
  const found = /^.*(node_modules\/(?:@[^/]+\/)?[^/?]+)/.exec(path);
  if (found === null) {
    return null;
  }
  return path.slice(path.indexOf('node_modules/'), (found.index ?? 0) + found[0].length);
}

const licenceFile = /^(?:licen[cs]e|copying)(?:[.-].*)?$/i;

/**
 * The text of the MIT licence (https://spdx.org/licenses/MIT.html), for the few packages that name it but leave it out
 * of their tarball.
 */
function mitText(author: string): string {
  return `MIT License

Copyright (c) ${author}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the
following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
}

/** Files of packages that are made of other people's software, whom the package's own licence does not name. */
const madeOfOthers: ReadonlyMap<string, string> = new Map([['bwip-js', 'dist/bwip-js.mjs']]);

/** What the head of such a file says of it, up to the name of the licence. Throws where it names nobody. */
function readOthers(path: string): string {
  const [, others] = /^\/\/ (This file contains code [^]*?)\n\/\/\n/m.exec(readFileSync(path, 'utf8')) ?? [];
  if (others?.includes('Copyright (c)') !== true) {
    throw new Error(`${path} no longer says whose software it is made of`);
  }
  return others.replaceAll(/^\/\/ ?/gm, '');
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
}

function read(root: string, folder: string, lockfile: Lockfile): ShippedPackage {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
  const locked = lockfile.packages[folder];
  if (locked?.version !== manifest.version || locked.integrity === undefined) {
    throw new Error(
      `${folder} is ${manifest.version}, and ${locked?.version ?? 'nothing'} in the lockfile; run "npm ci"`,
    );
  }
  if (manifest.license === undefined) {
    throw new Error(`${folder} names no licence`);
  }
  const file = readdirSync(join(root, folder)).find((name) => licenceFile.test(name));
  const author =
    typeof manifest.author === 'string'
      ? manifest.author
      : (manifest.author?.name ?? `the authors of ${manifest.name}`);
  if (file === undefined && manifest.license !== 'MIT') {
    throw new Error(`${folder} (${manifest.license}) brings no text of its licence`);
  }
  const own =
    file === undefined
      ? mitText(author)
      : readFileSync(join(root, folder, file), 'utf8')
          .replaceAll('\r\n', '\n')
          .trim();
  const made = madeOfOthers.get(manifest.name);
  return {
    name: manifest.name,
    version: manifest.version,
    licence: manifest.license,
    licenceText: made === undefined ? own : `${own}\n\n${readOthers(join(root, folder, made))}`,
    integrity: locked.integrity,
  };
}

/**
 * Reads the packages in these folders, by name and version. Throws one sentence about the first that is not in order.
 */
export function readShipped(root: string, folders: Iterable<string>): readonly ShippedPackage[] {
  const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile;
  const known = [...new Set(folders)].map((folder) => read(root, folder, lockfile));
  return known.toSorted(
    (one, other) => one.name.localeCompare(other.name, 'en') || one.version.localeCompare(other.version, 'en'),
  );
}

/** The notices that go out with the app. */
export function writeNotices(packages: readonly ShippedPackage[]): string {
  const rule = '-'.repeat(100);
  const parts = packages.map(
    ({ name, version, licence, licenceText }) => `${rule}\n${name} ${version} (${licence})\n\n${licenceText}\n`,
  );
  return `Tillside contains the following software of other people, under the licences below. Electron's own licence and those of\nChromium's parts lie beside the program as LICENSE.electron.txt and LICENSES.chromium.html.\n\n${parts.join('\n')}`;
}

export interface Product {
  readonly version: string;
  readonly electronVersion: string;
}

/** The bill of materials, CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/), the same for the same input. */
export function writeBill(packages: readonly ShippedPackage[], { version, electronVersion }: Product): string {
  const components = packages.map((one) => ({
    type: 'library',
    'bom-ref': `pkg:npm/${one.name.replace('@', '%40')}@${one.version}`,
    name: one.name,
    version: one.version,
    purl: `pkg:npm/${one.name.replace('@', '%40')}@${one.version}`,
    licenses: [/ (?:OR|AND) /.test(one.licence) ? { expression: one.licence } : { license: { id: one.licence } }],
    hashes: [{ alg: 'SHA-512', content: Buffer.from(one.integrity.replace(/^sha512-/, ''), 'base64').toString('hex') }],
  }));
  const electron = {
    type: 'framework',
    'bom-ref': `pkg:npm/electron@${electronVersion}`,
    name: 'electron',
    version: electronVersion,
    purl: `pkg:npm/electron@${electronVersion}`,
    licenses: [{ license: { id: 'MIT' } }],
  };
  const product = {
    type: 'application',
    'bom-ref': 'tillside',
    name: 'tillside',
    version,
    licenses: [{ license: { id: 'MIT' } }],
  };
  const all = [electron, ...components];
  return `${JSON.stringify(
    {
      $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: { component: product },
      components: all,
      dependencies: [{ ref: 'tillside', dependsOn: all.map((one) => one['bom-ref']) }],
    },
    null,
    2,
  )}\n`;
}
