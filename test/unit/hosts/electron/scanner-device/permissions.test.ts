import type { DevicePermissionHandlerHandlerDetails, Session, WebContents, WebFrameMain } from 'electron';
import { expect, test } from 'vitest';
import type { ScannerDevice, ScannerDeviceChoice } from '../../../../../app/domain/scanner-device.ts';
import { lockSession } from '../../../../../app/hosts/electron/lockdown.ts';
import {
  allowScannerDevice,
  describeSerialPort,
  devicePageOrigin,
  type DeviceRequest,
} from '../../../../../app/hosts/electron/scanner-device/permissions.ts';

const frame = { origin: devicePageOrigin } as WebFrameMain;
const page = { mainFrame: frame } as WebContents;
const stranger = { mainFrame: { origin: devicePageOrigin } } as WebContents;
const choice: ScannerDeviceChoice = {
  kind: 'serial',
  vendorId: 1,
  productId: 2,
  serialNumber: 'A',
  name: 'One',
  baudRate: 9600,
};
const hidChoice: ScannerDeviceChoice = { ...choice, kind: 'hid' };
const ports = [
  { portId: 'p1', portName: 'ttyACM0', displayName: 'One', vendorId: '1', productId: '2', serialNumber: 'B' },
  { portId: 'p2', portName: 'ttyACM1', displayName: 'One', vendorId: '1', productId: '2', serialNumber: 'A' },
  { portId: 'p3', portName: 'ttyS0' },
];

type Listener = (event: { preventDefault(): void }, second: unknown, third: unknown, fourth?: unknown) => void;

/** The session after both, as Electron does it; each device's answer is what would be let through. */
function allowed(wanted: { chosen?: ScannerDeviceChoice | null; request?: DeviceRequest | null }) {
  const handlers: {
    check?: undefined | ((contents: WebContents | null, permission: string, origin: string) => boolean);
    device?: undefined | ((details: DevicePermissionHandlerHandlerDetails) => boolean);
    request?: undefined | ((contents: WebContents, permission: string, answer: (isGranted: boolean) => void) => void);
    url?: undefined | ((details: { url: string }, answer: (given: { cancel: boolean }) => void) => void);
  } = {};
  const listeners = new Map<string, Listener>();
  const session = {
    setDevicePermissionHandler: (handler: typeof handlers.device) => (handlers.device = handler),
    setPermissionCheckHandler: (handler: typeof handlers.check) => (handlers.check = handler),
    setPermissionRequestHandler: (handler: typeof handlers.request) => (handlers.request = handler),
    on: (name: string, listener: Listener) => listeners.set(name, listener),
    webRequest: { onBeforeRequest: (handler: typeof handlers.url) => (handlers.url = handler) },
    setProxy: () => Promise.resolve(),
  } as unknown as Session;
  void lockSession(session, true, { origin: devicePageOrigin });
  allowScannerDevice({
    session,
    isPage: (one) => one === frame,
    request: () => wanted.request ?? null,
    chosen: () => wanted.chosen ?? null,
  });
  const event = { preventDefault: () => undefined };
  return {
    handlers,
    serial: (contents: WebContents = page, list: object[] = ports): string => {
      let answered = 'nothing';
      listeners.get('select-serial-port')?.(event, list, contents, (id: string) => (answered = id));
      return answered;
    },
    hid: (
      asking: WebFrameMain | null = frame,
      list: object[] = [
        { deviceId: 'h1', name: 'One', vendorId: 1, productId: 2, serialNumber: 'A' },
        { deviceId: 'h2', name: 'Two', vendorId: 1, productId: 3 },
      ],
    ): string => {
      let answered = 'nothing';
      listeners.get('select-hid-device')?.(event, { deviceList: list, frame: asking }, (id: string) => (answered = id));
      return answered;
    },
  };
}

const requestFor = (
  wanted: ScannerDeviceChoice | null,
  kind = wanted?.kind ?? 'serial',
  present: ScannerDevice[] = [],
): DeviceRequest => ({ kind, choice: wanted, present: (devices) => present.push(...devices) });

test('the permission stands for the kind that is asked for, while it is asked for, for the page alone', () => {
  const { handlers } = allowed({ request: requestFor(choice) });
  const origin = `${devicePageOrigin}/`;
  expect(handlers.check?.(page, 'serial', origin)).toBe(true);
  for (const [contents, permission, at] of [
    [page, 'hid', origin],
    [page, 'usb', origin],
    [page, 'media', origin],
    [stranger, 'serial', origin],
    [null, 'serial', origin],
    [page, 'serial', 'app://tillside/'],
    [page, 'serial', 'https://scanner-device/'],
  ] as const) {
    expect([permission, at, handlers.check?.(contents, permission, at)]).toEqual([permission, at, false]);
  }
  expect(allowed({ request: null }).handlers.check?.(page, 'serial', origin)).toBe(false);
  const answers: boolean[] = [];
  for (const permission of ['serial', 'hid', 'media', 'notifications']) {
    handlers.request?.(page, permission, (isGranted) => answers.push(isGranted));
  }
  expect(answers).toEqual([false, false, false, false]);
});

