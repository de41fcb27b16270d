import type { Random } from '../../app/ports.ts';

export interface SeededRandom extends Random {
  /** True with this probability. */
  chance(probability: number): boolean;
  /** A whole number from low to high, both included. */
  integer(low: number, high: number): number;
  pick<Value>(list: readonly Value[]): Value;
  /** One of the names, each as often as its weight says. */
  pickWeighted<Name extends string>(weights: Readonly<Partial<Record<Name, number>>>): Name;
  /** A waiting time whose mean is given: many short ones, a few long ones, in whole milliseconds, at least 1. */
  waitMs(meanMs: number): number;
  /** A generator of its own for one concern. */
  fork(concern: string): SeededRandom;
}

/** Mixes a text into 32 bits (FNV-1a). */
function mix(text: string): number {
  let hash = 0x811c9dc5;
  for (let place = 0; place < text.length; place += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
  }
  return hash >>> 0;
}

/** Makes a generator (sfc32) from a text. */
export function createSeededRandom(seed: string): SeededRandom {
  let [a, b, c, counter] = [mix(`a${seed}`), mix(`b${seed}`), mix(`c${seed}`), 1];

  function next(): number {
    const result = (a + b + counter) >>> 0;
    counter = (counter + 1) >>> 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) >>> 0;
    c = (((c << 21) | (c >>> 11)) + result) >>> 0;
    return result;
  }

  for (let round = 0; round < 12; round += 1) {
    next();
  }

  const fraction = (): number => next() / 0x1_0000_0000;
  const integer = (low: number, high: number): number => low + Math.floor(fraction() * (high - low + 1));
  return {
    fraction,
    integer,
    chance: (probability) => fraction() < probability,
    pick: (list) => {
      const value = list[integer(0, list.length - 1)];
      if (value === undefined) {
        throw new Error('nothing to pick from');
      }
      return value;
    },
    pickWeighted: <Name extends string>(weights: Readonly<Partial<Record<Name, number>>>): Name => {
      const entries = Object.entries(weights) as [Name, number][];
      let left = fraction() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      const chosen = entries.find(([, weight]) => {
        left -= weight;
        return left < 0;
      });
      const [name] = chosen ?? entries.at(-1) ?? [];
      if (name === undefined) {
        throw new Error('nothing to pick from');
      }
      return name;
    },
    waitMs: (meanMs) => Math.max(1, Math.round(-meanMs * Math.log(1 - fraction()))),
    fork: (concern) => createSeededRandom(`${seed}/${concern}`),
    uuid: () => {
      const digits = Array.from({ length: 4 }, () => next().toString(16).padStart(8, '0')).join('');
      return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}`;
    },
  };
}
