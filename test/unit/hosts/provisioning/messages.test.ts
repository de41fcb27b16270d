// The proof that whoever provisions terminals is told in their language what is wrong with a file, and what does
// nothing where it was given.
import { expect, test } from 'vitest';
import { describeIgnored, describeProvisionFailure } from '../../../../app/hosts/provisioning/messages.ts';
import { parseProvision, readProvision } from '../../../../app/hosts/provisioning/file.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';

const good = {
  platformUrl: 'https://platform.example.com',
  clientId: 'till',
  clientSecret: 'made-up',
  companyId: 1,
  stockIds: [1],
};
const wrong: readonly Readonly<Record<string, unknown>>[] = [
  {
    platformUrl: 'platform',
    clientId: '',
    clientSecret: 5,
    companyId: 0,
    stockIds: [],
    language: 'fr',
    secret: 1,
    kiosk: 1,
  },
  {
    platformUrl: 'http://platform.example.com',
    clientId: 'x'.repeat(501),
    companyId: undefined,
    stockIds: 7,
    managerLock: { pin: '258' },
  },
  {
    platformUrl: 'https://ana:x@platform.example.com',
    stockIds: Array.from({ length: 51 }, (_unused, place) => place + 1),
    managerLock: {},
  },
  { managerLock: { pinHash: '2580' }, updates: 7 },
  { managerLock: 7, statusFile: 'till', settings: { theme: 'pink' } },
  { otherProfiles: [{ ...good }] },
  { otherProfiles: Array.from({ length: 10 }, (_unused, place) => ({ ...good, companyId: place + 2 })) },
  { hub: { address: 'https://hub.example.com' } },
  {
    managerLock: { pin: '2580', kinds: ['all'], opensForMinutes: 61 },
    updates: { url: 'http://updates.example.com', publicKey: 'x' },
  },
  { managerLock: { pin: '2580', kinds: 7, opensForMinutes: 'x' } },
  { managerLock: { pin: '2580', opensForMinutes: -1 } },
  { managerLock: { pin: '2580', kinds: ['users', 'users', 'users', 'users', 'users'] } },
  { managerLock: { pin: '2580', opensForMinutes: 1.5 } },
  { signed: { at: 'today', until: 'tomorrow' } },
];

/** One of each kind. */
const readMessages = (folder: string): readonly string[] => [
  ...wrong.flatMap((change) => {
    const parsed = parseProvision(JSON.stringify({ ...good, ...change }));
    return parsed.ok ? [] : parsed.failure;
  }),
  ...['{', '[]'].flatMap((content) => {
    const parsed = parseProvision(content);
    return parsed.ok ? [] : parsed.failure;
  }),
  ...[folder, `${folder}/none.json`].flatMap((path) => {
    const read = readProvision(path);
    return read.ok ? [] : read.failure;
  }),
  ...['x'.repeat(100_001), JSON.stringify(good)].flatMap((content) => {
    const parsed = parseProvision(content, 'address');
    return parsed.ok ? [] : parsed.failure;
  }),
];

test.each(['pt-BR', 'es-MX'])('every message about a file is told in %s', (tag) => {
  const messages = readMessages(temporaryDirectory());
  expect(messages.length).toBeGreaterThan(25);
  for (const message of messages) {
    const [, line = ''] = describeProvisionFailure('till.json', [message], tag).split('\n');
    expect(line.slice(line.indexOf(': '))).not.toBe(message.slice(message.indexOf(': ')));
    expect(line).not.toContain('*');
  }
});

test('messages stay as they are in English; values, and what has no translation, in every language', () => {
  const messages = readMessages(temporaryDirectory());
  expect(describeProvisionFailure('a.json', messages, 'en')).toBe(
    ['a.json cannot be used:', ...messages.map((message) => `  ${message}`)].join('\n'),
  );
  expect(
    describeProvisionFailure(
      '$&.json',
      [
        'companyId: must be a whole number from 1 to 9223372036854775807',
        'the file: is not JSON',
        'x: of a kind unheard of',
      ],
      'pt-BR',
    ),
  ).toBe(
    [
      '$&.json não pode ser usado:',
      '  companyId: deve ser um número inteiro de 1 a 9223372036854775807',
      '  o arquivo: não é JSON',
      '  x: of a kind unheard of',
    ].join('\n'),
  );
});

test('what does nothing where Tillside runs is said by name', () => {
  const file = { device: { startsAtSignIn: true, isKiosk: true } };
  const flags = { kiosk: true, companion: true };
  expect(describeIgnored(flags, file, 'installed', 'en')).toEqual([]);
  expect(describeIgnored(flags, file, 'checkout', 'en')).toEqual([
    'startsAtSignIn does nothing here: Tillside is not installed.',
  ]);
  expect(describeIgnored(flags, file, 'browser', 'es').map((said) => said.split(' ')[0])).toEqual([
    'startsAtSignIn',
    'kiosk',
    '--kiosk',
    '--companion',
  ]);
  expect(describeIgnored({ kiosk: false, companion: false }, null, 'browser', 'en')).toEqual([]);
});
