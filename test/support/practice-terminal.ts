// A whole terminal on a training platform for tests: real HTTP, real files, the machine's own clock, no process of its
// own.
import type { QueuedUpdate } from '../../app/contract/queue.ts';
import { fail, succeed } from '../../app/domain/result.ts';
import { createNodeClock, createNodeRandom } from '../../app/hosts/node/node-ports.ts';
import { createAxiosHttp } from '../../app/platform/http-axios.ts';
import type { Clock, Http, Shell, Vault } from '../../app/ports.ts';
import { openTerminal, type Terminal, type TerminalOptions } from '../../app/terminal/terminal.ts';
import { startTrainingPlatform, type TrainingOptions, type TrainingPlatform } from '../../app/training/server.ts';
import { makeTemporaryDirectory } from './temporary.ts';
import { makeShell } from './ports.ts';

export interface PracticeTerminal {
  readonly platform: TrainingPlatform;
  readonly terminal: Terminal;
  /** All updates, newest first. */
  updates(): Promise<readonly QueuedUpdate[]>;
  /** The terminal's data directory. */
  readonly directory: string;
  close(): Promise<void>;
}

const noKeychain: Vault = {
  read: () => Promise.resolve(succeed(null)),
  write: () => Promise.resolve(fail({ kind: 'vaultUnavailable' })),
  remove: () => Promise.resolve(succeed(undefined)),
};

interface PracticeTerminalOptions {
  readonly wrapHttp?: (http: Http) => Http;
  readonly vault?: Vault;
  readonly productCount?: number;
  readonly shell?: Partial<Shell>;
  /** The control panel's page; without it the panel says how to get it. */
  readonly panel?: TrainingOptions['panel'];
  /** The terminal's. */
  readonly clock?: Clock;
  /** The platform's, in milliseconds since 1970; the machine's clock when absent. */
  readonly platformNow?: () => number;
  /** Its name among those that share its practice store; without one it shares none. */
  readonly tillName?: string;
  /** The settings document that it finds. */
  readonly settings?: unknown;
  readonly openHub?: NonNullable<TerminalOptions['openHub']>;
}

/** Opens the practice store, of 50 products by default, signed in. */
export async function openPracticeTerminal({
  wrapHttp = (http) => http,
  vault = noKeychain,
  productCount = 50,
  shell = {},
  clock = createNodeClock(),
  platformNow,
  panel,
  settings = null,
  tillName,
  ...options
}: PracticeTerminalOptions = {}): Promise<PracticeTerminal> {
  const folder = makeTemporaryDirectory();
  const platform = await startTrainingPlatform({
    directory: null,
    port: 0,
    productCount,
    requestsPerMinute: 100_000,
    ...(platformNow === undefined ? {} : { now: platformNow }),
    ...(panel === undefined ? {} : { panel }),
  });
  let document: unknown = settings;
  const terminal = await openTerminal(
    {
      clock,
      random: createNodeRandom(),
      http: wrapHttp(createAxiosHttp({ userAgent: 'Tillside/test' })),
      vault,
      settingsFile: { read: () => document, write: (next) => ((document = next), succeed(undefined)) },
      shell: makeShell(folder.path, {
        startPractice: () => Promise.resolve(tillName === undefined ? platform : { ...platform, tillName }),
        ...shell,
      }),
    },
    options,
  );
  const started = await terminal.handlers['practice:start']({});
  if (!started.ok) {
    throw new Error(`the practice store did not open: ${started.failure.kind}`);
  }
  return {
    platform,
    terminal,
    directory: folder.path,
    updates: async () => {
      const listed = await terminal.handlers['queue:list']({ statuses: [], offset: 0, limit: 200 });
      return listed.ok ? listed.value.rows : [];
    },
    close: async () => {
      await terminal.close();
      await platform.close();
      folder.remove();
    },
  };
}
