import type { HIDDevice, SerialPort, Session, WebFrameMain } from 'electron';
import {
  isSameScannerDevice,
  type ScannerDevice,
  type ScannerDeviceChoice,
  type ScannerDeviceKind,
} from '../../../domain/scanner-device.ts';

export const devicePageOrigin = 'app://scanner-device';

/** The request that the page carries out now. */
export interface DeviceRequest {
  readonly kind: ScannerDeviceKind;
  /** Null for a look: every device is told, and none let through. */
  readonly choice: ScannerDeviceChoice | null;
  readonly present: (devices: readonly ScannerDevice[]) => void;
}

export interface DevicePermissions {
  readonly session: Session;
  /** Whether this is the page's main frame. */
  readonly isPage: (frame: WebFrameMain | null) => boolean;
  /** Null while nothing is asked for. */
  readonly request: () => DeviceRequest | null;
  /** The device that is held; null for none. */
  readonly chosen: () => ScannerDeviceChoice | null;
}

const numberOf = (value: unknown): number | null => {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= 0xffff ? number : null;
};
const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, 500) : null;

/** Electron's facts about a serial port, whose numbers come as decimal text. */
export function describeSerialPort(port: Partial<SerialPort>): ScannerDevice {
  return {
    kind: 'serial',
    vendorId: numberOf(port.vendorId),
    productId: numberOf(port.productId),
    serialNumber: textOf(port.serialNumber),
    name: textOf(port.displayName) ?? textOf(port.portName) ?? '',
  };
}

/** Electron's facts about an HID device. */
export function describeHidDevice(device: Partial<HIDDevice>): ScannerDevice {
  return {
    kind: 'hid',
    vendorId: numberOf(device.vendorId),
    productId: numberOf(device.productId),
    serialNumber: textOf(device.serialNumber),
    name: textOf(device.name) ?? '',
  };
}

/**
 * Whether a permission that Electron remembers, with field names of its own and on Windows without USB numbers, is for
 * the chosen device.
 */
function isChosen(choice: ScannerDeviceChoice, device: Readonly<Record<string, unknown>>): boolean {
  const remembered = {
    kind: choice.kind,
    vendorId: numberOf(device['vendorId'] ?? device['vendor_id']),
    productId: numberOf(device['productId'] ?? device['product_id']),
    serialNumber: textOf(device['serialNumber'] ?? device['serial_number']),
    name: textOf(device['displayName'] ?? device['name']) ?? '',
  };
  return (
    isSameScannerDevice(choice, remembered) ||
    (textOf(device['device_instance_id']) !== null && remembered.name === choice.name)
  );
}

const isOwnOrigin = (origin: string): boolean => origin === devicePageOrigin || origin === `${devicePageOrigin}/`;

/** Sets the session's answers; after `lockSession`, whose refusals they take the place of. */
export function allowScannerDevice({ session, isPage, request, chosen }: DevicePermissions): void {
  session.setPermissionCheckHandler(
    (contents, permission, origin) =>
      contents !== null && isPage(contents.mainFrame) && isOwnOrigin(origin) && permission === request()?.kind,
  );
  session.setDevicePermissionHandler(({ deviceType, origin, device }) => {
    const choice = chosen();
    return (
      choice !== null &&
      deviceType === choice.kind &&
      isOwnOrigin(origin) &&
      isChosen(choice, device as unknown as Readonly<Record<string, unknown>>)
    );
  });

  /** Tells which devices are present, and answers the one that is let through. */
  function choose<Device>(
    kind: ScannerDeviceKind,
    frame: WebFrameMain | null,
    devices: readonly Device[],
    describe: (device: Device) => ScannerDevice,
  ): Device | undefined {
    const asked = request();
    if (asked?.kind !== kind || !isPage(frame)) {
      return undefined;
    }
    asked.present(devices.map(describe));
    const { choice } = asked;
    const fitting = choice === null ? [] : devices.filter((device) => isSameScannerDevice(choice, describe(device)));
    // Of two that are alike and bear no serial number, the one on the port that was chosen.
    return fitting.find((device) => describe(device).name === choice?.name) ?? fitting[0];
  }
  session.on('select-serial-port', (event, ports, contents, answer) => {
    event.preventDefault();
    answer(choose('serial', contents.mainFrame, ports, describeSerialPort)?.portId ?? '');
  });
  session.on('select-hid-device', (event, { deviceList, frame }, answer) => {
    event.preventDefault();
    answer(choose('hid', frame, deviceList, describeHidDevice)?.deviceId ?? '');
  });
}