test('the page reaches its own address and nothing else', () => {
  const cancelled: boolean[] = [];
  const { handlers } = allowed({});
  for (const url of [
    `${devicePageOrigin}/`,
    'app://tillside/',
    'https://example.com/',
    `${devicePageOrigin}.example.com/`,
  ]) {
    handlers.url?.({ url }, ({ cancel }) => cancelled.push(cancel));
  }
  expect(cancelled).toEqual([false, true, true, true]);
});

test('only the chosen port is let through, and only while it is asked for, by the page', () => {
  expect(allowed({ request: requestFor(choice) }).serial()).toBe('p2');
  expect(allowed({ request: requestFor(choice) }).serial(stranger)).toBe('');
  expect(allowed({ request: requestFor(choice) }).serial(page, ports.slice(0, 1))).toBe('');
  expect(allowed({ request: null }).serial()).toBe('');
  expect(allowed({ request: requestFor(hidChoice) }).serial()).toBe('');
  expect(
    allowed({
      request: requestFor({ ...choice, vendorId: null, productId: null, serialNumber: null, name: 'ttyS0' }),
    }).serial(),
  ).toBe('p3');
});

test('of two that are alike without a serial number, the one of the same name', () => {
  const alike = [
    { portId: 'x1', portName: 'COM3', vendorId: '1', productId: '2' },
    { portId: 'x2', portName: 'COM4', vendorId: '1', productId: '2' },
  ];
  expect(allowed({ request: requestFor({ ...choice, serialNumber: null, name: 'COM4' }) }).serial(page, alike)).toBe(
    'x2',
  );
  expect(allowed({ request: requestFor({ ...choice, serialNumber: null, name: 'COM9' }) }).serial(page, alike)).toBe(
    'x1',
  );
});

test('only the chosen HID device is let through, likewise', () => {
  expect(allowed({ request: requestFor(hidChoice) }).hid()).toBe('h1');
  expect(allowed({ request: requestFor(hidChoice) }).hid(stranger.mainFrame)).toBe('');
  expect(allowed({ request: requestFor(hidChoice) }).hid(null)).toBe('');
  expect(allowed({ request: requestFor(choice) }).hid()).toBe('');
});

test('a look tells all and lets none through', () => {
  const present: ScannerDevice[] = [];
  expect(allowed({ request: requestFor(null, 'serial', present) }).serial()).toBe('');
  expect(present).toEqual(ports.map(describeSerialPort));
  expect(present.at(-1)).toEqual({
    kind: 'serial',
    vendorId: null,
    productId: null,
    serialNumber: null,
    name: 'ttyS0',
  });
  expect(allowed({ request: requestFor(null, 'hid') }).hid()).toBe('');
});

/** As Chromium describes the chosen ones. */
const serialDevice = { name: 'One', vendor_id: 1, product_id: 2, serial_number: 'A' };
const hidDevice = { name: 'One', vendorId: 1, productId: 2, serialNumber: 'A' };

test.each([
  ['the chosen port', choice, 'serial', devicePageOrigin, serialDevice, true],
  [
    'the chosen port on Windows',
    choice,
    'serial',
    devicePageOrigin,
    { name: 'One', device_instance_id: 'USB\\X' },
    true,
  ],
  ['another port on Windows', choice, 'serial', devicePageOrigin, { name: 'Two', device_instance_id: 'USB\\X' }, false],
  ['another port', choice, 'serial', devicePageOrigin, { ...serialDevice, serial_number: 'B' }, false],
  ['another origin', choice, 'serial', 'app://tillside', serialDevice, false],
  ['another kind', choice, 'hid', devicePageOrigin, hidDevice, false],
  ['USB itself', choice, 'usb', devicePageOrigin, { vendorId: 1, productId: 2, serialNumber: 'A' }, false],
  ['the chosen HID device', hidChoice, 'hid', devicePageOrigin, hidDevice, true],
  ['anything while nothing is chosen', null, 'serial', devicePageOrigin, serialDevice, false],
] as const)('a remembered permission for %s: %#', (_name, chosen, deviceType, origin, device, isGranted) => {
  const details = { deviceType, origin, device } as unknown as DevicePermissionHandlerHandlerDetails;
  expect(allowed({ chosen }).handlers.device?.(details)).toBe(isGranted);
});
