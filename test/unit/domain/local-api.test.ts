import { expect, test } from 'vitest';
import { localApiChoiceSchema } from '../../../app/contract/local-api.ts';
import { isWebOrigin } from '../../../app/domain/local-api.ts';
import { openSettings } from '../../../app/settings/settings.ts';
import { makeSettingsFile } from '../../support/ports.ts';

test.each([
  ['https://till.example.com', true],
  ['http://127.0.0.1:8080', true],
  ['http://[::1]:8080', true],
  ['https://till.example.com:443', false],
  ['https://till.example.com/', false],
  ['https://TILL.example.com', false],
  ['https://user@till.example.com', false],
  ['https://till.example.com?', false],
  ['till.example.com', false],
  ['file:///C:/till.html', false],
  ['chrome-extension://abcdefgh', false],
  ['null', false],
  ['*', false],
  ['', false],
])('%j as an origin of the web: %j', (text, isOne) => {
  expect(isWebOrigin(text)).toBe(isOne);
  const choice = { isOn: true, port: 17_863, origins: [text], mayChangeCoupons: false };
  expect(localApiChoiceSchema.safeParse(choice).success).toBe(isOne);
});

test.each([
  [0, true],
  [1024, true],
  [65_535, true],
  [1, false],
  [1023, false],
  [65_536, false],
  [1.5, false],
])('port %j can be chosen: %j', (port, canBe) => {
  expect(localApiChoiceSchema.safeParse({ isOn: true, port, origins: [], mayChangeCoupons: false }).success).toBe(
    canBe,
  );
});

test('it is off at first, and what a damaged document says of it opens nothing', () => {
  const off = { isOn: false, port: 17_863, origins: [], mayChangeCoupons: false };
  const read = (document: unknown) => {
    const { localApi, localApiTokenHash } = openSettings(makeSettingsFile(document)).get();
    return { localApi, localApiTokenHash };
  };
  for (const document of [
    null,
    {},
    { localApi: 1, localApiTokenHash: 'short' },
    { localApi: { isOn: 'true', port: 80 } },
  ]) {
    expect(read(document)).toEqual({ localApi: off, localApiTokenHash: null });
  }
  const kept = { localApi: { ...off, isOn: true, origins: ['*'], port: 0 }, localApiTokenHash: 'h'.repeat(43) };
  expect(read(kept)).toEqual({ ...kept, localApi: { ...kept.localApi, origins: [] } });
});
