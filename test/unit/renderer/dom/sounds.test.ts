import { describe, expect, it } from 'vitest';
import type { LookupAnswer } from '../../../../app/contract/lookup.ts';
import { isNews, signalOf } from '../../../../renderer/lookup/signals.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { createSoundPlayer, gainOf, signals, tonesOf } from '../../../../renderer/dom/sounds.ts';

const nowMs = Date.parse('2026-03-10T15:00:00-03:00');
const dayMs = 24 * 3_600_000;
const found = (asOf: number | null): LookupAnswer =>
  ({
    kind: 'found',
    text: '1',
    cards: [{ balance: { amount: asOf === null ? null : 1, asOf, source: asOf === null ? null : 'listing' } }],
  }) as unknown as LookupAnswer;

describe('the sounds', () => {
  it('differ in number or by far in length, not by their tone alone', () => {
    const shapes = signals.map((signal) =>
      [tonesOf[signal].length, Math.round((tonesOf[signal][0]?.lengthMs ?? 0) / 200)].join(),
    );
    expect(new Set(shapes).size).toBe(signals.length);
    expect(signals.every((signal) => tonesOf[signal].every(({ startMs, lengthMs }) => startMs + lengthMs <= 450))).toBe(
      true,
    );
  });

  it('grow with the volume, from nothing', () => {
    expect([gainOf(0), gainOf(-5), gainOf(100), gainOf(1000)]).toEqual([0, 0, 0.25, 0.25]);
    expect(gainOf(50)).toBeGreaterThan(gainOf(25));
  });

  it('are silent without failing before a touch, at volume 0, without a device, where sound is refused', async () => {
    let made = 0;
    const page = (more: object, hasBeenActive = true): Window =>
      ({ navigator: { userActivation: { hasBeenActive } }, ...more }) as unknown as Window;
    class Refused {
      readonly state = this.refuse();
      private refuse(): never {
        made += 1;
        throw new Error('no device');
      }
    }
    class Asleep {
      readonly state = 'suspended';
      constructor() {
        made += 1;
      }
      resume(): Promise<void> {
        return Promise.reject(new Error('no device'));
      }
    }
    createSoundPlayer(page({ AudioContext: Refused }, false)).play('found', 50);
    createSoundPlayer(page({ AudioContext: Refused })).play('found', 0);
    createSoundPlayer(page({})).play('found', 50);
    expect(made).toBe(0);
    const refused = createSoundPlayer(page({ AudioContext: Refused }));
    refused.play('found', 50);
    refused.play('found', 50);
    createSoundPlayer(page({ AudioContext: Asleep }), () => () => undefined).play('notFound', 50);
    await Promise.resolve();
    expect(made).toBe(3);
  });
});

it('leaves the device open from one scan to the next, and closes it after a silence', async () => {
  const clock = createManualClock();
  const reported: string[] = [];
  const node = { value: 0, connect: () => node, setValueAtTime: () => node, linearRampToValueAtTime: () => node };
  const part = (): object => ({
    ...node,
    gain: node,
    frequency: node,
    start: () => reported.push('tone'),
    stop: () => undefined,
  });
  class Device {
    readonly state = 'running';
    readonly currentTime = 0;
    readonly createGain = part;
    readonly createOscillator = part;
    constructor() {
      reported.push('open');
    }
    close(): Promise<void> {
      reported.push('close');
      return Promise.resolve();
    }
  }
  const page = { navigator: { userActivation: { hasBeenActive: true } }, AudioContext: Device } as unknown as Window;
  const player = createSoundPlayer(page, (delayMs, callback) => clock.after(delayMs, callback).cancel);
  player.play('found', 50);
  await clock.advance(4_000);
  player.play('found', 50);
  await clock.advance(4_000);
  expect(reported).toEqual(['open', 'tone', 'tone']);
  await clock.advance(1_000);
  expect(reported.splice(0)).toEqual(['open', 'tone', 'tone', 'close']);
  player.play('found', 50);
  expect(reported).toEqual(['open', 'tone']);
});

describe('the signal of an answer', () => {
  it.each<[string, LookupAnswer | null, string]>([
    ['a product', found(nowMs - 60_000), 'found'],
    ['a product with a figure of a day ago', found(nowMs - dayMs), 'found'],
    ['a product with an older one', found(nowMs - dayMs - 1), 'stale'],
    ['a product without a figure', found(null), 'found'],
    ['several products', { kind: 'several', text: 'x', hits: [] } as unknown as LookupAnswer, 'found'],
    ['a miss', { kind: 'unknown', text: 'x', asked: false }, 'notFound'],
    ['a failure', null, 'notFound'],
  ])('is for %s', (_, answer, signal) => {
    expect(signalOf(answer, nowMs)).toBe(signal);
  });

  it('is told once a scan, and again when a miss or a product has turned into another product', () => {
    const reported = { sequence: 4, of: '', signal: 'notFound' } as const;
    const product = { sequence: 4, of: '7', signal: 'stale' } as const;
    expect(isNews(reported, undefined)).toBe(true);
    expect(isNews(reported, reported)).toBe(false);
    expect(isNews({ ...product, signal: 'found' }, reported)).toBe(true);
    expect(isNews({ ...product, signal: 'found' }, product)).toBe(false);
    expect([isNews({ ...product, of: '8' }, product), isNews(reported, product)]).toEqual([true, false]);
    expect(isNews({ ...reported, sequence: 5 }, reported)).toBe(true);
  });
});
