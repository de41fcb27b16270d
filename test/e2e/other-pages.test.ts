import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { fail, succeed } from '../../app/domain/result.ts';
import { findChromium, launchChromium, type ChromiumSession } from '../support/chromium.ts';
import { openHost } from '../support/gated-host.ts';
import { invoke } from './story.ts';
import { listenLocally } from '../support/listen.ts';

const isMissing = findChromium() === null && (process.env['CI'] ?? '') === '';
let chromium: ChromiumSession | null = null;
afterAll(() => chromium?.close());

async function open() {
  let calls = 0;
  const found: string[] = [];
  const host = await openHost({
    'lookup:find': ({ text }) => {
      found.push(text);
      return Promise.resolve(fail({ kind: 'notReady' }));
    },
    'practice:start': () => {
      calls += 1;
      return Promise.resolve(succeed({}));
    },
  });
  chromium ??= await launchChromium();
  const context = await chromium.browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(host.addresses[0] ?? '');
  return { ...host, context, page, calls: () => calls, found };
}

/** Another server of this machine. It keeps the headers of what reached it. */
async function openEvil(): Promise<{ readonly port: number; readonly headers: IncomingHttpHeaders[] }> {
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers);
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>other</title><p>other</p>');
  });
  const port = await listenLocally(server);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port, headers };
}

