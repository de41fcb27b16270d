import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { fail, succeed } from '../../../app/domain/result.ts';
import { parseFlags } from '../../../app/hosts/flags.ts';

const none = {
  help: false,
  dataDirectory: null,
  port: 0,
  language: null,
  provisionPath: null,
  isProvisionLasting: false,
  checkPath: null,
  lookup: null,
  statusPath: null,
  forgetPin: false,
  training: false,
  trainingOf: null,
  safeMode: false,
  companion: false,
  kiosk: false,
  hub: null,
  warnings: [],
};

const panelAddress = `http://127.0.0.1:4000/control/#${'k'.repeat(32)}`;

/** What is read where every word has to be a flag of ours, and what among Electron's own switches. */
const parse = (args: string[], environment = {}) => parseFlags(args, { ignoreUnknown: false, environment });
const parseAmong = (args: string[]) => parseFlags(args, { ignoreUnknown: true });

test('no flags are the defaults, and every flag is read', () => {
  expect(parse([])).toEqual(succeed(none));
  expect(parse(['--data-dir', 'here', '--port', '8080', '--lang=pt-BR', '--training'])).toEqual(
    succeed({ ...none, dataDirectory: resolve('here'), port: 8080, language: 'pt-BR', training: true }),
  );
  expect(parse(['--training-of', panelAddress])).toEqual(
    succeed({ ...none, training: true, trainingOf: panelAddress }),
  );
  expect(parse(['--check-provision', 'shop.json'])).toEqual(succeed({ ...none, checkPath: resolve('shop.json') }));
  expect(parseAmong(['--lookup', '789', '--json'])).toEqual(
    succeed({ ...none, lookup: { code: '789', isJson: true } }),
  );
  expect(parse(['--lookup=789'])).toMatchObject(succeed({ lookup: { isJson: false } }));
  expect(parse(['--json', '--lookup', ''])).toEqual(succeed({ ...none, lookup: { code: '', isJson: true } }));
  expect(parseAmong(['--lookup', '--forget-pin'])).toMatchObject(
    succeed({ lookup: { code: '--forget-pin' }, forgetPin: false }),
  );
  expect(parseAmong(['--json'])).toEqual(fail('--json goes with --lookup alone'));
  expect(parse(['--provision', '/etc/tillside.json', '--help'])).toMatchObject(
    succeed({ provisionPath: resolve('/etc/tillside.json'), help: true }),
  );
});

test.each([
  [['--set-up-hub', 'a'], { action: 'setUp', ownerAddress: 'a', isConfirmed: false }],
  [['--reset-hub', 'a', '--yes'], { action: 'reset', ownerAddress: 'a', isConfirmed: true }],
  [['--remove-hub=a'], { action: 'remove', ownerAddress: 'a', isConfirmed: false }],
  [['--remove-hub', 'a', '--yes'], { action: 'remove', ownerAddress: 'a', isConfirmed: true }],
  [['--new-address', 'a', '--yes'], { action: 'newAddress', ownerAddress: 'a', isConfirmed: true }],
  [
    ['--remove-till', 'Till 1', '--hub', 'a', '--yes'],
    { action: 'removeTill', till: 'Till 1', ownerAddress: 'a', isConfirmed: true },
  ],
])('%j is about a hub', (args, hub) => {
  expect(parse(args)).toEqual(succeed({ ...none, hub }));
});

test.each([
  [['--prot', '1'], /--prot/],
  [['stray'], /stray/],
  [['--data-dir'], /data-dir/],
  [['--data-dir='], /--data-dir needs a value/],
  [['--status-file='], /--status-file needs a value/],
  [['--port', '65536'], /--port must be/],
  [['--port', '-1'], /port/],
  [['--port', '80a'], /--port must be/],
  [['--lang', 'fr'], /--lang must be en, pt-BR or es/],
  [['--training=yes'], /training/],
  [['--training-of'], /--training-of needs a value/],
  [['--training-of', 'http://shop.example.com/control/#key'], /--training-of must be the address of a practice store/],
  [['--training-of', panelAddress, '--provision', 'x'], /--training-of and --provision exclude each other/],
  [['--training', '--provision', 'x'], /--training and --provision exclude each other/],
  [['--set-up-hub'], /--set-up-hub needs a value/],
  [['--set-up-hub', 'a', '--remove-hub', 'b'], /--set-up-hub and --remove-hub exclude each other/],
  [['--reset-hub', 'a', '--remove-hub', 'b'], /--reset-hub and --remove-hub exclude each other/],
  [['--remove-till', 'a'], /--remove-till and --hub go together/],
  [['--remove-hub', 'a', '--hub', 'b'], /--remove-till and --hub go together/],
  [['--yes'], /--yes goes with --reset-hub, --remove-hub, --new-address and --remove-till alone/],
  [['--set-up-hub', 'a', '--yes'], /--yes goes with --reset-hub, --remove-hub, --new-address and --remove-till alone/],
])('%j is refused in words', (args, words) => {
  expect(parse(args)).toMatchObject({ ok: false, failure: expect.stringMatching(words) as string });
});

