import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { invokes, type Channel } from '../../../app/contract/contract.ts';
import type { Handlers } from '../../../app/contract/bridge.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { dispatch } from '../../../app/hosts/dispatch.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import {
  createWholeClock,
  openTerminalOnFiles,
  openTrainingHall,
  signInForTraining,
  whileTimePasses,
} from '../../endurance/terminal-on-files.ts';
import { settlePromises } from '../../support/manual-clock.ts';
import { isNight } from '../../support/night.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { channels, createSecondJudge, placesIn, sampleInput } from '../../support/fuzz/samples.ts';
import { junkOf, spoil } from '../../support/fuzz/spoil.ts';
import { makeTemporaryDirectory } from '../../support/temporary.ts';

/**
 * With a hundred for each place of an input, and once more for the input, 1,019 of the 1,028 kinds of refusal are met that
 * twice as many meet.
 */
const messagesPerPlace = isNight ? 100 : 20;
const mostPerChannel = 4_000;
/** The system tells a process's time in steps, and may say none. */
const leastToldUs = 1_000;
const oddPerChannel = isNight ? 60 : 10;
/** So many times of what sending them costs refusing them may take: a page that sends nothing else must not hold up the till. */
const mostOverSending = 30;

interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly details: unknown;
}

const clock = createWholeClock(1_000_000);
const directory = makeTemporaryDirectory();
let terminal: Terminal;
let platformCalls = 0;

beforeAll(async () => {
  const hall = await openTrainingHall(clock, 12);
  terminal = await openTerminalOnFiles({
    directory: directory.path,
    clock,
    random: createSeededRandom('fuzz'),
    http: {
      send: async (request) => {
        platformCalls += 1;
        return request.url.startsWith('http://127.0.0.1:1/')
          ? succeed(await hall.answer(request))
          : fail({ kind: 'unreachable' });
      },
    },
  });
  expect(await signInForTraining(terminal, clock)).toBe(true);
  await clock.advance(120_000);
  for (const productId of hall.products) {
    await terminal.handlers['coupon:switch']({ productId, isEnabled: true });
  }
  // What was sent at once is answered before anything is compared.
  await settlePromises();
});
afterAll(async () => {
  await whileTimePasses(clock, terminal.close());
  directory.remove();
});

/** Everything that this terminal keeps: its files to the byte, and what screens would be told. */
async function digest(): Promise<string> {
  const hash = createHash('sha256');
  const files = readdirSync(directory.path, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.endsWith('-shm'),
  );
  for (const file of files.map((entry) => join(entry.parentPath, entry.name)).toSorted()) {
    hash.update(file).update(readFileSync(file));
  }
  return hash.update(JSON.stringify(await terminal.handlers['terminal:read']({}))).digest('hex');
}

/** The terminal's handlers behind one who notes what reaches them, and lets through what `isLetThrough` says. */
function watchedHandlers(onReached: (channel: Channel, input: unknown) => boolean): Handlers {
  return Object.fromEntries(
    channels.map((channel) => [
      channel,
      (input: never) =>
        onReached(channel, input)
          ? (terminal.handlers[channel] as (input: never) => Promise<unknown>)(input)
          : Promise.resolve(fail({ kind: 'notReady' })),
    ]),
  ) as unknown as Handlers;
}

test('the look at what is kept sees one switch of a coupon, and a sound message reaches its handler', async () => {
  const before = await digest();
  expect(await digest()).toBe(before);
  const listed = await whileTimePasses(clock, terminal.handlers['coupon:list']({ filter: 'all', offset: 0, limit: 1 }));
  const productId = listed.ok ? listed.value.rows[0]?.productId : undefined;
  let reached = 0;
  const answer = await dispatch(
    watchedHandlers(() => (reached += 1) > 0),
    'coupon:switch',
    { productId, isEnabled: false },
    () => undefined,
  );
  expect([answer.ok, reached]).toEqual([true, 1]);
  expect(await digest()).not.toBe(before);
});

function cpuUsOf(work: () => void): number {
  const begun = process.cpuUsage();
  work();
  return process.cpuUsage(begun).user;
}

/** Copies a message as Chromium does before it reaches the main process. */
function cloneIfPossible(message: unknown): void {
  try {
    structuredClone(message);
  } catch {
    // Such a message never leaves the page.
  }
}

