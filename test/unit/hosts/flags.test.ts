import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parseFlags } from '../../../app/hosts/flags.ts';

const none = { help: false, dataDirectory: null, port: 0, language: null, provisionPath: null, isProvisionLasting: false, forgetPin: false, training: false, safeMode: false, companion: false, kiosk: false };

test('no flags are the defaults, and every flag is read', () => {
  expect(parseFlags([], { ignoreUnknown: false })).toEqual({ ok: true, value: none });
  expect(parseFlags(['--data-dir', 'here', '--port', '8080', '--lang=pt-BR', '--training'], { ignoreUnknown: false })).toEqual({
    ok: true,
    value: { ...none, dataDirectory: resolve('here'), port: 8080, language: 'pt-BR', training: true },
  });
  expect(parseFlags(['--provision', '/etc/tillside.json', '--help'], { ignoreUnknown: false })).toMatchObject({ ok: true, value: { provisionPath: '/etc/tillside.json', help: true } });
});

test.each([
  [['--prot', '1'], /--prot/],
  [['stray'], /stray/],
  [['--data-dir'], /data-dir/],
  [['--data-dir='], /--data-dir needs a value/],
  [['--port', '65536'], /--port must be/],
  [['--port', '-1'], /port/],
  [['--port', '80a'], /--port must be/],
  [['--lang', 'fr'], /--lang must be en, pt-BR or es/],
  [['--training=yes'], /training/],
  [['--training', '--provision', 'x'], /exclude each other/],
])('%j is refused in words', (args, words) => {
  const parsed = parseFlags(args, { ignoreUnknown: false });
  expect(parsed).toMatchObject({ ok: false, failure: expect.stringMatching(words) as string });
});

test("Electron's own switches are left to it, our own are read among them and still checked", () => {
  const args = ['--inspect=0', '--no-sandbox', '--remote-debugging-port=0', '/app', '--data-dir', '/data', '--training'];
  expect(parseFlags(args, { ignoreUnknown: true })).toEqual({ ok: true, value: { ...none, dataDirectory: '/data', training: true } });
  expect(parseFlags(['--forget-pin'], { ignoreUnknown: false })).toMatchObject({ ok: true, value: { forgetPin: true } });
  expect(parseFlags(['--no-sandbox', '--lang', 'fr'], { ignoreUnknown: true })).toMatchObject({ ok: false });
  expect(parseFlags(['--data-dir'], { ignoreUnknown: true })).toMatchObject({ ok: false, failure: '--data-dir needs a value' });
});

test('the environment says to every start what a flag says to one, and a flag comes before it', () => {
  const environment = { TILLSIDE_DATA_DIR: '/data', TILLSIDE_LANG: 'es', TILLSIDE_PROVISION: '/etc/till.json', TILLSIDE_KIOSK: '1', TILLSIDE_PORT: '1' };
  expect(parseFlags([], { ignoreUnknown: false, environment })).toEqual({ ok: true, value: { ...none, dataDirectory: '/data', language: 'es', provisionPath: '/etc/till.json', isProvisionLasting: true, kiosk: true } });
  expect(parseFlags(['--provision', '/mine.json'], { ignoreUnknown: false, environment })).toMatchObject({ ok: true, value: { provisionPath: '/mine.json', isProvisionLasting: false } });
  expect(parseFlags(['--data-dir', '/other', '--lang', 'en'], { ignoreUnknown: false, environment })).toMatchObject({ ok: true, value: { dataDirectory: '/other', language: 'en' } });
  expect(parseFlags(['--training'], { ignoreUnknown: false, environment })).toMatchObject({ ok: true, value: { training: true, provisionPath: null } });
  expect(parseFlags([], { ignoreUnknown: false, environment: { TILLSIDE_KIOSK: 'no', TILLSIDE_LANG: '' } })).toEqual({ ok: true, value: none });
  expect(parseFlags([], { ignoreUnknown: false, environment: { TILLSIDE_LANG: 'fr' } })).toMatchObject({ ok: false });
});