async function openOther(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

test.skipIf(isMissing)(
  'the page works below its own path, and nothing that it shows or keeps holds the token or the cookie',
  async () => {
    const { page, port, addresses, calls } = await open();
    expect(page.url()).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${String(port)}/~[\\w-]{22}/$`));
    expect(await invoke(page, 'practice:start')).toMatchObject({ ok: true });
    expect(calls()).toBe(1);
    await page.reload();
    expect(await invoke(page, 'terminal:read')).toMatchObject({ ok: true });
    const seen = await page.evaluate(() => ({
      cookie: document.cookie,
      referrer: document.referrer,
      address: location.href,
      entries: JSON.stringify(performance.getEntries()),
      storage: JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
    }));
    expect(seen).toMatchObject({ cookie: '', referrer: '' });
    expect(JSON.stringify(seen)).not.toContain(/token=(.*)/.exec(addresses[0] ?? '')?.[1] ?? 'none');
    await page.goBack().catch(() => undefined);
    expect(page.url()).not.toContain('token');
  },
);

test.skipIf(isMissing)('what a page calls at once begins in the order in which it was called', async () => {
  const { page, found } = await open();
  const texts = Array.from({ length: 200 }, (_, place) => String(place));
  await page.evaluate(async (all) => {
    for (let from = 0; from < all.length; from += 8) {
      const burst = all.slice(from, from + 8);
      await Promise.all(burst.map(async (text) => window.tillside?.invoke('lookup:find', { text, source: 'scan' })));
    }
  }, texts);
  expect(found).toEqual(texts);
});

test.skipIf(isMissing).each([
  ['one address', (home: string) => home],
  ['an address of its own each', (_: string, newest: string) => newest],
])('a page is answered however many others of the browser are open, by %s', async (_, addressOf) => {
  const { addresses, context, page, calls } = await open();
  const pages = [page];
  while (pages.length < 8) {
    const other = await openOther(context, addressOf(page.url(), addresses.at(-1) ?? ''));
    await other.evaluate(() => window.tillside?.subscribe(() => undefined));
    pages.push(other);
  }
  const answers = await Promise.all(pages.map((one) => invoke(one, 'practice:start')));
  expect(answers).toEqual(pages.map(() => ({ ok: true, value: {} })));
  expect(calls()).toBe(8);
});

test.skipIf(isMissing).each([
  ['another port of the same address', (port: number) => `http://127.0.0.1:${String(port)}/`],
  ['another name of this machine', (port: number) => `http://localhost:${String(port)}/`],
])('a page on %s gets no cookie, calls nothing, reads nothing and frames nothing', async (_what, addressOf) => {
  const { context, page, port, calls } = await open();
  const [cookie] = await context.cookies(page.url());
  const evil = await openEvil();
  const other = await openOther(context, addressOf(evil.port));
  // Loaded again by itself, as no longer coming from another site.
  await Promise.all([
    other.waitForEvent('load'),
    other.evaluate(() => {
      setTimeout(() => location.reload());
    }),
  ]);
  const home = new URL(page.url()).pathname;
  const outcomes = await other.evaluate(
    async ({ host, path }) => {
      const settle = (name: string, attempt: () => Promise<unknown>): Promise<string | null> =>
        attempt().then(
          () => name,
          () => null,
        );
      const body = JSON.stringify({});
      const load = (tag: string, attributes: object): Promise<unknown> =>
        new Promise((resolve, reject) => {
          document.body.append(
            Object.assign(document.createElement(tag), attributes, { onload: resolve, onerror: reject }),
          );
        });
      const blind = (more: RequestInit, place: string): Promise<unknown> =>
        fetch(`${host}${path}${place}`, { mode: 'no-cors', credentials: 'include', ...more }).then(() =>
          Promise.reject(new Error('blind')),
        );
      const passed = await Promise.all([
        settle('own port', () =>
          fetch('/again', { credentials: 'include' }).then(() => Promise.reject(new Error('only to be looked at'))),
        ),
        settle('read page', () => fetch(`${host}${path}`, { credentials: 'include' }).then((answer) => answer.text())),
        settle('read call', () =>
          fetch(`${host}${path}invoke/practice:start`, {
            method: 'POST',
            credentials: 'include',
            headers: { 'Content-Type': 'application/json' },
            body,
          }),
        ),
        settle('blind call', () =>
          blind({ method: 'POST', body: new Blob([body], { type: 'text/plain' }) }, 'invoke/practice:start'),
        ),
        settle('blind get', () => blind({}, 'invoke/practice:start')),
        settle('beacon', () =>
          Promise.resolve(
            navigator.sendBeacon(
              `${host}${path}invoke/practice:start`,
              new Blob([body], { type: 'application/x-www-form-urlencoded' }),
            ),
          ).then(() => Promise.reject(new Error('blind'))),
        ),
        settle(
          'events',
          () =>
            new Promise((resolve, reject) =>
              Object.assign(new EventSource(`${host}${path}events`, { withCredentials: true }), {
                onopen: resolve,
                onerror: reject,
              }),
            ),
        ),
        settle(
          'socket',
          () =>
            new Promise((resolve, reject) =>
              Object.assign(new WebSocket(`${host.replace('http', 'ws')}${path}events`), {
                onopen: resolve,
                onerror: reject,
              }),
            ),
        ),
        settle('script', () => load('script', { src: `${host}${path}bridge.js` })),
        settle('style', () => load('link', { rel: 'stylesheet', href: `${host}${path}assets/app.js` })),
      ]);
      // A form posts wherever it likes.
      const form = Object.assign(document.createElement('form'), {
        method: 'POST',
        enctype: 'text/plain',
        action: `${host}${path}invoke/practice:start`,
        target: 'frame',
      });
      form.append(Object.assign(document.createElement('input'), { name: '{"x":"', value: '"}' }));
      const frame = Object.assign(document.createElement('iframe'), { name: 'frame' });
      const framed = Object.assign(document.createElement('iframe'), { src: `${host}${path}` });
      document.body.append(frame, framed, form);
      form.submit();
      const opened = window.open(`${host}${path}`);
      await new Promise((resolve) => setTimeout(resolve, 1500));
      let isRead = false;
      try {
        isRead =
          (framed.contentDocument?.body.textContent ?? '') !== '' || (opened?.document.body.textContent ?? '') !== '';
      } catch {
        // Another origin's document.
      }
      return [...passed, isRead ? 'read a frame or window' : null].filter((name) => name !== null);
    },
    { host: `http://127.0.0.1:${String(port)}`, path: home },
  );
  expect(outcomes).toEqual([]);
  expect(calls()).toBe(0);
  // The framed page must not have run: a frame of the host's is the browser's own page of an error.
  for (const frame of other.frames().slice(1)) {
    expect(await frame.evaluate(() => 'tillside' in window).catch(() => false)).toBe(false);
  }
  expect(evil.headers.length).toBeGreaterThan(2);
  expect(JSON.stringify(evil.headers)).not.toContain(cookie?.value ?? 'none');
  // The page that belongs here goes on.
  expect(await invoke(page, 'practice:start')).toMatchObject({ ok: true });
  expect(calls()).toBe(1);
});

test.skipIf(isMissing)(
  'it is the path that keeps the cookie from other ports: without it the browser hands it over',
  async () => {
    const { context, port } = await open();
    await context.addCookies([
      {
        name: `tillside-${String(port)}-anywhere`,
        value: 'planted',
        domain: '127.0.0.1',
        path: '/',
        httpOnly: true,
        sameSite: 'Strict',
      },
    ]);
    const evil = await openEvil();
    const other = await openOther(context, `http://127.0.0.1:${String(evil.port)}/`);
    await other.evaluate(() => fetch('/again').then(() => undefined));
    expect(JSON.stringify(evil.headers)).toContain('planted');
  },
);

const worker = `
self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate' && !event.request.url.includes('token')) {
    event.respondWith(
      fetch(event.request)
        .then((answer) => answer.text())
        .then((text) => new Response(text.replace('<script', '<script>window.isTakenOver = true</script><script'), { headers: { 'Content-Type': 'text/html' } })),
    );
  }
});`;

// macOS has one loopback address alone.
test.skipIf(isMissing || process.platform === 'darwin')(
  'what another program has left in the browser does not reach the next run',
  async () => {
    const evil = createServer(({ url }, response) => {
      const cookies = Array.from({ length: 10 }, (_, place) => `left-${String(place)}=${'x'.repeat(3000)}; Path=/`);
      response
        .writeHead(200, {
          'Content-Type': url === '/worker.js' ? 'text/javascript' : 'text/html',
          ...(url === '/cookies' ? { 'Set-Cookie': cookies } : {}),
        })
        .end(url === '/worker.js' ? worker : '<!doctype html><title>other</title>');
    });
    const port = await listenLocally(evil);
    chromium ??= await launchChromium();
    const context = await chromium.browser.newContext();
    onTestFinished(() => context.close());
    const page = await openOther(context, `http://127.0.0.1:${String(port)}/`);
    await page.evaluate(async () => {
      await navigator.serviceWorker.register('/worker.js');
      await navigator.serviceWorker.ready;
      await fetch('/cookies');
    });
    evil.close();
    evil.closeAllConnections();

    const { addresses } = await openHost({}, { address: undefined, port });
    const loaded = await page.goto(addresses[0] ?? '');
    expect(loaded?.status()).toBe(200);
    expect(await page.evaluate(() => 'isTakenOver' in window)).toBe(false);
    expect(await invoke(page, 'terminal:read')).toMatchObject({ ok: true });
    const next = await openHost({}, { address: undefined });
    const [first, second] = [addresses[0], next.addresses[0]].map((address) => new URL(address ?? '').hostname);
    expect(second).not.toBe(first);
  },
);
