import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { fail, succeed } from '../../app/domain/result.ts';
import type { HubAddress } from '../../app/hub/address.ts';
import type { Terminal } from '../../app/terminal/terminal.ts';
import {
  createWholeClock,
  openTerminalOnFiles,
  openTrainingHall,
  signInForTraining,
  whileTimePasses,
} from '../endurance/terminal-on-files.ts';
import { createHubRegister, hubAddress, hubAddressText } from './hub-register.ts';
import { vaultOf } from './ports.ts';
import { createSeededRandom } from './seeded-random.ts';
import { temporaryDirectory } from './temporary.ts';

/** A shop with a hub, and the machines of its tills before one platform. */
export async function openHubShop(products = 5) {
  const clock = createWholeClock(1_000_000);
  const register = createHubRegister(clock);
  const another = createHubRegister(clock);
  const hall = await openTrainingHall(clock, products);

  /** A machine with its disk and keychain. */
  function machine(name: string) {
    const directory = temporaryDirectory();
    const secrets = new Map<string, string>();
    const random = createSeededRandom(name);
    const machineNow = {
      directory,
      secrets,
      isKeychainLocked: false,
      /** Whether the platform is out of reach. */
      isOffline: false,
      /** The paths that the platform was asked for. */
      asked: [] as string[],
      start: async (hub?: { readonly address: HubAddress; readonly name: string }): Promise<Terminal> => {
        const terminal = await whileTimePasses(
          clock,
          openTerminalOnFiles({
            directory,
            clock,
            random,
            http: {
              send: async (request) => {
                if (machineNow.isOffline) {
                  return fail({ kind: 'unreachable' });
                }
                machineNow.asked.push(new URL(request.url).pathname);
                return succeed(await hall.answer(request));
              },
            },
            vault: vaultOf(secrets, () => machineNow.isKeychainLocked),
            openHub: (address) => (address.host === hubAddress.host ? register : another).open(address),
            ...(hub === undefined ? {} : { hub }),
          }),
        );
        onTestFinished(() => whileTimePasses(clock, terminal.close()));
        return terminal;
      },
      settings: () =>
        JSON.parse(readFileSync(join(directory, 'settings.json'), 'utf8')) as Record<string, Record<string, unknown>>,
    };
    return machineNow;
  }
  return { clock, register, hall, machine };
}

export type HubShop = Awaited<ReturnType<typeof openHubShop>>;

/** Waits for a start, and signs in. */
export async function openSignedIn({ clock }: HubShop, opening: Promise<Terminal>): Promise<Terminal> {
  const terminal = await opening;
  expect(await signInForTraining(terminal, clock)).toBe(true);
  return terminal;
}

/** Joins the shop's hub by this name. */
export function joinAs({ clock }: HubShop, { handlers }: Terminal, name: string, address = hubAddressText) {
  return whileTimePasses(clock, handlers['hub:join']({ address, name }));
}
