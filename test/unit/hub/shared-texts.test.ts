import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { textPrefix, type HubLink } from '../../../app/hub/link.ts';
import { seal } from '../../../app/hub/sealing.ts';
import { createSharedTexts, leaseMs } from '../../../app/hub/shared-texts.ts';
import { succeed } from '../../../app/domain/result.ts';
import { createHubRegister, hubAddress } from '../../support/hub-register.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { createClock } from '../catalogue/catalogue-fixture.ts';

const key = new Uint8Array(32).fill(7);

function setting() {
  const clock = createClock();
  const register = createHubRegister(clock);
  const calls: string[] = [];
  let epoch = 'one';
  let leapMs = 0;
  function open(
    id: string,
    options: { readonly link?: HubLink; readonly key?: Uint8Array; readonly behindMs?: number } = {},
  ) {
    const link = options.link ?? register.open(hubAddress);
    return createSharedTexts({
      clock,
      random: createSeededRandom(id),
      link: {
        ...link,
        read: (...input) => {
          calls.push('read');
          return link.read(...input);
        },
      },
      key: options.key ?? key,
      id,
      time: () => ({ epoch, loMs: clock.uptimeMs(), hiMs: clock.uptimeMs() + leapMs - (options.behindMs ?? 0) }),
    });
  }
  return {
    clock,
    register,
    calls,
    open,
    leap: (ms: number) => {
      leapMs += ms;
    },
    setEpoch: (other: string) => {
      epoch = other;
    },
  };
}

describe('a text', () => {
  test('is read by every other terminal, with its moment, and a newer one replaces it', async () => {
    const { clock, open } = setting();
    const [one, two] = [open('one'), open('two')];
    expect(await two.read('name')).toBeNull();
    await one.write('name', { text: 'São João 9007199254740993', atMs: 900 });
    expect(await two.read('name')).toEqual({ text: 'São João 9007199254740993', atMs: 900, ageMs: 100 });
    expect(await two.read('another name')).toBeNull();
    clock.sleep(1_000);
    await two.write('name', { text: 'newer', atMs: 1_000 });
    await one.write('name', { text: 'older', atMs: 950 });
    expect(await one.read('name')).toEqual({ text: 'newer', atMs: 1_000, ageMs: 1_000 });
  });

  test('is nothing to whoever has another key, and that one replaces nothing that it can read', async () => {
    const { open } = setting();
    const [one, stranger] = [open('one'), open('stranger', { key: new Uint8Array(32).fill(8) })];
    await one.write('name', { text: 'text', atMs: 900 });
    expect(await stranger.read('name')).toBeNull();
    await stranger.write('name', { text: 'forged', atMs: 950 });
    expect(await one.read('name')).toEqual({ text: 'text', atMs: 900, ageMs: 100 });
  });

  test('is nothing when the server gives it under another name or version, or changes a letter of it', async () => {
    const { register, open } = setting();
    const link = register.open(hubAddress);
    await open('one').write('name', { text: 'text', atMs: 900 });
    await open('one').write('other', { text: 'other text', atMs: 900 });
    const registers: string[] = [];
    await open('watch', {
      link: {
        ...link,
        read: (account, timeoutMs) => {
          registers.push(account);
          return link.read(account, timeoutMs);
        },
      },
    }).read('name');
    const name = registers[0] ?? '';
    expect(name).not.toContain('name');
    const lying = (change: (document: string) => string, version = 1): HubLink => ({
      ...link,
      read: async (account, timeoutMs) => {
        const read = await link.read(name === account ? account : name, timeoutMs);
        const document = read.ok ? (read.value.document ?? '') : '';
        return read.ok ? succeed({ ...read.value, version, document: change(document) }) : read;
      },
    });
    expect(await open('two', { link: lying((text) => text) }).read('name')).toEqual({
      text: 'text',
      atMs: 900,
      ageMs: 100,
    });
    expect(await open('two', { link: lying((text) => text) }).read('other')).toBeNull();
    expect(await open('two', { link: lying((text) => text, 2) }).read('name')).toBeNull();
    const turned = lying((text) => `${text.slice(0, 60)}${text[60] === 'A' ? 'B' : 'A'}${text.slice(61)}`);
    expect(await open('two', { link: turned }).read('name')).toBeNull();
  });

  test('of another epoch, or from a later time than this terminal knows, is not taken', async () => {
    const { open, setEpoch } = setting();
    await open('one').write('name', { text: 'text', atMs: 1_000 });
    expect(await open('behind', { behindMs: 5_000 }).read('name')).toBeNull();
    setEpoch('two');
    const two = open('two');
    expect(await two.read('name')).toBeNull();
    await two.write('name', { text: 'after the loss', atMs: 10 });
    expect(await two.read('name')).toEqual({ text: 'after the loss', atMs: 10, ageMs: 990 });
  });

  test('of a newer version is said to be one, and is left as it is', async () => {
    const { register, open } = setting();
    const link = register.open(hubAddress);
    const name = `shared ${createHmac('sha256', key).update('name').digest('base64url')}`;
    const later = gzipSync(JSON.stringify({ format: 2, anything: 'else' }));
    const sealed = seal(key, `tillside-shared 1\n${name}\n1`, later, createSeededRandom('later')).toString('base64');
    const reading = await link.read(name, 1_000);
    expect(reading.ok && (await link.write(name, reading.value, sealed, 1_000))).toEqual(succeed(true));
    const one = open('one');
    expect(await one.read('name')).toBe('newer');
    await one.write('name', { text: 'text', atMs: 900 });
    expect(await link.read(name, 1_000)).toMatchObject({ value: { version: 1, document: sealed } });
  });

  test.each([
    ['of many values', { more: Array.from({ length: 30 }, () => 0) }],
    ['that is nested', { more: JSON.parse(`${'['.repeat(30)}${']'.repeat(30)}`) as unknown }],
    ['of more than four megabytes', { text: 'x'.repeat(4_200_000) }],
  ])('%s costs no more than a few milliseconds: it is not read', async (_what, odd) => {
    const { register, open } = setting();
    const link = register.open(hubAddress);
    const name = `${textPrefix}${createHmac('sha256', key).update('name').digest('base64url')}`;
    const packed = gzipSync(JSON.stringify({ format: 1, epoch: 'one', atMs: 900, by: 'thief', text: 'text', ...odd }));
    const sealed = seal(key, `tillside-shared 1\n${name}\n1`, packed, createSeededRandom('thief')).toString('base64');
    const reading = await link.read(name, 1_000);
    expect(reading.ok && (await link.write(name, reading.value, sealed, 1_000))).toEqual(succeed(true));
    expect(await open('one').read('name')).toBe('newer');
  });

  test('that nobody would read is not written', async () => {
    const { open, calls } = setting();
    await open('one').write('name', { text: 'x'.repeat(4_200_000), atMs: 900 });
    expect([await open('two').read('name'), calls]).toEqual([null, ['read', 'read']]);
  });

  test('that is too long is left out', async () => {
    const { open } = setting();
    const random = createSeededRandom('long');
    const text = Array.from({ length: 20_000 }, () => random.uuid()).join('');
    await open('one').write('name', { text, atMs: 900 });
    expect(await open('two').read('name')).toBeNull();
  });
});

