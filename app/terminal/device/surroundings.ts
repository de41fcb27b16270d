import type { HandlersOf } from '../../contract/bridge.ts';
import type { TerminalState } from '../../contract/terminal-state.ts';
import { fail, mapResult, nothingToDo, succeed } from '../../domain/result.ts';
import type { Device, Shell } from '../../ports.ts';
import type { OpenSettings } from '../../settings/settings.ts';
import { createCompanion } from './companion-calls.ts';
import { createTerminalLocalApi } from './local-api-calls.ts';
import { createScannerDevice } from './scanner-device-calls.ts';
import type { StateEvents } from '../state-events.ts';

export interface SurroundingsParts {
  readonly shell: Shell;
  readonly settings: OpenSettings;
  readonly stateEvents: StateEvents;
  /** Customers stand at the screen. */
  readonly isStationOn: () => boolean;
}

export interface Surroundings {
  readonly handlers: HandlersOf<'companion' | 'window' | 'scanner' | 'localApi' | 'device'>;
  state(): Pick<TerminalState, 'scannerDevice' | 'companion' | 'localApi'>;
  readonly obeySettings: () => void;
  /** Holds the companion bar's keys, or lets them go while customers stand at the screen. */
  readonly holdKeys: () => void;
}

const notReady = fail({ kind: 'notReady' as const });

function createDeviceHandlers(device: Device | undefined): HandlersOf<'device'> {
  const read: HandlersOf<'device'>['device:read'] = () =>
    Promise.resolve(
      device === undefined
        ? notReady
        : succeed({ update: device.update(), startsAtSignIn: device.startsAtSignIn(), isKiosk: device.isKiosk }),
    );
  return {
    'device:read': read,
    'device:checkForUpdate': async (input) => {
      await device?.checkForUpdate();
      return read(input);
    },
    'device:setStartsAtSignIn': ({ isOn }) =>
      Promise.resolve(
        device?.startsAtSignIn() === isOn
          ? nothingToDo
          : mapResult(device?.setStartsAtSignIn(isOn) ?? notReady, () => ({})),
      ),
    'device:quit': () => {
      // Any other window is closed by a person: a script would end the till.
      if (device?.isKiosk !== true) {
        return Promise.resolve(notReady);
      }
      device.quit();
      return Promise.resolve(succeed({}));
    },
  };
}

/** The host's surroundings of the terminal, and how it obeys the settings. */
export function createSurroundings({ shell, settings, stateEvents, isStationOn }: SurroundingsParts): Surroundings {
  const { changed, notify, withdraw } = stateEvents;
  const companion = createCompanion({
    desktop: shell.desktop,
    choice: () => ({ ...settings.get().companion, ...(isStationOn() ? { shortcut: null } : {}) }),
    notify,
    withdraw,
  });
  const scannerDevice = createScannerDevice({
    devices: shell.scannerDevices,
    choice: () => settings.get().scannerDevice,
    changed,
    read: stateEvents.scanRead,
  });
  const localApi = createTerminalLocalApi({ api: shell.localApi, settings, changed });
  return {
    handlers: {
      ...companion.handlers,
      ...scannerDevice.handlers,
      ...localApi.handlers,
      ...createDeviceHandlers(shell.device),
    },
    state: () => ({ scannerDevice: scannerDevice.state(), companion: companion.state(), localApi: localApi.state() }),
    holdKeys: () => companion.hold(),
    obeySettings: () => {
      companion.hold();
      scannerDevice.use();
      localApi.obey();
    },
  };
}
