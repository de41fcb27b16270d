// A whole terminal on a training platform for tests: real HTTP, real files, the machine's own clock, no process of its
// own.
import type { QueuedUpdate } from '../../app/contract/queue.ts';
import { createNodeClock } from '../../app/hosts/node/node-ports.ts';
import type { Clock, Http, Shell, Vault } from '../../app/ports.ts';
import { openTerminal, type Terminal, type TerminalOptions } from '../../app/terminal/terminal.ts';
import { startTrainingPlatform, type TrainingOptions, type TrainingPlatform } from '../../app/training/server.ts';
import { makeTemporaryDirectory } from './temporary.ts';
import { makeSettingsFile, makeShell, makeVault } from './ports.ts';
import { makePorts } from './real-ports.ts';

export interface PracticeTerminal {
  readonly platform: TrainingPlatform;
  readonly terminal: Terminal;
  /** All updates, newest first. */
  updates(): Promise<readonly QueuedUpdate[]>;
  /** The terminal's data directory. */
  readonly directory: string;
  close(): Promise<void>;
}

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
  vault = makeVault(true),
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
  const ports = makePorts({
    clock,
    vault,
    settingsFile: makeSettingsFile(settings),
    shell: makeShell(folder.path, {
      startPractice: () => Promise.resolve(tillName === undefined ? platform : { ...platform, tillName }),
      ...shell,
    }),
  });
  const terminal = await openTerminal({ ...ports, http: wrapHttp(ports.http) }, options);
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
