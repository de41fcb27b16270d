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

/** Joins the choice with the host. */
export function createScannerDevice({ devices, choice, changed, read }: ScannerDeviceParts) {
  devices?.listen({ changed, read });
  const handlers: HandlersOf<'scanner'> = {
    'scanner:listDevices': async () =>
      devices === undefined ? fail({ kind: 'notReady' }) : succeed([...(await devices.list())]),
  };
  return {
    handlers,
    /** Null where there is no such host. */
    state: (): TerminalState['scannerDevice'] =>
      devices === undefined ? null : { choice: choice(), connection: devices.connection() },
    /** Has the host hold the device that is chosen now, and no other. */
    use: () => devices?.use(choice()),
  };
}
