import type { TerminalState } from '../../contract/terminal-state.ts';
import type { HandlersOf } from '../../contract/bridge.ts';
import { fail, succeed } from '../../domain/result.ts';
import type { ScannerDeviceChoice, ScannerReading } from '../../domain/scanner-device.ts';
import type { ScannerDevices } from '../../ports.ts';

export interface ScannerDeviceParts {
  /** Undefined where the page is all there is. */
  readonly devices: ScannerDevices | undefined;
  readonly choice: () => ScannerDeviceChoice | null;
  readonly changed: () => void;
  readonly read: (reading: ScannerReading) => void;
}

export interface TerminalScannerDevice {
  readonly handlers: HandlersOf<'scanner'>;
  /** Null where there is no such host. */
  state(): TerminalState['scannerDevice'];
  /** Has the host hold the device that is chosen now, and no other. */
  use(): void;
}

/** Joins the choice with the host. */
export function createScannerDevice({ devices, choice, changed, read }: ScannerDeviceParts): TerminalScannerDevice {
  devices?.listen({ changed, read });
  return {
    handlers: {
      'scanner:listDevices': async () =>
        devices === undefined ? fail({ kind: 'notReady' }) : succeed([...(await devices.list())]),
    },
    state: () => (devices === undefined ? null : { choice: choice(), connection: devices.connection() }),
    use: () => devices?.use(choice()),
  };
}
