import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { newsPrefix } from '../../../app/hub/link.ts';
import { seal } from '../../../app/hub/sealing.ts';
import { createSharedTexts } from '../../../app/hub/shared-texts.ts';
import type { SharedTexts } from '../../../app/ports.ts';
import { createHubRegister, hubAddress } from '../../support/hub-register.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { settlePromises } from '../../support/manual-clock.ts';
import { createClock } from '../catalogue/catalogue-fixture.ts';

function setting() {
  const clock = createClock();
  const register = createHubRegister(clock);
  const hub = { epoch: 'one' };
  const open = (id: string, behindMs = 0): SharedTexts =>
    createSharedTexts({
      clock,
      random: createSeededRandom(id),
      link: register.open(hubAddress),
      key: new Uint8Array(32).fill(7),
      id,
      time: () => ({ epoch: hub.epoch, loMs: clock.uptimeMs(), hiMs: clock.uptimeMs() - behindMs }),
    });
  return { clock, register, hub, open };
}

/** The news that this terminal receives. */
function listenTo(texts: SharedTexts, name = 'news'): string[] {
  const heard: string[] = [];
  const stop = texts.listen(name, ({ text, by, atMs }) => heard.push(`${by} ${text} ${atMs}`));
  onTestFinished(stop);
  return heard;
}

test('news are heard within 100 ms by all others, each once, and not by whoever published them', async () => {
  const { clock, open } = setting();
  const [one, two, three] = [open('one'), open('two'), open('three')] as const;
  const heard = [one, two, three].map((texts) => listenTo(texts));
  await clock.advance(0);
  await Promise.all([one.publish('news', { text: 'a', atMs: 10 }), two.publish('news', { text: 'b', atMs: 20 })]);
  await clock.advance(100);
  expect(heard.map((all) => all.toSorted())).toEqual([['two b 20'], ['one a 10'], ['one a 10', 'two b 20']]);
  await three.publish('other news', { text: 'c', atMs: 30 });
  await clock.advance(60_000);
  expect(heard[0]).toHaveLength(1);
});

test('whose clock of the hub runs a moment behind hears them at once all the same', async () => {
  const { clock, open } = setting();
  const heard = listenTo(open('behind', 40));
  await clock.advance(0);
  await open('one').publish('news', { text: 'a', atMs: 10 });
  await settlePromises();
  expect(heard).toEqual([]);
  await clock.advance(40);
  expect(heard).toEqual(['one a 10']);
});

test('what a bell did not bring is found ten seconds later', async () => {
  const { clock, register, open } = setting();
  const heard = listenTo(open('two'));
  await clock.advance(0);
  register.doBellsRing = false;
  await open('one').publish('news', { text: 'a', atMs: 10 });
  await settlePromises();
  expect(heard).toEqual([]);
  await clock.advance(10_000);
  expect(heard).toEqual(['one a 10']);
});

test('whoever begins to listen hears the last two hundred, and the newest of what replaces', async () => {
  const { clock, open } = setting();
  const one = open('one');
  for (let number = 0; number < 210; number += 1) {
    await one.publish('news', { text: `n${number}`, atMs: number });
  }
  const heard = listenTo(open('two'));
  await clock.advance(0);
  expect(heard).toHaveLength(200);
  expect([heard[0], heard.at(-1)]).toEqual(['one n10 10', 'one n209 209']);

  const three = open('three');
  for (const text of ['a', 'b']) {
    await one.publish('states', { text, atMs: 1 }, 'replaces');
    await three.publish('states', { text, atMs: 2 }, 'replaces');
  }
  const states = listenTo(open('four'), 'states');
  await clock.advance(0);
  expect(states).toEqual(['one b 1', 'three b 2']);
});

test('after a loss of the hub the numbers begin anew, and nothing is missed', async () => {
  const { clock, hub, open } = setting();
  const [one, two] = [open('one'), open('two')];
  const heard = listenTo(two);
  await one.publish('news', { text: 'a', atMs: 10 });
  await one.publish('news', { text: 'b', atMs: 10 });
  await clock.advance(10_000);
  hub.epoch = 'two';
  await one.publish('news', { text: 'c', atMs: 10 });
  await clock.advance(10_000);
  expect(heard).toEqual(['one a 10', 'one b 10', 'one c 10']);
});

test('who has stopped listening hears nothing more, and asks for nothing', async () => {
  const { clock, register, open } = setting();
  const heard: string[] = [];
  const stop = open('two').listen('news', ({ text }) => heard.push(text));
  await clock.advance(0);
  stop();
  await open('one').publish('news', { text: 'a', atMs: 10 });
  register.failure = 'failed';
  await clock.advance(60_000);
  expect(heard).toEqual([]);
});

