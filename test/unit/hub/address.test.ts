// The proof that an address of a hub is either read whole or refused by the part that is wrong.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printHubAddress, readHubAddress, readOwnerAddress, type HubAddress } from '../../../app/hub/address.ts';

const storeKey = 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA';
const fingerprint = '0123456789abcdef'.repeat(4);
const keys = `${storeKey}.${fingerprint}`;
const whole: HubAddress = {
  user: 'tillside_terminal',
  password: 's3cret',
  host: '192.168.0.10',
  port: 5433,
  database: 'tillside',
  storeKey,
  fingerprint,
};

test.each<[string, Partial<HubAddress>]>([
  [`tillside-hub://tillside_terminal:s3cret@192.168.0.10:5433/tillside#${keys}`, {}],
  [
    `  Tillside-Hub://tillside_terminal:s3cret@192.168.0.10:5433/tillside#${keys.replace(/\..*/, (hex) => hex.toUpperCase())}\n`,
    {},
  ],
  [`tillside-hub://tillside_terminal:s3cret@192.168.0.10/tillside#${keys}`, { port: 5432 }],
  [
    `tillside-hub://a%3Ab:c%40%23%2F%25@Back-Office.shop:5433/d%C3%A9p%C3%B4t#${keys}`,
    { user: 'a:b', password: 'c@#/%', host: 'back-office.shop', database: 'dépôt' },
  ],
  [`tillside-hub://tillside_terminal:s3cret@[FE80:0::1]:5433/tillside#${keys}`, { host: 'fe80::1' }],
  [`tillside-hub://tillside_terminal:s3cret@[::1]:5433/tillside#${storeKey}`, { host: '::1', fingerprint: null }],
  [
    `tillside-hub://tillside_terminal:s3cret@127.0.0.1:5433/tillside#${storeKey}`,
    { host: '127.0.0.1', fingerprint: null },
  ],
])('%j is read', (text, changes) => {
  expect(readHubAddress(text)).toEqual({ ok: true, value: { ...whole, ...changes } });
});

test.each([
  ['', 'protocol'],
  ['192.168.0.10', 'protocol'],
  [`postgres://u:p@h/d#${keys}`, 'protocol'],
  [`tillside-hub:u:p@h/d#${keys}`, 'protocol'],
  [`tillside-hub://u:p@h/d#${keys}${'a'.repeat(2_000)}`, 'tooLong'],
  [`tillside-hub://h/d#${keys}`, 'shape'],
  [`tillside-hub://u:p@h@h/d#${keys}`, 'shape'],
  [`tillside-hub://u:p:q@h/d#${keys}`, 'shape'],
  [`tillside-hub://u:p@h/d?sslmode=disable#${keys}`, 'shape'],
  [`tillside-hub://u:p@h/d/e#${keys}`, 'shape'],
  [`tillside-hub://u:p@::1/d#${keys}`, 'shape'],
  [`tillside-hub://u:p@h/d e#${keys}`, 'shape'],
  [`tillside-hub://:p@h/d#${keys}`, 'user'],
  [`tillside-hub://%00:p@h/d#${keys}`, 'user'],
  [`tillside-hub://${'%C3%A9'.repeat(32)}:p@h/d#${keys}`, 'user'],
  [`tillside-hub://u@h/d#${keys}`, 'password'],
  [`tillside-hub://u:@h/d#${keys}`, 'password'],
  [`tillside-hub://u:%E9@h/d#${keys}`, 'password'],
  [`tillside-hub://u:%@h/d#${keys}`, 'password'],
  [`tillside-hub://u:${'p'.repeat(201)}@h/d#${keys}`, 'password'],
  [`tillside-hub://u:p@/d#${keys}`, 'host'],
  [`tillside-hub://u:p@lojão/d#${keys}`, 'host'],
  [`tillside-hub://u:p@a..b/d#${keys}`, 'host'],
  [`tillside-hub://u:p@-a/d#${keys}`, 'host'],
  [`tillside-hub://u:p@${'a'.repeat(254)}/d#${keys}`, 'host'],
  [`tillside-hub://u:p@[1::2::3]/d#${keys}`, 'host'],
  [`tillside-hub://u:p@[::1%25eth0]/d#${keys}`, 'host'],
  [`tillside-hub://u:p@[]/d#${keys}`, 'host'],
  [`tillside-hub://u:p@h:/d#${keys}`, 'port'],
  [`tillside-hub://u:p@h:0/d#${keys}`, 'port'],
  [`tillside-hub://u:p@h:65536/d#${keys}`, 'port'],
  [`tillside-hub://u:p@h:5e3/d#${keys}`, 'port'],
  [`tillside-hub://u:p@h#${keys}`, 'database'],
  [`tillside-hub://u:p@h/#${keys}`, 'database'],
  ['tillside-hub://u:p@h/d', 'storeKey'],
  [`tillside-hub://u:p@h/d#${storeKey.slice(1)}.${fingerprint}`, 'storeKey'],
  [`tillside-hub://u:p@h/d#${storeKey.slice(0, -1)}B.${fingerprint}`, 'storeKey'],
  [`tillside-hub://u:p@h/d#${storeKey}`, 'fingerprintMissing'],
  [`tillside-hub://u:p@127.0.0.1.example.com/d#${storeKey}`, 'fingerprintMissing'],
  [`tillside-hub://u:p@[::2]/d#${storeKey}`, 'fingerprintMissing'],
  [`tillside-hub://u:p@h/d#${keys}0`, 'fingerprint'],
  [`tillside-hub://u:p@h/d#${keys}.`, 'fingerprint'],
  [`tillside-hub://u:p@localhost/d#${storeKey}.`, 'fingerprint'],
])('%j is refused for its %s', (text, failure) => {
  expect(readHubAddress(text)).toEqual({ ok: false, failure });
});

