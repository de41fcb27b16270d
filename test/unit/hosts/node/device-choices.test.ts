import { expect, test } from 'vitest';
import { changedChoices } from '../../../../app/hosts/node/device-choices.ts';

const updates = { url: 'https://updates.example.com', publicKey: 'A' };

test('only what a file says otherwise than it was counts as changed, by the file’s own names', () => {
  expect(changedChoices({}, { isKiosk: true, updates })).toEqual(['kiosk', 'updates']);
  expect(changedChoices({ isKiosk: true, updates }, { isKiosk: true, updates: { ...updates } })).toEqual([]);
  expect(changedChoices({ isKiosk: true, updates }, { isKiosk: false })).toEqual(['kiosk']);
  expect(changedChoices({ isKiosk: true }, {})).toEqual([]);
});