test("Electron's own switches are left to it, our own are read among them and still checked", () => {
  const args = [
    '--inspect=0',
    '--no-sandbox',
    '--remote-debugging-port=0',
    '/app',
    '--data-dir',
    '/data',
    '--training',
  ];
  expect(parseAmong(args)).toEqual(succeed({ ...none, dataDirectory: resolve('/data'), training: true }));
  expect(parse(['--forget-pin'])).toMatchObject(succeed({ forgetPin: true }));
  expect(parseAmong(['--no-sandbox', '--lang', 'fr'])).toMatchObject({ ok: false });
  expect(parseAmong(['--data-dir'])).toMatchObject(fail('--data-dir needs a value'));
});

test('the environment says to every start what a flag says to one, and a flag comes before it', () => {
  const environment = {
    TILLSIDE_DATA_DIR: '/data',
    TILLSIDE_LANG: 'es',
    TILLSIDE_PROVISION: '/etc/till.json',
    TILLSIDE_STATUS_FILE: '/srv/watch/till',
    TILLSIDE_KIOSK: '1',
    TILLSIDE_PORT: '1',
  };
  expect(parse([], environment)).toEqual(
    succeed({
      ...none,
      dataDirectory: resolve('/data'),
      language: 'es',
      provisionPath: resolve('/etc/till.json'),
      isProvisionLasting: true,
      statusPath: resolve('/srv/watch/till'),
      kiosk: true,
    }),
  );
  expect(parse(['--provision', '/mine.json'], environment)).toMatchObject(
    succeed({ provisionPath: resolve('/mine.json'), isProvisionLasting: false }),
  );
  expect(parse(['--data-dir', '/other', '--lang', 'en'], environment)).toMatchObject(
    succeed({ dataDirectory: resolve('/other'), language: 'en' }),
  );
  expect(parse(['--training'], environment)).toMatchObject(succeed({ training: true, provisionPath: null }));
  expect(parse([], { TILLSIDE_KIOSK: 'no', TILLSIDE_LANG: '' })).toEqual(succeed(none));
  expect(parse([], { TILLSIDE_LANG: 'fr' })).toMatchObject({ ok: false });
});

test('a variable that says no language is named, and each of its ways to say yes or no is understood', () => {
  expect(parse([], { TILLSIDE_LANG: 'pt' })).toEqual(fail('TILLSIDE_LANG must be en, pt-BR or es'));
  for (const [value, kiosk] of [
    ['true', true],
    ['YES', true],
    ['1', true],
    ['0', false],
    ['False', false],
    ['no', false],
  ] as const) {
    expect(parse([], { TILLSIDE_KIOSK: value }), value).toEqual(succeed({ ...none, kiosk }));
  }
  expect(parse([], { TILLSIDE_KIOSK: 'on please' })).toEqual(
    succeed({
      ...none,
      warnings: ['TILLSIDE_KIOSK=on please is neither 1, true or yes nor 0, false or no, and does nothing.'],
    }),
  );
});

test("a misspelt flag among Electron's own is said with the likely one; what is far from ours passes", () => {
  const warned = (...args: string[]) => {
    const parsed = parseAmong(args);
    return parsed.ok ? parsed.value.warnings : [parsed.failure];
  };
  expect(warned('--provison', 'x.json', '--saef-mode')).toEqual([
    '--provison is not known and does nothing. Is --provision meant?',
    '--saef-mode is not known and does nothing. Is --safe-mode meant?',
  ]);
  expect(warned('--provison=x.json')).toHaveLength(1);
  expect(
    warned(
      '--inspect=0',
      '--no-sandbox',
      '--enable-logging',
      '--user-data-dir=/x',
      '--ozone-platform=x11',
      '--',
      '/app',
      '--training',
    ),
  ).toEqual([]);
});

test.each([
  [['--port', '80a', '--lang', 'es'], '--port debe ser un número de 0 a 65535'],
  [['--prot', '1', '--lang=pt-BR'], '--prot não existe'],
  [['--lang', 'es', '--data-dir'], '--data-dir necesita un valor'],
  [['--training=yes', '--lang', 'es'], '--training no admite un valor'],
  [['--training', '--provision', 'x'], '--training e --provision não podem ser usados juntos'],
])('%j is refused in the language that is named, or else the system’s', (args, failure) => {
  expect(parseFlags(args, { ignoreUnknown: false, systemLanguage: 'pt-PT' })).toEqual({ ok: false, failure });
});
