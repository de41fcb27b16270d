// A whole terminal over real HTTP on one machine with its disk and its keychain, on which it can be opened again, and
// the platform beside it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { InvokeInput } from '../../app/contract/contract.ts';
import type { Profile } from '../../app/contract/profiles.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { fail, succeed } from '../../app/domain/result.ts';
import { createNodeClock, createNodeRandom } from '../../app/hosts/node/node-ports.ts';
import { createAxiosHttp } from '../../app/platform/http-axios.ts';
import type { Provision } from '../../app/terminal/provisioning/provisioning.ts';
import type { Shell } from '../../app/ports.ts';
import { openTerminal, type Terminal, type TerminalOptions } from '../../app/terminal/terminal.ts';
import { startTrainingPlatform, type TrainingPlatform } from '../../app/training/server.ts';
import { makeTemporaryDirectory } from './temporary.ts';
import { makeShell } from './ports.ts';
import { valueOf } from './value-of.ts';

/** One machine with its disk and its keychain, on which the terminal can be opened again. */
export function openMachine(document: unknown = null, hasKeychainAtFirst = true, clock = createNodeClock()) {
  const folder = makeTemporaryDirectory();
  onTestFinished(() => folder.remove());
  const secrets = new Map<string, string>();
  const http = createAxiosHttp({ userAgent: 'Tillside/test' });
  let settings = document;
  const machine = {
    secrets,
    /** Whether what asks for a stock is lost on the way. */
    losesListings: false,
    isNetworkDown: false,
    /** What stands between it and the network. */
    between: (_url: string, next: () => ReturnType<typeof http.send>): ReturnType<typeof http.send> => next(),
    /** By how much its clock is ahead, in milliseconds. */
    aheadMs: 0,
    /** How long it has slept, by both its clocks, in milliseconds. */
    sleptMs: 0,
    /** Whether there is a keychain that takes anything. */
    hasKeychain: hasKeychainAtFirst,
    /** Whether its keychain is locked: it answers that there is nothing, and takes nothing. */
    isKeychainLocked: false,
    /** How long its keychain takes to answer, in milliseconds. */
    keychainMs: 0,
    /** While there is one, its keychain answers when it is over; null for at once. */
    keychainHeld: null as Promise<void> | null,
    /** The platform of its practice store; null for one that is started with it. */
    practice: null as TrainingPlatform | null,
    /** How that is started, where it is another way. */
    startsPractice: null as Shell['startPractice'] | null,
    /** The surroundings of the terminal. */
    around: {} as Partial<Shell>,
    /** Whether its keychain removes what it is asked to. */
    removes: true,
    settings: () => settings as Record<string, unknown>,
    folder: folder.path,
    /** The folder with its databases. */
    store: join(folder.path, 'store'),
    has: (file: string) => existsSync(join(folder.path, 'store', file)),
    /** Whether its disk has no room for the settings. */
    isSettingsDiskFull: false,
    /** All that was written into its settings, as text. */
    written: [] as string[],
    start: async (provision?: Provision, options: Omit<TerminalOptions, 'provision'> = {}): Promise<Terminal> => {
      const terminal = await openTerminal(
        {
          clock: {
            ...clock,
            now: () => clock.now() + machine.aheadMs + machine.sleptMs,
            uptimeMs: () => clock.uptimeMs() + machine.sleptMs,
          },
          random: createNodeRandom(),
          http: {
            send: (request) =>
              machine.isNetworkDown || (machine.losesListings && request.url.includes('/stocks/'))
                ? Promise.resolve(fail({ kind: machine.isNetworkDown ? 'unreachable' : ('timedOut' as const) }))
                : machine.between(request.url, () => http.send(request)),
          },
          vault: {
            read: async (name) => {
              await machine.keychainHeld;
              if (machine.keychainMs > 0) {
                await new Promise((resolve) => {
                  setTimeout(resolve, machine.keychainMs);
                });
              }
              return succeed(machine.isKeychainLocked ? null : (secrets.get(name) ?? null));
            },
            write: (name, secret) =>
              Promise.resolve(
                machine.hasKeychain && !machine.isKeychainLocked
                  ? (secrets.set(name, secret), succeed(undefined))
                  : fail({ kind: 'vaultUnavailable' as const }),
              ),
            remove: async (name) => {
              await machine.keychainHeld;
              return machine.removes
                ? (secrets.delete(name), succeed(undefined))
                : fail({ kind: 'vaultUnavailable' as const });
            },
          },
          settingsFile: {
            read: () => settings,
            write: (next) => {
              if (machine.isSettingsDiskFull) {
                return fail({ kind: 'storageFull' });
              }
              const text = JSON.stringify(next);
              machine.written.push(text);
              settings = JSON.parse(text) as unknown;
              return succeed(undefined);
            },
          },
          shell: makeShell(folder.path, {
            startPractice: (directory) =>
              machine.startsPractice?.(directory) ??
              (machine.practice === null
                ? startTrainingPlatform({ directory: null, port: 0, productCount: 5 })
                : Promise.resolve({ ...machine.practice, close: () => Promise.resolve() })),
            ...machine.around,
          }),
        },
        { ...options, ...(provision === undefined ? {} : { provision }) },
      );
      onTestFinished(() => terminal.close());
      return terminal;
    },
  };
  return machine;
}

