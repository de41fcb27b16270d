import { expect, test } from 'vitest';
import { readLink, findLink } from '../../../../app/hosts/electron/link.ts';

test.each([
  ['tillside://lookup?code=7891000100103', '7891000100103'],
  ['TILLSIDE://LOOKUP?code=7891000100103', '7891000100103'],
  // Some browsers put the slash there.
  ['tillside://lookup/?code=7891000100103', '7891000100103'],
  ['tillside://lookup?code=(01)07891000100103%2821%29A%2B1', '(01)07891000100103(21)A+1'],
  ['tillside://lookup?code=caf%C3%A9', 'café'],
])('%s asks for %s', (link, code) => {
  expect(readLink(link)).toEqual({ kind: 'lookup', code });
});

test.each([
  ['tillside://coupon?product=7891000100103&on=true', '7891000100103', true],
  ['Tillside://Coupon/?product=A-101%2F2&on=FALSE', 'A-101/2', false],
])('%s asks to switch the coupon of %s: %s', (link, product, isEnabled) => {
  expect(readLink(link)).toEqual({ kind: 'coupon', product, isEnabled });
});

test.each([
  '',
  'tillside:',
  'tillside://',
  'tillside://lookup',
  'tillside://lookup?code=',
  'tillside://lookup?code=%20',
  'tillside://lookup?code=1&switch=on',
  'tillside://lookup?code=1#settings',
  'tillside://lookup?code=1?code=2',
  'tillside://lookup?text=1',
  'tillside://coupon?code=1',
  'tillside://coupon?product=1',
  'tillside://coupon?product=&on=true',
  'tillside://coupon?product=%20&on=true',
  'tillside://coupon?product=1&on=yes',
  'tillside://coupon?product=1&on=true&on=false',
  'tillside://coupon?product=1&on=true&pin=2580',
  'tillside://coupon?on=true&product=1',
  'tillside://coupon?product=1%E2%80%AE2&on=true',
  `tillside://coupon?product=${'1'.repeat(101)}&on=true`,
  'tillside://lookup.example.com?code=1',
  'tillside://lookup@example.com?code=1',
  'tillside://lookup/../queue?code=1',
  'tillside-hub://lookup?code=1',
  'https://lookup?code=1',
  ' tillside://lookup?code=1',
  'tillside://lookup?code=%',
  'tillside://lookup?code=%FF',
  'tillside://lookup?code=1%00',
  'tillside://lookup?code=1%0D',
  'tillside://lookup?code=1%C2%80',
  'tillside://lookup?code=1%E2%80%AE2',
  `tillside://lookup?code=${'1'.repeat(101)}`,
  `tillside://lookup?code=${'%31'.repeat(1000)}`,
  // A cashier's badge
  'tillside://lookup?code=TILL0123456789012345',
  'tillside://lookup?code=%5DC0till%30123456789012345',
  'tillside://coupon?product=TILL0123456789012345&on=true',
])('%j is refused', (link) => {
  expect(readLink(link)).toBeNull();
});

test('the link is the first argument that has the scheme, wherever the system puts it', () => {
  expect(findLink(['--data-dir', 'x', '--', 'tillside://lookup?code=1'])).toBe('tillside://lookup?code=1');
  expect(findLink(['--kiosk', 'file.json', 'tillside.json', 'x tillside://lookup?code=1'])).toBeNull();
});