test('a hub that fails is left alone for some seconds', async () => {
  const { clock, register, calls, open } = setting();
  const one = open('one');
  register.failure = 'unreachable';
  expect(await one.read('name')).toBeNull();
  expect(one.nowMs()).toBeNull();
  expect(await one.read('name')).toBeNull();
  expect(await one.lease('name')).toBe(false);
  expect(calls).toHaveLength(1);
  register.failure = null;
  clock.sleep(5_000);
  await one.write('name', { text: 'text', atMs: 900 });
  expect(await one.read('name')).toEqual({ text: 'text', atMs: 900, ageMs: 5_100 });
});

describe('a lease', () => {
  test.each(['for ever', 'Infinity', '1e300', '60000'])('whose time is %s is as none', async (text) => {
    const { open } = setting();
    await open('hostile').write('reader', { text, atMs: 0 });
    expect(await open('one').lease('reader')).toBe(true);
    expect(await open('two').lease('reader')).toBe(false);
  });

  test('has one holder, who keeps it while asking for it', async () => {
    const { clock, open } = setting();
    const [one, two] = [open('one'), open('two')];
    expect(await Promise.all([one.lease('reader'), two.lease('reader')])).toEqual([true, false]);
    for (let passedMs = 0; passedMs < 3 * leaseMs; passedMs += 2_000) {
      clock.sleep(2_000);
      expect([await one.lease('reader'), await two.lease('reader')]).toEqual([true, false]);
    }
    expect(await two.lease('another')).toBe(true);
  });

  test("stays when another terminal joins, at which the hub's faster clock leaps", async () => {
    const { clock, leap, open } = setting();
    const [one, two] = [open('one'), open('two')];
    expect(await one.lease('reader')).toBe(true);
    leap(25_001);
    clock.sleep(3_000);
    expect(await two.lease('reader')).toBe(false);
    expect(await one.lease('reader')).toBe(true);
  });

  test('is known of by whoever has asked for it lately', async () => {
    const { clock, open } = setting();
    const [one, two] = [open('one'), open('two')];
    await one.lease('reader');
    await two.lease('reader');
    expect([...one.holders(), ...two.holders()]).toEqual(['one', 'one']);
    clock.sleep(2 * leaseMs);
    expect([...one.holders(), ...two.holders()]).toEqual([]);
  });

  test('goes to another when its holder is silent', async () => {
    const { clock, open } = setting();
    const [one, two] = [open('one'), open('two')];
    expect(await one.lease('reader')).toBe(true);
    clock.sleep(leaseMs + 1);
    expect(await two.lease('reader')).toBe(true);
    expect(await one.lease('reader')).toBe(false);
  });
});
