import { expect, test } from 'vitest';
import { fail } from '../../../../app/domain/result.ts';
import {
  isSameScannerDevice,
  readingOf,
  type ScannerConnection,
  type ScannerDevice,
  type ScannerDeviceChoice,
  type ScannerReading,
} from '../../../../app/domain/scanner-device.ts';
import type { ScannerDevices } from '../../../../app/ports.ts';
import { createScannerDevice } from '../../../../app/terminal/device/scanner-device-calls.ts';
import { openPracticeTerminal } from '../../../support/practice-terminal.ts';

const choice: ScannerDeviceChoice = {
  kind: 'hid',
  vendorId: 0x0c2e,
  productId: 0x0b01,
  serialNumber: 'A1',
  name: 'Example scanner',
  baudRate: 9600,
};

function fakeDevices(present: readonly ScannerDevice[] = []) {
  const used: (ScannerDeviceChoice | null)[] = [];
  const world = { connection: 'off' as ScannerConnection };
  let listener: Parameters<ScannerDevices['listen']>[0] | null = null;
  const devices: ScannerDevices = {
    list: () => Promise.resolve(present),
    use: (next) => void used.push(next),
    connection: () => world.connection,
    listen: (given) => {
      listener = given;
    },
  };
  return {
    devices,
    used,
    world,
    changed: () => listener?.changed(),
    read: (reading: ScannerReading) => listener?.read(reading),
  };
}

test('where no device can be held there is no state, and the list says so', async () => {
  const none = createScannerDevice({
    devices: undefined,
    choice: () => choice,
    changed: () => undefined,
    read: () => undefined,
  });
  none.use();
  expect(none.state()).toBeNull();
  expect(await none.handlers['scanner:listDevices']({})).toEqual({ ok: false, failure: { kind: 'notReady' } });
});

test('the host holds what is chosen, from the start and at every change, and what it reads is passed on', async () => {
  const { devices, used, world, changed, read } = fakeDevices([choice]);
  const { terminal, close } = await openPracticeTerminal({ shell: { scannerDevices: devices } });
  const emitted: unknown[] = [];
  const states: unknown[] = [];
  terminal.subscribe((name, payload) => {
    if (name === 'scanner:read') {
      emitted.push(payload);
    } else if (name === 'terminal:changed' && 'scannerDevice' in payload) {
      states.push(payload.scannerDevice);
    }
  });
  try {
    expect(used).toEqual([null]);
    expect(await terminal.handlers['scanner:listDevices']({})).toEqual({ ok: true, value: [choice] });
    expect(await terminal.handlers['settings:update']({ scannerDevice: choice })).toMatchObject({ ok: true });
    expect(used.at(-1)).toEqual(choice);
    world.connection = 'connected';
    changed();
    await expect.poll(() => states.at(-1)).toEqual({ choice, connection: 'connected' });
    read({ text: '7891000053508', symbology: ']E0' });
    expect(emitted).toEqual([{ text: '7891000053508', symbology: ']E0' }]);
    expect(await terminal.handlers['settings:update']({ scannerDevice: null })).toMatchObject({ ok: true });
    expect(used.at(-1)).toBeNull();
  } finally {
    await close();
  }
});

test('one that the manager has locked is not changed', async () => {
  const { devices, used } = fakeDevices();
  const { terminal, close } = await openPracticeTerminal({ shell: { scannerDevices: devices } });
  try {
    expect(await terminal.handlers['lock:setPin']({ pin: '73105946' })).toMatchObject({ ok: true });
    expect(await terminal.handlers['settings:update']({ scannerDevice: choice })).toEqual(fail({ kind: 'locked' }));
    expect(used.at(-1)).toBeNull();
  } finally {
    await close();
  }
});

test.each<[string, Partial<ScannerDevice>, Partial<ScannerDevice>, boolean]>([
  ['itself', {}, {}, true],
  ['itself under another name', {}, { name: 'ttyACM3' }, true],
  ['another of its make', {}, { serialNumber: 'B2' }, false],
  ['another make', {}, { productId: 9 }, false],
  ['another kind', {}, { kind: 'serial' }, false],
  ['one without a serial number, on another port', { serialNumber: null }, { serialNumber: null, name: 'other' }, true],
  [
    'a port without numbers',
    { kind: 'serial', vendorId: null, productId: null, serialNumber: null, name: 'COM1' },
    { kind: 'serial', vendorId: null, productId: null, serialNumber: null, name: 'COM1' },
    true,
  ],
  [
    'another port without numbers',
    { kind: 'serial', vendorId: null, productId: null, serialNumber: null, name: 'COM1' },
    { kind: 'serial', vendorId: null, productId: null, serialNumber: null, name: 'COM2' },
    false,
  ],
  [
    'a port with numbers for one without',
    { kind: 'serial', vendorId: null, productId: null, serialNumber: null, name: 'COM1' },
    { kind: 'serial', name: 'COM1' },
    false,
  ],
])('the chosen device is %s: %#', (_name, chosen, present, isSame) => {
  expect(isSameScannerDevice({ ...choice, ...chosen }, { ...choice, ...present })).toBe(isSame);
});

test('a symbology stands in the text or beside it, and is one only in its form', () => {
  expect(readingOf(']C11234')).toEqual({ text: '1234', symbology: ']C1' });
  expect(readingOf('1234', ']d2')).toEqual({ text: '1234', symbology: ']d2' });
  expect(readingOf('1234', '\0\0\0')).toEqual({ text: '1234', symbology: null });
  expect(readingOf(']C11234', ']E0')).toEqual({ text: '1234', symbology: ']C1' });
});
