import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { findElectron } from './build/electron-runtime.ts';
import { CountReporter } from './test/support/count-reporter.ts';
import { windowsAtATime } from './test/support/displays.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import { isNight } from './test/support/night.ts';
import { ownTemporaryFiles, temporaryFilesInMemory } from './test/support/temporary-root.ts';

ownTemporaryFiles();
const inMemory = temporaryFilesInMemory();
const electron = findElectron();
/** Of launches beside each other, one that ends leaves the others what they look for. */
const runtime = electron === null ? {} : { ELECTRON_OVERRIDE_DIST_PATH: dirname(electron) };

/** A file that is told what became of the tests. */
const countsPath = process.env['TILLSIDE_COUNTS'];

interface ProjectOptions {
  /** Ends what hangs. A machine with other work to do takes several times as long for what computes. */
  readonly testTimeoutMs?: number;
  /** Projects with a higher number start when all with a lower one have ended. */
  readonly order: number;
  readonly oneFileAtATime?: boolean;
  /** Its tests open windows: each of its files that runs beside another has a display of its own. */
  readonly hasWindows?: boolean;
  /** It opens none, and its files run beside those of a project that does. */
  readonly isBesideWindows?: boolean;
  /** Of a file's tests that may run beside each other, so many do. */
  readonly maxConcurrency?: number;
  /** Under test/; its name unless told. */
  readonly folder?: string;
  /** Folders within that, also under test/, that belong to other projects. */
  readonly exceptFor?: readonly string[];
  /** Runs on a built app. */
  readonly isBuilt?: boolean;
  /** Its files share a process and its modules, and leave nothing behind in them. */
  readonly sharesProcess?: boolean;
  /** Its temporary files are in memory where there is room; else on the disk. */
  readonly isInMemory?: boolean;
  /** Its PINs are hashed at next to no cost. */
  readonly hasQuickPins?: boolean;
  /** What the built app leaves out of axios is left out of it here. */
  readonly hasBuiltAxios?: boolean;
}

/** The tests under test/<name>/, or in its folder, as one project. */
function project(
  name: string,
  {
    testTimeoutMs = 120_000,
    order,
    oneFileAtATime = false,
    hasWindows = false,
    isBesideWindows = false,
    maxConcurrency,
    folder = name,
    exceptFor = [],
    isBuilt = false,
    sharesProcess = false,
    isInMemory = false,
    hasQuickPins = false,
    hasBuiltAxios = false,
  }: ProjectOptions,
): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: {
      name,
      include: [`test/${folder}/**/*.test.{ts,tsx}`],
      exclude: exceptFor.map((other) => `test/${other}/**`),
      globalSetup: [
        ...(isBuilt && process.env['TILLSIDE_UNBUILT'] === undefined ? ['test/support/build-app.ts'] : []),
        ...(hasWindows ? ['test/support/displays.ts'] : []),
      ],
      setupFiles: [
        ...(hasWindows ? ['test/support/own-display.ts'] : []),
        ...(sharesProcess ? ['test/support/leave-no-trace.ts'] : []),
        ...(hasQuickPins ? ['test/support/quick-pins.ts'] : []),
        ...(hasBuiltAxios ? ['test/support/axios-as-built.ts'] : []),
      ],
      // A process for each file costs more than most files themselves.
      isolate: !sharesProcess,
      // As Node reads them, modules compute a quarter less.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      env: { ...(isInMemory ? inMemory : {}), ...(hasWindows ? runtime : {}) },
      testTimeout: testTimeoutMs,
      hookTimeout: testTimeoutMs,
      fileParallelism: !oneFileAtATime,
      ...(hasWindows || isBesideWindows ? { maxWorkers: windowsAtATime } : {}),
      ...(maxConcurrency === undefined ? {} : { maxConcurrency }),
      sequence: { groupOrder: order },
    },
  };
}

const integration = {
  isBuilt: true,
  sharesProcess: true,
  isInMemory: true,
  hasQuickPins: true,
  hasBuiltAxios: true,
} satisfies Partial<ProjectOptions>;

export default defineConfig({
  test: {
    environment: 'node',
    pool: 'forks',
    // Tests make much that lives shortly: fewer collections save about a twentieth of the processor's time.
    execArgv: ['--max-semi-space-size=64'],
    // Some often wait for a server's time-out, a process or a page, and others can be run meanwhile.
    maxWorkers: availableParallelism() + 2,
    ...(countsPath === undefined ? {} : { reporters: ['default', new CountReporter(countsPath)] }),
    setupFiles: ['test/support/fail-on-warnings.ts'],
    restoreMocks: true,
    allowOnly: false,
    passWithNoTests: false,
    retry: 0,
    // As long as a page's own waits; a machine with other work to do answers late.
    expect: { poll: { timeout: 8000 } },
    sequence: { shuffle: false, seed: 1, sequencer: LongestFirst },
    // Any machine, any developer: the same dates, sorting and words, and nobody's keychain: beside a display the system looks
    // for one, and each call of one that does not answer takes a thread from all that Node does with files and names.
    env: { TZ: 'America/Sao_Paulo', LANG: 'C.UTF-8', DBUS_SESSION_BUS_ADDRESS: 'disabled:' },
    projects: [
      // What `npm test` runs.
      project('unit', { order: 0, sharesProcess: true, isInMemory: true }),
      project('platform-api', { order: 0, sharesProcess: true, isInMemory: true }),
      project('integration', { ...integration, order: 0, exceptFor: ['integration/servers'] }),
      // A browser or an Electron, a host and a platform wait for each other half of the time: others fill it, where there
      // is more than one display.
      project('stories', {
        order: windowsAtATime > 1 ? 0 : 2,
        hasWindows: true,
        isBuilt: true,
        sharesProcess: true,
        folder: 'e2e/stories',
      }),
      // What `npm run test:long` runs. Of a host that is killed or recorded, an Electron, and a page with a host and a
      // platform, each waits for the others.
      project('endurance', {
        testTimeoutMs: isNight ? 3_600_000 : 600_000,
        order: 3,
        isBesideWindows: true,
        isBuilt: true,
        sharesProcess: true,
        isInMemory: true,
      }),
      project('e2e', { order: 3, hasWindows: true, isBuilt: true, sharesProcess: true, exceptFor: ['e2e/stories'] }),
      // PostgreSQL, MariaDB and Tryton.
      project('servers', { ...integration, order: 3, isBesideWindows: true, folder: 'integration/servers' }),
      project('walk', { order: 3, isBesideWindows: true, isBuilt: true, sharesProcess: true }),
      // A page alone, without a host or a platform, leaves room for another.
      project('ui', { order: 4, maxConcurrency: 2, isBuilt: true, sharesProcess: true, isInMemory: true }),
      // They compute and wait for nothing: they fill what the pages leave free, and may have to wait for long.
      project('simulation', { testTimeoutMs: 600_000, order: 4, sharesProcess: true }),
      project('seeds', { testTimeoutMs: 600_000, order: 4 }),
      // What `npm run windows` runs, with a package for Windows and Wine.
      project('windows', { testTimeoutMs: 300_000, order: 5, oneFileAtATime: true }),
    ],
  },
});
