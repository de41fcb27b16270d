import type { Session } from 'electron';
import { expect, test } from 'vitest';
import { createSystemProxyOf } from '../../../../app/hosts/electron/system-proxy.ts';

test('the session that the system is asked through is opened and closed to requests once', async () => {
  const handlers: unknown[] = [];
  let opened = 0;
  const proxyOf = createSystemProxyOf(() => {
    opened += 1;
    return {
      webRequest: { onBeforeRequest: (handler: unknown) => handlers.push(handler) } as unknown as Session['webRequest'],
      resolveProxy: (url: string) => Promise.resolve(`PROXY of ${url}`),
    };
  });
  expect([opened, handlers.length], 'nothing before it is needed').toEqual([0, 0]);
  expect(await proxyOf('https://a.example.com/')).toBe('PROXY of https://a.example.com/');
  expect(await proxyOf('https://b.example.com/')).toBe('PROXY of https://b.example.com/');
  expect([opened, handlers.length]).toEqual([1, 1]);
  let cancelled: unknown;
  (handlers[0] as (details: object, answer: (response: object) => void) => void)({}, (response) => {
    cancelled = response;
  });
  expect(cancelled).toEqual({ cancel: true });
});
