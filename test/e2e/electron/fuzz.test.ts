import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isNight } from '../../support/night.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { launchElectronForTest, whyNoElectron } from '../../support/electron.ts';
import { channels, createSecondJudge, sampleInput } from '../../support/fuzz/samples.ts';
import { junkOf, spoil } from '../../support/fuzz/spoil.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { invoke } from '../story.ts';

const missing = whyNoElectron();
const documentsPerChannel = isNight ? 60 : 1;
const messagesAtATime = 100;

/** The files that must not change, to the byte. */
function digest(dataDirectory: string): string {
  const hash = createHash('sha256');
  for (const entry of readdirSync(dataDirectory, { withFileTypes: true }).filter(
    ({ name }) => name === 'settings.json' || name === 'store',
  )) {
    const path = join(dataDirectory, entry.name);
    for (const file of entry.isDirectory()
      ? readdirSync(path)
          .filter((name) => name.startsWith('queue.db') && !name.endsWith('-shm'))
          .map((name) => join(path, name))
      : [path]) {
      hash.update(file).update(readFileSync(file));
    }
  }
  return hash.digest('hex');
}

test.skipIf(missing !== null)('no spoilt message gets through the real IPC, for any channel', async () => {
  const isSound = createSecondJudge();
  const junk = junkOf({ withUncloneable: false });
  const dataDirectory = temporaryDirectory();
  const session = await launchElectronForTest([], { dataDirectory });
  await session.page.getByRole('button', { name: 'Practice store' }).waitFor();
  await session.application.evaluate(() => {
    const thrown: string[] = [];
    Object.assign(globalThis, { thrown });
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(event, (error: unknown) => thrown.push(String(error)));
    }
  });
  const messages = channels.flatMap((channel) => {
    const random = createSeededRandom(`ipc ${channel}`);
    return Array.from({ length: documentsPerChannel }, () => spoil(random, sampleInput(random, channel), junk)).flatMap(
      (spoilt) => {
        try {
          const text =
            JSON.stringify(spoilt, (_key, value: unknown) =>
              typeof value === 'bigint' ? `${String(value)}n` : value,
            ) ?? 'null';
          return isSound(channel, JSON.parse(text)) ? [] : [{ channel, text }];
        } catch {
          return [];
        }
      },
    );
  });
  expect(messages.length).toBeGreaterThan(channels.length * documentsPerChannel * 0.5);
  const before = digest(dataDirectory);

  const accepted: string[] = [];
  // Chromium's debugger copies a message anew for each piece of it that arrives: one of 20 MB would take half a minute.
  for (let first = 0; first < messages.length; first += messagesAtATime) {
    const wrong = await session.page.evaluate(
      async (some) => {
        const found: string[] = [];
        for (const { channel, text } of some) {
          const answer = (await window.tillside?.invoke(channel, JSON.parse(text))) as {
            ok: boolean;
            failure?: { kind: string };
          };
          if (answer.ok || answer.failure?.kind !== 'inputInvalid') {
            found.push(`${channel} ${text.slice(0, 200)}: ${JSON.stringify(answer).slice(0, 200)}`);
          }
        }
        return found;
      },
      messages.slice(first, first + messagesAtATime),
    );
    accepted.push(...wrong);
  }
  expect(accepted.slice(0, 10)).toEqual([]);

  // The rest that arrives of some of these is an empty object, which is what a call without parameters takes.
  const choosy = channels.filter((channel, place) => !isSound(channel, {}) && (isNight || place % 4 === 0));
  const exotic = await session.page.evaluate(async (names) => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    let deep: unknown = 1;
    for (let level = 0; level < 3_000; level += 1) {
      deep = [deep];
    }
    const values: unknown[] = [
      undefined,
      null,
      NaN,
      Infinity,
      1n,
      'x'.repeat(200_000),
      '\uD800',
      new Date(),
      /x/,
      new Map([['id', 1]]),
      new Set([1]),
      new Uint8Array(100_000),
      new ArrayBuffer(8),
      new Error('x'),
      circle,
      deep,
      Object.create({ id: 1 }),
      Array.from({ length: 20_000 }),
      () => 1,
      Symbol('s'),
      document.body,
      window,
      new Proxy({}, {}),
      new WeakMap(),
      Promise.resolve(1),
      new Blob(['x']),
      new MessageChannel().port1,
      { extra: () => 1 },
      { extra: Symbol('s') },
      {
        get extra() {
          throw new Error('looked at');
        },
      },
      JSON.parse('{"__proto__":{"id":1},"extra":1}'),
    ];
    const wrong: string[] = [];
    let left = 0;
    for (const channel of names) {
      for (const [number, value] of values.entries()) {
        try {
          const answer = (await window.tillside?.invoke(channel, value)) as { ok: boolean; failure?: { kind: string } };
          left += 1;
          if (answer.ok || answer.failure?.kind !== 'inputInvalid') {
            wrong.push(`${channel} value ${String(number)}: ${JSON.stringify(answer).slice(0, 200)}`);
          }
        } catch {
          // It cannot be carried.
        }
      }
    }
    return { wrong: wrong.slice(0, 10), left };
  }, choosy);
  expect(exotic.wrong).toEqual([]);
  expect(exotic.left).toBeGreaterThan(choosy.length * 5);

  const odd = await session.page.evaluate(async () => {
    const answers: string[] = [];
    for (const channel of [
      '__proto__',
      'constructor',
      'terminal:destroy',
      '',
      'tillside:invoke',
      'x'.repeat(1_000_000),
      1,
      null,
      {},
      ['terminal:read'],
    ] as unknown[] as string[]) {
      const call = (window.tillside?.invoke(channel, {}) ?? Promise.resolve({ ok: true })) as Promise<{
        ok: boolean;
        failure?: { kind: string };
      }>;
      answers.push(
        await call.then(
          ({ ok, failure }) => (ok ? 'accepted' : String(failure?.kind)),
          () => 'inputInvalid',
        ),
      );
    }
    return [...new Set(answers)];
  });
  expect(odd).toEqual(['inputInvalid']);

  expect(digest(dataDirectory)).toBe(before);
  expect(await session.application.evaluate(() => (globalThis as unknown as { thrown: string[] }).thrown)).toEqual([]);
  expect(await invoke(session.page, 'terminal:read')).toMatchObject({ ok: true });
  const log = readdirSync(join(dataDirectory, 'logs'))
    .map((name) => readFileSync(join(dataDirectory, 'logs', name), 'utf8'))
    .join('');
  expect(log.split('\n').filter((line) => line.includes('"level":"error"'))).toEqual([]);
});
