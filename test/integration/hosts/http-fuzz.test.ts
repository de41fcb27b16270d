// Spoilt messages as the browser host gets them, as bytes over real HTTP, from a page that has been let in: for every
// channel, documents that are not what it takes, and bodies that are no documents at all.
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Channel } from '../../../app/contract/contract.ts';
import type { Handlers } from '../../../app/contract/bridge.ts';
import { fail } from '../../../app/domain/result.ts';
import { openBrowserHost, type BrowserHost } from '../../../app/hosts/browser/server.ts';
import { isNight } from '../../support/night.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { createFakeEvents } from '../../support/fake-handlers.ts';
import { channels, createSecondJudge, sampleInput } from '../../support/fuzz/samples.ts';
import { junkOf, spoil } from '../../support/fuzz/spoil.ts';
import { makeTemporaryDirectory } from '../../support/temporary.ts';

const documentsPerChannel = isNight ? 40 : 8;
const atATime = 8;

const directory = makeTemporaryDirectory();
const agent = new Agent({ keepAlive: true, maxSockets: atATime });
const reached: { channel: Channel; input: unknown }[] = [];
const errors: unknown[] = [];
let host: BrowserHost;
let cookie = '';

beforeAll(async () => {
  mkdirSync(join(directory.path, 'renderer'));
  writeFileSync(join(directory.path, 'renderer', 'index.html'), '<!doctype html><title>x</title>');
  const handlers = Object.fromEntries(
    channels.map((channel) => [
      channel,
      (input: unknown) => {
        reached.push({ channel, input });
        return Promise.resolve(fail({ kind: 'notReady' }));
      },
    ]),
  ) as unknown as Handlers;
  let address = '';
  host = await openBrowserHost({
    handlers,
    subscribe: createFakeEvents().subscribe,
    log: (level, message, details) => {
      if (level === 'error') {
        errors.push({ message, details });
      }
    },
    rendererDirectory: join(directory.path, 'renderer'),
    port: 0,
    address: '127.0.0.1',
    language: 'en',
    onAddress: (next) => {
      address ||= next;
    },
  });
  const entered = await fetch(address, { redirect: 'manual' });
  cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
});
afterAll(async () => {
  agent.destroy();
  await host.close();
  directory.remove();
});

/** One call with exactly these bytes; answers the status and what is said. */
async function call(
  channel: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const request = httpRequest({
    host: '127.0.0.1',
    port: host.port,
    agent,
    method: 'POST',
    path: `/invoke/${encodeURIComponent(channel)}`,
    headers: {
      Cookie: cookie,
      Origin: `http://127.0.0.1:${String(host.port)}`,
      'Content-Type': 'application/json',
      ...headers,
    },
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk;
  }
  return { status: response.statusCode ?? 0, text };
}

async function eachOf<Item>(items: readonly Item[], action: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      for (let item = left.pop(); item !== undefined; item = left.pop()) {
        await action(item);
      }
    }),
  );
}

test('spoilt documents are refused on every channel', async () => {
  const isSound = createSecondJudge();
  const junk = junkOf({ withUncloneable: false });
  const messages = channels.flatMap((channel) => {
    const random = createSeededRandom(`http ${channel}`);
    return Array.from({ length: documentsPerChannel }, () => {
      const spoilt = spoil(random, sampleInput(random, channel), junk);
      try {
        return {
          channel,
          text: JSON.stringify(spoilt, (_key, value: unknown) =>
            typeof value === 'bigint' ? `${String(value)}n` : value,
          ),
        };
      } catch {
        return { channel, text: '{"circle":1}' };
      }
    });
  });
  const wrong: string[] = [];
  let sound = 0;
  await eachOf(messages, async ({ channel, text }) => {
    const { status, text: answer } = await call(channel, text ?? '');
    const isRefused = [400, 413].includes(status) || (status === 200 && /"ok":false/.test(answer));
    if (!isRefused) {
      wrong.push(`${channel} ${text.slice(0, 100)}: ${String(status)} ${answer.slice(0, 100)}`);
    }
  });
  for (const { channel, input } of reached.splice(0)) {
    sound += 1;
    if (!isSound(channel, input)) {
      wrong.push(`${channel} took ${JSON.stringify(input)?.slice(0, 200)}`);
    }
  }
  expect(wrong.slice(0, 10)).toEqual([]);
  expect(messages.length - sound).toBeGreaterThan(sound * 4);
  expect(errors).toEqual([]);
});

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const bodies: readonly (readonly [string, string | Buffer, Readonly<Record<string, string>>?])[] = [
  ['nothing', ''],
  ['no JSON', '{'],
  ['two documents', '{}{}'],
  ['a comment', '{}//'],
  ['a bare word', 'undefined'],
  ['NaN', 'NaN'],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ['UTF-16', Buffer.from('{}', 'utf16le')],
  ['zeros', Buffer.alloc(1000)],
  ['a hundred thousand brackets', deep],
  ['a prototype', '{"__proto__":{"x":1}}'],
  ['a name twice', '{"surprise":1,"surprise":2}'],
  ['a huge figure', '{"surprise":1e999999}'],
  ['digits without end', `{"surprise":${'9'.repeat(300_000)}}`],
  ['too much', `{"surprise":"${'x'.repeat(400_001)}"}`],
  ['a form', 'a=1', { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ['plain text', '{"surprise":1}', { 'Content-Type': 'text/plain' }],
  ['compressed', Buffer.from('1f8b08', 'hex'), { 'Content-Encoding': 'gzip' }],
];

test.each(bodies.map(([name, body, headers = {}]) => ({ name, body, headers })))(
  '$name reaches no handler of any channel and is answered',
  async ({ body, headers }) => {
    const statuses = new Set<number>();
    await eachOf(channels, async (channel) => {
      const { status, text } = await call(channel, body, headers);
      statuses.add(status);
      expect(status === 200 ? text : '{"ok":false').toContain('{"ok":false');
    });
    expect(reached).toEqual([]);
    expect([...statuses].filter((status) => ![200, 400, 413, 415].includes(status))).toEqual([]);
    expect(errors).toEqual([]);
    expect((await call('terminal:read', '{}')).status).toBe(200);
    expect(reached.splice(0)).toEqual([{ channel: 'terminal:read', input: {} }]);
  },
);

test('channels that do not exist are refused, however they are written', async () => {
  for (const channel of [
    '__proto__',
    'constructor',
    'terminal:read/',
    '../terminal:read',
    'terminal:read?x',
    'TERMINAL:READ',
    '\u0000',
    '😀',
    'x'.repeat(8_000),
  ]) {
    const { status, text } = await call(channel, '{}');
    expect([status, text.includes('{"ok":false')]).toEqual([200, true]);
  }
  expect(reached).toEqual([]);
  expect(errors).toEqual([]);
});
