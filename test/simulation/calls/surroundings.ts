// The surroundings of the terminal of a simulated till: a desktop, a scanner, printers, an installed app. Each does
// what its port says, after a while, and now and then fails as the port may.
import { fail, succeed } from '../../../app/domain/result.ts';
import type { CommandPrinters, Shell, ShopFileSource } from '../../../app/ports.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import type { World } from '../virtual-clock.ts';

interface SurroundingsWorld {
  readonly world: World;
  readonly random: SeededRandom;
  /** The person has ended the app. */
  readonly quit: () => void;
}

type Around = Pick<
  Shell,
  | 'desktop'
  | 'scannerDevices'
  | 'localApi'
  | 'systemPrinters'
  | 'commandPrinters'
  | 'device'
  | 'shopFile'
  | 'readLog'
  | 'machine'
  | 'statusFile'
>;

/** Draws what there is around this till; some have nothing. */
export function drawSurroundings({ world, random, quit }: SurroundingsWorld): Around {
  if (random.chance(0.25)) {
    return {};
  }
  const later = <Value>(value: () => Value): Promise<Value> =>
    new Promise((resolve) => {
      world.after(random.integer(1, 400), () => {
        resolve(value());
      });
    });
  const commandPrinters: CommandPrinters = {
    send: (_place, _bytes, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(fail({ kind: 'cancelled' })));
        world.after(random.integer(100, 20_000), () => {
          resolve(
            random.pick([
              succeed(undefined),
              succeed(undefined),
              fail({ kind: 'printerFailed' as const }),
              fail({ kind: 'printerUnreachable' as const }),
            ]),
          );
        });
      }),
  };
  const shopFile: ShopFileSource = {
    state: () => ({
      url: 'https://files.example.com/shop.json',
      shop: 'Shop',
      readAt: null,
      signedAt: null,
      isWaiting: false,
      lastReading: 'failed',
    }),
    readAgain: () => later(() => undefined),
  };
  let startsAtSignIn = false;
  return {
    desktop: {
      holdShortcut: () => random.chance(0.8),
      hideCompanion: () => undefined,
      fitCompanion: () => undefined,
      showWindow: () => undefined,
    },
    scannerDevices: {
      list: () =>
        later(() => [{ kind: 'hid', vendorId: 1504, productId: 6400, serialNumber: 'S1', name: 'Scanner' } as const]),
      use: () => undefined,
      connection: () => 'absent',
      listen: () => undefined,
    },
    localApi: {
      use: () => undefined,
      status: () => ({ status: 'noToken', openPort: null }),
      listen: () => undefined,
      newToken: () => ({ token: 'T'.repeat(43), hash: 'H'.repeat(43) }),
    },
    systemPrinters: {
      list: () => later(() => ['Office']),
      print: () => later(() => (random.chance(0.8) ? succeed(undefined) : fail({ kind: 'printerFailed' }))),
    },
    commandPrinters,
    device: {
      update: () => ({ state: 'upToDate', version: null, checkedAt: null, lastCheck: 'good' }),
      checkForUpdate: () => later(() => undefined),
      startsAtSignIn: () => startsAtSignIn,
      setStartsAtSignIn: (isOn) => {
        if (random.chance(0.2)) {
          return fail({ kind: 'storageFailed' });
        }
        startsAtSignIn = isOn;
        return succeed(undefined);
      },
      isKiosk: random.chance(0.2),
      quit,
    },
    shopFile,
    readLog: () => ['a line of the log'],
    machine: () =>
      later(() => ({
        system: 'Simulated',
        versions: [],
        memoryBytes: 8e9,
        freeMemoryBytes: 4e9,
        freeDiskBytes: null,
        files: [],
      })),
    statusFile: () => ({ path: '/var/lib/tillside/status', writtenAt: null, failure: null }),
  };
}
