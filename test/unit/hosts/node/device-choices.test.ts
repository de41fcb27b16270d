import { expect, test } from 'vitest';
import { changedChoices, readDeviceChoices, takeDeviceChoices } from '../../../../app/hosts/node/device-choices.ts';
import type { JsonFile } from '../../../../app/hosts/node/settings-file.ts';

const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
const updates = { url: 'https://updates.example.com', publicKey: [key(1)] };

function storeWith(kept: unknown): JsonFile {
  const values = new Map([['device', kept]]);
  return {
    get: (name) => values.get(name),
    set: (name, value) => {
      values.set(name, value);
    },
  };
}

test('only what a file says otherwise than it was counts as changed, by the file’s own names', () => {
  expect(changedChoices({}, { isKiosk: true, updates })).toEqual(['kiosk', 'updates']);
  expect(changedChoices({ isKiosk: true, updates }, { isKiosk: true, updates: { ...updates } })).toEqual([]);
  expect(changedChoices({ isKiosk: true, updates }, { isKiosk: false })).toEqual(['kiosk']);
  expect(changedChoices({ isKiosk: true }, {})).toEqual([]);
});

test('one key that was kept as text is a list of one, and no change', () => {
  const store = storeWith({ updates: { ...updates, publicKey: key(1) }, isKiosk: true });
  expect(readDeviceChoices(store)).toEqual({ updates, isKiosk: true });
  expect(changedChoices(readDeviceChoices(store), { updates })).toEqual([]);
  const both = { ...updates, publicKey: [key(1), key(2)] };
  expect(changedChoices(readDeviceChoices(store), { updates: both })).toEqual(['updates']);
  takeDeviceChoices(store, { updates: both });
  expect(readDeviceChoices(store)).toEqual({ updates: both, isKiosk: true });
});

test('what a file says is kept beside what earlier ones said, and null ends the status file', () => {
  const store = storeWith({});
  expect(takeDeviceChoices(store, { statusFile: '/srv/watch/till' }).changed).toEqual(['statusFile']);
  expect(takeDeviceChoices(store, { isKiosk: true })).toEqual({
    choices: { isKiosk: true, statusFile: '/srv/watch/till' },
    changed: ['kiosk'],
  });
  expect(takeDeviceChoices(store, { statusFile: null }).changed).toEqual(['statusFile']);
  expect(readDeviceChoices(store)).toEqual({ isKiosk: true, statusFile: null });
});

test('a store that cannot be written costs the choices nothing in this run', () => {
  const store = {
    get: () => undefined,
    set: () => {
      throw new Error('full');
    },
  };
  expect(takeDeviceChoices(store, { isKiosk: true })).toEqual({ choices: { isKiosk: true }, changed: ['kiosk'] });
});
