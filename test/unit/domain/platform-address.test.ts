// The proof that a token never crosses a network in the clear, whatever address is typed.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPlatformAddress } from '../../../app/domain/platform-address.ts';

test.each([
  ['https://platform.example.com', 'https://platform.example.com'],
  ['  https://platform.example.com/  ', 'https://platform.example.com'],
  ['https://platform.example.com:8443/erp//', 'https://platform.example.com:8443/erp'],
  ['https://platform.example.com/api/v3', 'https://platform.example.com'],
  ['https://platform.example.com/erp/api/v3//', 'https://platform.example.com/erp'],
  ['https://platform.example.com/api/', 'https://platform.example.com'],
  ['https://platform.example.com/apiary', 'https://platform.example.com/apiary'],
  ['HTTPS://Platform.Example.COM', 'https://platform.example.com'],
  ['https://platform.example.com/erp?x=1#y', 'https://platform.example.com/erp'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://127.1.2.3', 'http://127.1.2.3'],
  ['http://localhost:3000/', 'http://localhost:3000'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
  ['http://2130706433/', 'http://127.0.0.1'],
])('%j is %s', (text, address) => {
  expect(readPlatformAddress(text)).toEqual({ ok: true, value: address });
});

test.each([
  'http://platform.example.com',
  'http://localhost.example.com',
  'http://127.0.0.1.example.com',
  'http://example.com/127.0.0.1',
  'http://example.com#localhost',
  'http://10.0.0.1',
  'http://0.0.0.0',
  'http://[::2]',
  'http://[::ffff:10.0.0.1]',
])('%j is not secure', (text) => {
  expect(readPlatformAddress(text)).toEqual({ ok: false, failure: { kind: 'addressNotSecure' } });
});

test.each([
  '',
  ' ',
  'platform.example.com',
  'ftp://platform.example.com',
  'file:///etc',
  'javascript:alert(1)',
  'https://',
  'https://user:secret@platform.example.com',
  'https://user@platform.example.com',
  'http://localhost@example.com',
  // Longer than is kept: as it is written, and once it is (each of these letters takes six characters).
  `https://platform.example.com${'/'.repeat(100_000)}`,
  `https://platform.example.com/${'ç'.repeat(400)}`,
])('%.50j is no address', (text) => {
  expect(readPlatformAddress(text)).toEqual({ ok: false, failure: { kind: 'addressInvalid' } });
});

test('whatever is accepted is https or this machine, and reads the same again', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.webUrl({ validSchemes: ['http', 'https'], withQueryParameters: true, withFragments: true }),
        fc.string(),
        fc.ipV4().map((ip) => `http://${ip}`),
      ),
      (text) => {
        const read = readPlatformAddress(text);
        if (read.ok) {
          const { protocol, hostname } = new URL(read.value);
          expect(protocol === 'https:' || /^(localhost|127\..*|\[::1\])$/.test(hostname)).toBe(true);
          expect(read.value.endsWith('/')).toBe(false);
          expect(readPlatformAddress(read.value)).toEqual(read);
        }
      },
    ),
    { numRuns: 1_000, seed: 1 },
  );
});