/** One that is closed when the test is over. */
export async function openPlatformForTest(): Promise<TrainingPlatform> {
  const platform = await startTrainingPlatform({
    directory: null,
    port: 0,
    productCount: 50,
    requestsPerMinute: 100_000,
  });
  onTestFinished(() => platform.close());
  return platform;
}

type Called = Pick<Terminal, 'handlers'>;

/** Signs in at the platform's own user, and is let in. */
export async function signIn({ handlers }: Called, { email, password }: TrainingPlatform): Promise<void> {
  expect(await handlers['session:signIn']({ email, password })).toMatchObject({ ok: true, value: { passed: true } });
}

/** The terminal's state. */
export async function stateOf({ handlers }: Called): Promise<TerminalState> {
  return valueOf(await handlers['terminal:read']({}));
}

/** The fields that name it, as a profile does. */
export const profileOf = ({ platformUrl, clientId, companyId, stockIds }: TrainingPlatform): Profile => ({
  platformUrl,
  clientId,
  companyId,
  stockIds: [...stockIds],
});

/** The same with the secret: what a terminal is connected with. */
export const connectionOf = (platform: TrainingPlatform) => ({
  ...profileOf(platform),
  clientSecret: platform.clientSecret,
});

/** A provisioning file for it. */
export const provisionOf = (platform: TrainingPlatform) => ({
  profile: profileOf(platform),
  clientSecret: platform.clientSecret,
});

/** Connects the terminal to the platform, whose trial it passes. */
export async function connect(
  { handlers }: Called,
  platform: TrainingPlatform,
  more: Partial<InvokeInput<'profile:connect'>> = {},
): Promise<void> {
  const answer = await handlers['profile:connect']({ ...connectionOf(platform), ...more });
  expect(answer).toMatchObject({ ok: true, value: { passed: true } });
}

/** A terminal that is connected to a platform, of its own unless it is given. */
export async function openConnected(machine = openMachine(), given?: TrainingPlatform) {
  const platform = given ?? (await openPlatformForTest());
  const terminal = await machine.start();
  await connect(terminal, platform);
  return { platform, machine, terminal, handlers: terminal.handlers };
}

/** One at which somebody has signed in, with the whole copy. */
export async function openCopied(machine = openMachine(), given?: TrainingPlatform) {
  const till = await openConnected(machine, given);
  await signIn(till.terminal, till.platform);
  await copied(till.terminal);
  return till;
}

/** Waits until the whole listing is on this terminal. */
export async function copied(terminal: Called): Promise<void> {
  await expect.poll(async () => (await stateOf(terminal)).catalogue.phase, { timeout: 15_000 }).toBe('complete');
}
