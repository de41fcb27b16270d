import type { DeviceState } from '../../contract/device.ts';
import type { Handlers } from '../../contract/bridge.ts';
import { fail, succeed, mapResult } from '../../domain/result.ts';
import type { Device } from '../../ports.ts';

type DeviceHandlers = Pick<
  Handlers,
  'device:read' | 'device:checkForUpdate' | 'device:setStartsAtSignIn' | 'device:quit'
>;

const notReady = fail({ kind: 'notReady' as const });

function stateOf(device: Device): DeviceState {
  return { update: device.update(), startsAtSignIn: device.startsAtSignIn(), isKiosk: device.isKiosk };
}

/** Makes the calls over the machine, or over none. */
export function createDeviceHandlers(device: Device | undefined): DeviceHandlers {
  return {
    'device:read': () => Promise.resolve(device === undefined ? notReady : succeed(stateOf(device))),
    'device:checkForUpdate': async () => {
      await device?.checkForUpdate();
      return device === undefined ? notReady : succeed(stateOf(device));
    },
    'device:setStartsAtSignIn': ({ isOn }) => {
      const set = device?.setStartsAtSignIn(isOn) ?? notReady;
      return Promise.resolve(mapResult(set, () => ({})));
    },
    'device:quit': () => {
      device?.quit();
      return Promise.resolve(device === undefined ? notReady : succeed({}));
    },
  };
}