describe('spoilt messages', () => {
  const junk = junkOf({ withUncloneable: true });
  const isSound = createSecondJudge();

  test(
    'for each place of each channel: the malformed reach, change and tell nothing',
    { timeout: 240_000 },
    async () => {
      const before = await digest();
      const callsBefore = platformCalls;
      const wrong: string[] = [];
      const slow: string[] = [];
      let [sent, refused, sound] = [0, 0, 0];
      for (const channel of channels) {
        const random = createSeededRandom(`spoilt ${channel}`);
        const count = Math.min(mostPerChannel, (1 + placesIn(channel)) * messagesPerPlace);
        const messages = [
          ...junk,
          ...Array.from({ length: count }, () => spoil(random, sampleInput(random, channel), junk)),
        ];
        sent += messages.length;
        let isReached = false;
        const handlers = watchedHandlers((reached, input) => {
          isReached = true;
          if (reached !== channel || !isSound(channel, input)) {
            wrong.push(`${channel} took ${JSON.stringify(input)}`);
            return true;
          }
          return false;
        });
        const lines: LogLine[] = [];
        const log = (level: string, text: string, details?: unknown): void => {
          lines.push({ level, message: text, details });
        };
        const sendingUs = Math.max(
          leastToldUs,
          cpuUsOf(() => messages.forEach(cloneIfPossible)),
        );
        const begun = process.cpuUsage();
        for (const message of messages) {
          isReached = false;
          lines.length = 0;
          const answer = await dispatch(handlers, channel, message, log);
          if (isReached) {
            sound += 1;
          } else {
            refused += 1;
            const [line] = lines;
            if (
              answer.ok ||
              answer.failure.kind !== 'inputInvalid' ||
              lines.length !== 1 ||
              line?.level !== 'warning' ||
              JSON.stringify(line.details).length > 2_000
            ) {
              wrong.push(
                `${channel} answered ${JSON.stringify(answer)} and wrote ${JSON.stringify(lines).slice(0, 300)}`,
              );
            }
          }
        }
        let overSending = process.cpuUsage(begun).user / sendingUs;
        // Few messages take so little time that one collection of garbage decides; what is slow is so again.
        for (let again = 0; again < 2 && overSending > mostOverSending; again += 1) {
          const sendingAgainUs = Math.max(
            leastToldUs,
            cpuUsOf(() => messages.forEach(cloneIfPossible)),
          );
          const begunAgain = process.cpuUsage();
          for (const message of messages) {
            await dispatch(handlers, channel, message, () => undefined);
          }
          overSending = Math.min(overSending, process.cpuUsage(begunAgain).user / sendingAgainUs);
        }
        if (overSending > mostOverSending) {
          slow.push(`${channel}: ${overSending.toFixed(1)} times`);
        }
      }
      expect(wrong.slice(0, 10)).toEqual([]);
      expect(slow).toEqual([]);
      expect(refused + sound).toBe(sent);
      // Spoiling that left most of them whole would prove nothing.
      expect(refused).toBeGreaterThan(sound * 5);
      expect(platformCalls).toBe(callsBefore);
      expect(await digest()).toBe(before);
    },
  );

  test('names of channels that do not exist are refused, whatever they are', async () => {
    const before = await digest();
    const handlers = watchedHandlers(() => {
      throw new Error('reached');
    });
    for (const channel of [
      ...junk,
      ...Object.getOwnPropertyNames(Object.prototype),
      ...channels.map((name) => ` ${name}`),
      ...channels.map((name) => name.toUpperCase()),
    ]) {
      expect(await dispatch(handlers, channel, {}, () => undefined)).toMatchObject(fail({ kind: 'inputInvalid' }));
    }
    expect(await digest()).toBe(before);
  });
});

// Whose work is another store's or the end of this one; they have tests of their own.
const changingStore = new Set<Channel>([
  'practice:start',
  'profile:connect',
  'profile:switch',
  'profile:leave',
  'profile:remove',
  'hub:join',
  'hub:leave',
  'hub:remove',
  'session:signIn',
  'session:signOut',
]);

test('sound but odd messages are answered by every handler, and nothing is thrown', async () => {
  const wrong: string[] = [];
  for (const channel of channels.filter((name) => !changingStore.has(name))) {
    const random = createSeededRandom(`odd ${channel}`);
    for (let number = 0; number < oddPerChannel; number += 1) {
      const message = sampleInput(random, channel);
      if (!invokes[channel].input.safeParse(message).success) {
        continue;
      }
      const answer = await whileTimePasses(
        clock,
        dispatch(terminal.handlers, channel, message, (level, text, details) => {
          if (level === 'error') {
            wrong.push(`${channel} ${JSON.stringify(message).slice(0, 200)}: ${text} ${JSON.stringify(details)}`);
          }
        }),
      );
      if (!answer.ok && answer.failure.kind === 'unexpected') {
        wrong.push(`${channel} ${JSON.stringify(message).slice(0, 200)}: unexpected`);
      }
    }
  }
  expect([...new Set(wrong)].slice(0, 10)).toEqual([]);
});
