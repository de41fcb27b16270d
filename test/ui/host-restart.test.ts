import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Handlers } from '../../app/contract/bridge.ts';
import { fail } from '../../app/domain/result.ts';
import { openBrowserHost, type BrowserHost } from '../../app/hosts/browser/server.ts';
import { projectDirectory } from '../../build/project.ts';
import { launchChromium, type ChromiumSession } from '../support/chromium.ts';
import { createFakeHandlers } from '../support/fake-handlers.ts';

const rendererDirectory = join(projectDirectory, 'dist/renderer');
let chromium: ChromiumSession;
let address = '';
beforeAll(async () => {
  chromium = await launchChromium();
});
afterAll(() => chromium.close());

function start(port: number, own: Partial<Handlers> = {}, where: string | null = '127.0.0.1'): Promise<BrowserHost> {
  return openBrowserHost({
    handlers: createFakeHandlers(own),
    subscribe: () => () => undefined,
    log: () => undefined,
    rendererDirectory,
    port,
    address: where ?? undefined,
    language: 'en',
    onAddress: (given) => (address = given),
  });
}

/** Another program on this port: it notes whatever comes, and answers everything as if it were the host. */
async function listenAs(port: number) {
  const requests: { readonly line: string; readonly body: Buffer }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests.push({
        line: `${request.method ?? ''} ${(request.url ?? '').replace(/^\/~[\w-]+/, '')}`,
        body: Buffer.concat(chunks),
      });
      if (request.url?.endsWith('/events') === true) {
        response
          .writeHead(200, { 'Content-Type': 'text/event-stream' })
          .write(`data: ${JSON.stringify({ name: 'queue:changed', payload: { revision: 9 } })}\n\ndata: QUFB\n\n`);
      } else if (request.url?.endsWith('.js') === true) {
        response.writeHead(200, { 'Content-Type': 'text/javascript' }).end('window.isTakenOver = true; export {};');
      } else {
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ ok: true, value: {} }));
      }
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    requests,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface Bridged {
  readonly isTakenOver?: boolean;
  readonly events: string[];
  readonly tillside: {
    invoke(channel: string, input: unknown): Promise<unknown>;
    subscribe(listener: (name: string) => void): void;
  };
}

it('a page left open tells nothing to another program on its host’s port, and takes nothing from it', async () => {
  const host = await start(0);
  const { page } = await chromium.open(address, { viewport: { width: 1024, height: 768 }, locale: 'en-GB' });
  await page.getByRole('button', { name: 'Practice store', exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => {
    const bridged = window as unknown as Bridged & { events: string[] };
    bridged.events = [];
    bridged.tillside.subscribe((name) => bridged.events.push(name));
  });
  await host.close();
  const other = await listenAs(host.port);
  const password = 'made-up password of Ana';
  const refusal = await page.evaluate(
    (secret) =>
      (window as unknown as Bridged).tillside
        .invoke('session:signIn', { email: 'ana@example.com', password: secret })
        .then(
          () => 'answered',
          (error: unknown) => (error instanceof Error ? error.name : ''),
        ),
    password,
  );
  expect(refusal).toBe('NotAdmitted');
  // The screen goes the same way, and says so.
  await page.getByRole('button', { name: 'Practice store', exact: true }).click();
  await page.getByRole('alertdialog', { name: 'Tillside was restarted' }).getByText('Open the new address').waitFor();
  // The scripts that the page had not needed yet.
  const scripts = readdirSync(join(rendererDirectory, 'assets')).filter(
    (name) => name.endsWith('.js') && !/^(index|companion|main|panel)/.test(name),
  );
  await page.evaluate(
    `Promise.all(${JSON.stringify(scripts)}.map((name) => import(new URL('assets/' + name, document.baseURI).href))).then(() => undefined)`,
  );
  await expect.poll(() => other.requests.filter(({ line }) => line === 'GET /sealed/events').length).toBeGreaterThan(0);
  await page.waitForTimeout(200);

  expect([...new Set(other.requests.map(({ line }) => line))].toSorted()).toEqual([
    'GET /sealed/events',
    'POST /sealed/call',
  ]);
  const sent = Buffer.concat(other.requests.map(({ body }) => body));
  expect(sent.length).toBeGreaterThan(0);
  for (const secret of [password, 'ana@example.com', 'session:signIn', 'practice:start']) {
    expect(sent.includes(secret), secret).toBe(false);
  }
  expect(
    await page.evaluate(() => [
      (window as unknown as Bridged).isTakenOver ?? false,
      (window as unknown as Bridged).events,
    ]),
  ).toEqual([false, []]);
  await other.close();
});

it('a page of the run before is told that it is not known, at each try', async () => {
  const first = await start(0);
  const { page } = await chromium.open(address, { viewport: { width: 1024, height: 768 }, locale: 'en-GB' });
  await page.getByRole('button', { name: 'Practice store', exact: true }).waitFor();
  await first.close();
  const second = await start(first.port);
  await page.getByRole('button', { name: 'Practice store', exact: true }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Tillside was restarted' });
  await dialog.getByText('Open the new address').waitFor();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByText('Tried once: this page is still not known.').waitFor();
  expect(await dialog.innerText()).toContain('What was waiting to be sent is kept on this terminal.');
  await second.close();
});

// macOS has one loopback address alone.
it.skipIf(process.platform === 'darwin')(
  'a page whose host has another address since says which one to open',
  async () => {
    const first = await start(0, {}, null);
    const { page } = await chromium.open(address, { viewport: { width: 1024, height: 768 }, locale: 'en-GB' });
    await page.getByRole('button', { name: 'Practice store', exact: true }).waitFor();
    await first.close();
    const second = await start(first.port, {}, null);
    await page.getByRole('button', { name: 'Practice store', exact: true }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Tillside has stopped answering' });
    await dialog.getByText('open the address that Tillside printed last').waitFor();
    await page.goto(address);
    await page.getByRole('button', { name: 'Practice store', exact: true }).waitFor();
    await second.close();
  },
);

it.each([
  ['one with a stream of events', 0],
  ['the fifth of its browser, which has none', 4],
])('calls that wait for the platform hold up no other, of %s', async (_which, others) => {
  const platform = Promise.withResolvers<undefined>();
  const host = await start(0, {
    'product:refresh': async () => {
      await platform.promise;
      return fail({ kind: 'timedOut' });
    },
  });
  const { page: first } = await chromium.open(address, { viewport: { width: 1024, height: 768 }, locale: 'en-GB' });
  const isReady = (page: Page) => page.getByRole('button', { name: 'Practice store', exact: true }).waitFor();
  await isReady(first);
  let page = first;
  for (let opened = 0; opened < others; opened += 1) {
    page = await first.context().newPage();
    await page.goto(first.url());
    await isReady(page);
  }
  const refreshed = page.evaluate(() => {
    const { tillside } = window as unknown as Bridged;
    const ask = () => tillside.invoke('product:refresh', { stockId: '1', productId: '2' });
    return Promise.all(Array.from({ length: 12 }, ask));
  });
  for (const asking of [first, page]) {
    const read = await asking.evaluate(() =>
      (window as unknown as Bridged).tillside.invoke('terminal:read', {}).then(() => 'read'),
    );
    expect(read).toBe('read');
  }
  platform.resolve(undefined);
  expect(await refreshed).toEqual(Array.from({ length: 12 }, () => ({ ok: false, failure: { kind: 'timedOut' } })));
  await first.context().close();
  await host.close();
});