test('the address of an owner may have no password and no fingerprint', () => {
  const { storeKey: _, ...server } = { ...whole, user: 'postgres', password: '', fingerprint: null };
  expect(readOwnerAddress('postgres://postgres@192.168.0.10:5433/tillside')).toEqual({ ok: true, value: server });
  expect(readOwnerAddress(`postgresql://postgres:@192.168.0.10:5433/tillside#${fingerprint}`)).toEqual({
    ok: true,
    value: { ...server, fingerprint },
  });
  // As openssl prints it.
  const printed = fingerprint.toUpperCase().match(/../g)?.join(':');
  expect(readOwnerAddress(`postgres://postgres@192.168.0.10:5433/tillside#${printed}`)).toMatchObject({
    value: { fingerprint },
  });
  expect(readOwnerAddress('postgres://postgres@h/d#0')).toEqual({ ok: false, failure: 'fingerprint' });
  expect(readOwnerAddress('mysql://postgres@h/d')).toEqual({ ok: false, failure: 'protocol' });
});

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 15 }).filter((one) => !/\p{Cc}/u.test(one));
const host = fc.oneof(
  fc.domain().map((name) => name.toLowerCase()),
  fc.ipV4(),
  fc.ipV6().map((address) => new URL(`http://[${address}]/`).hostname.slice(1, -1)),
  fc.constantFrom('localhost', '127.0.0.1', '::1', 'till_3'),
);

test('what is printed is read back as it was', () => {
  fc.assert(
    fc.property(
      fc.record({
        user: text.filter((name) => Buffer.byteLength(name) <= 63),
        password: text,
        host,
        port: fc.integer({ min: 1, max: 65_535 }),
        database: text.filter((name) => Buffer.byteLength(name) <= 63),
        storeKey: fc
          .uint8Array({ minLength: 32, maxLength: 32 })
          .map((bytes) => Buffer.from(bytes).toString('base64url')),
        fingerprint: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex')),
      }),
      (address) => {
        expect(readHubAddress(printHubAddress(address))).toEqual({ ok: true, value: address });
      },
    ),
  );
});

test('any text is answered, and what is read is printed so that it is read again', () => {
  const address = fc
    .array(
      fc.oneof(
        fc.string(),
        fc.constantFrom(
          'tillside-hub://',
          'u',
          ':',
          'p',
          '@',
          'h',
          '[::1]',
          '/',
          'd',
          '#',
          '%',
          '%20',
          '.',
          storeKey,
          keys,
        ),
      ),
    )
    .map((parts) => parts.join(''));
  const close = fc
    .tuple(fc.constant(printHubAddress(whole)), fc.nat(200), fc.string({ maxLength: 2 }))
    .map(([printed, at, other]) => printed.slice(0, at) + other + printed.slice(at + 1));
  fc.assert(
    fc.property(fc.oneof(address, close), (given) => {
      const read = readHubAddress(given);
      if (read.ok) {
        expect(readHubAddress(printHubAddress(read.value))).toEqual(read);
      }
    }),
    { numRuns: 1_000 },
  );
});
