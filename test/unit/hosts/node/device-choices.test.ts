import { expect, test } from 'vitest';
import { changedChoices, readDeviceChoices, takeDeviceChoices } from '../../../../app/hosts/node/device-choices.ts';
import type { JsonFile } from '../../../../app/hosts/node/settings-file.ts';

const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
const updates = { url: 'https://updates.example.com', publicKey: [key(1)] };

function fileWith(kept: unknown): JsonFile {
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
  const file = fileWith({ updates: { ...updates, publicKey: key(1) }, isKiosk: true });
  expect(readDeviceChoices(file)).toEqual({ updates, isKiosk: true });
  expect(changedChoices(readDeviceChoices(file), { updates })).toEqual([]);
  const both = { ...updates, publicKey: [key(1), key(2)] };
  expect(changedChoices(readDeviceChoices(file), { updates: both })).toEqual(['updates']);
  takeDeviceChoices(file, { updates: both });
  expect(readDeviceChoices(file)).toEqual({ updates: both, isKiosk: true });
});

test('a source that a query names is still read, for its signature is asked for by the name at its end', () => {
  const source = { url: 'https://files.example.com/get?file=till.json', publicKey: [key(1)], shop: 'Loja 1' };
  expect(readDeviceChoices(fileWith({ source }))).toEqual({ source });
  expect(readDeviceChoices(fileWith({ source: { ...source, url: `${source.url}#` } }))).toEqual({});
});

test('what a file says is kept beside what earlier ones said, and null ends the status file', () => {
  const file = fileWith({});
  expect(takeDeviceChoices(file, { statusFile: '/srv/watch/till' }).changed).toEqual(['statusFile']);
  expect(takeDeviceChoices(file, { isKiosk: true })).toEqual({
    choices: { isKiosk: true, statusFile: '/srv/watch/till' },
    changed: ['kiosk'],
  });
  expect(takeDeviceChoices(file, { statusFile: null }).changed).toEqual(['statusFile']);
  expect(readDeviceChoices(file)).toEqual({ isKiosk: true, statusFile: null });
});

test('a field of a newer version costs no choice, and stays when another is made', () => {
  const kept = { updates: { ...updates, later: 1 }, later: { x: 1 } };
  const file = fileWith(kept);
  expect(readDeviceChoices(file)).toEqual({ updates });
  takeDeviceChoices(file, { isKiosk: true });
  expect(file.get('device')).toEqual({ ...kept, updates, isKiosk: true });
});

test('a store that cannot be written costs the choices nothing in this run', () => {
  const file = {
    get: () => undefined,
    set: () => {
      throw new Error('full');
    },
  };
  expect(takeDeviceChoices(file, { isKiosk: true })).toEqual({ choices: { isKiosk: true }, changed: ['kiosk'] });
});