test('while the hub does not answer nothing is published, and listening goes on afterwards', async () => {
  const { clock, register, open } = setting();
  const [one, two] = [open('one'), open('two')];
  const heard = listenTo(two);
  register.failure = 'unreachable';
  await clock.advance(30_000);
  await one.publish('news', { text: 'lost', atMs: 10 });
  register.failure = null;
  await clock.advance(20_000);
  await one.publish('news', { text: 'a', atMs: 20 });
  await clock.advance(10_000);
  expect(heard).toEqual(['one a 20']);
});

test('a hub that rings with every answer is asked ten times a second, and nothing rung is missed', async () => {
  const { clock, register, open } = setting();
  const link = register.open(hubAddress);
  let asked = 0;
  let ring = (): void => undefined;
  const texts = createSharedTexts({
    clock,
    random: createSeededRandom('rung'),
    link: {
      ...link,
      read: async (account, ...rest) => {
        asked += 1;
        const read = await link.read(account, ...rest);
        ring();
        return read;
      },
      onBell: (listener) => {
        let name = '';
        link.onBell((account) => (name = account));
        ring = () => listener(name);
        link.onBell(listener);
      },
    },
    key: new Uint8Array(32).fill(7),
    id: 'two',
    time: () => ({ epoch: 'one', loMs: clock.uptimeMs(), hiMs: clock.uptimeMs() }),
  });
  const heard = listenTo(texts);
  const one = open('one');
  await one.publish('news', { text: 'a', atMs: 10 });
  await clock.advance(10_000);
  expect(asked).toBeGreaterThan(10);
  expect(asked).toBeLessThan(110);
  await one.publish('news', { text: 'b', atMs: 20 });
  await clock.advance(100);
  expect(heard).toEqual(['one a 10', 'one b 20']);
});

test.each([
  ['no JSON', 'no JSON'],
  [
    'more than two hundred',
    JSON.stringify(Array.from({ length: 201 }, (_, place) => ({ number: place + 1, by: 'three', text: '', atMs: 0 }))),
  ],
  [
    'of more values than any',
    JSON.stringify([{ number: 1, by: 'three', text: 'b', atMs: 0, more: Array.from({ length: 4_000 }, () => 0) }]),
  ],
  [
    'numbered so high that no next number is another one',
    JSON.stringify([{ number: 1e300, by: 'three', text: '', atMs: 0 }]),
  ],
  [
    'numbered as high as can be counted',
    JSON.stringify([{ number: Number.MAX_SAFE_INTEGER, by: 'three', text: '', atMs: 0 }]),
  ],
  ['in no order', JSON.stringify([5_000, 1].map((number) => ({ number, by: 'three', text: '', atMs: 0 })))],
  ['longer than all that are kept', JSON.stringify([{ number: 1, by: 'three', text: 'x'.repeat(300_001), atMs: 0 }])],
])('news that are %s are none, and those after them are heard', async (_what, text) => {
  const { clock, register, open } = setting();
  const heard = listenTo(open('two'));
  await clock.advance(0);
  const [key, random] = [new Uint8Array(32).fill(7), createSeededRandom('stolen')];
  const account = `${newsPrefix}${createHmac('sha256', key).update('news').digest('base64url')}`;
  const envelope = { format: 1, epoch: 'one', atMs: 0, by: 'three', text };
  const sealed = seal(key, `tillside-shared 1\n${account}\n1`, gzipSync(JSON.stringify(envelope)), random);
  const stolen = register.open(hubAddress);
  const reading = { version: 0, serverMs: clock.now() };
  expect(await stolen.write(account, reading, sealed.toString('base64'), 1000)).toMatchObject({ ok: true });
  await clock.advance(1_000);
  for (const own of ['a', 'b', 'c']) {
    await open('one').publish('news', { text: own, atMs: 10 });
    await clock.advance(1_000);
  }
  expect(heard).toEqual(['one a 10', 'one b 10', 'one c 10']);
});

test('news of a moment still to come, as a stolen till may write them, are heard once it has come', async () => {
  const { clock, open } = setting();
  const heard = listenTo(open('two'));
  await clock.advance(1_000);
  const nowMs = clock.uptimeMs();
  await open('stolen').publish('news', { text: 'for ever', atMs: Number.MAX_SAFE_INTEGER });
  await open('stolen').publish('news', { text: 'in a minute', atMs: nowMs + 60_000 });
  // Terminals read the hub's time a little apart.
  await open('one').publish('news', { text: 'a little ahead', atMs: nowMs + 500 });
  await clock.advance(50_000);
  const atOnce = `one a little ahead ${nowMs + 500}`;
  expect(heard).toEqual([atOnce]);
  // Nor does whoever starts hear it sooner.
  const late = listenTo(open('three'));
  await clock.advance(5_000);
  expect(late).toEqual([atOnce]);
  await clock.advance(3_600_000);
  expect(heard).toEqual([atOnce, `stolen in a minute ${nowMs + 60_000}`]);
});
