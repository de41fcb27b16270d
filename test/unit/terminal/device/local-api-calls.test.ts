import { expect, test } from 'vitest';
import { defaultLocalApi } from '../../../../app/contract/local-api.ts';
import { fail, succeed } from '../../../../app/domain/result.ts';
import type { LocalApi } from '../../../../app/ports.ts';
import { openSettings } from '../../../../app/settings/settings.ts';
import { createTerminalLocalApi } from '../../../../app/terminal/device/local-api-calls.ts';

test('a token that a full disk does not keep takes the place of none', async () => {
  let isFull = false;
  const settings = openSettings({
    read: () => null,
    write: () => (isFull ? fail({ kind: 'storageFull' }) : succeed(undefined)),
  });
  let made = 0;
  let held: readonly string[] = [];
  const api: LocalApi = {
    use: (_choice, hashes) => {
      held = hashes;
    },
    status: () => ({ status: 'off', openPort: null }),
    listen: () => undefined,
    newToken: () => {
      made += 1;
      return { token: `token ${made}`, hash: `hash ${made}` };
    },
  };
  settings.change({ localApi: { ...defaultLocalApi, isOn: true } });
  const { handlers } = createTerminalLocalApi({ api, settings, changed: () => undefined });
  expect(await handlers['localApi:makeToken']({})).toEqual(succeed({ token: 'token 1' }));
  isFull = true;
  expect(await handlers['localApi:makeToken']({})).toEqual(fail({ kind: 'storageFull' }));
  expect(held).toEqual(['hash 1']);
});
