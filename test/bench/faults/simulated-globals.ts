import * as fakeIndexedDb from 'fake-indexeddb';
import { platformEpochMs } from '../../simulation/referee.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import type { World } from '../../simulation/virtual-clock.ts';

/** A timer as libraries expect it in Node. */
interface SimulatedTimer {
  ref(): SimulatedTimer;
  unref(): SimulatedTimer;
  hasRef(): boolean;
  cancel(): void;
}

type Callback = (...values: unknown[]) => void;

function isTimer(timer: unknown): timer is SimulatedTimer {
  return typeof timer === 'object' && timer !== null && 'cancel' in timer;
}

/** As browsers do with nested timers. */
const shortestTimerMs = 4;

/**
 * Puts the simulated globals in place; the answered function puts the real ones back. A timer fires only while `lifeOf`
 * still answers what it did when the timer was set: a dead process has none.
 */
export function installSimulatedGlobals(world: World, random: SeededRandom, lifeOf: () => number): () => void {
  const RealDate = Date;
  const nowMs = (): number => platformEpochMs + world.nowMs();

  function startTimer(
    callback: Callback,
    delayMs: number,
    values: readonly unknown[],
    isRepeated: boolean,
  ): SimulatedTimer {
    const life = lifeOf();
    let cancel = (): void => undefined;
    const wait = (): void => {
      const pending = world.after(Math.max(shortestTimerMs, Number.isFinite(delayMs) ? delayMs : 0), () => {
        if (lifeOf() === life) {
          if (isRepeated) {
            wait();
          }
          callback(...values);
        }
      });
      cancel = () => {
        pending.cancel();
      };
    };
    wait();
    const timer: SimulatedTimer = {
      ref: () => timer,
      unref: () => timer,
      hasRef: () => true,
      cancel: () => {
        cancel();
      },
    };
    return timer;
  }

  const clear = (timer: unknown): void => {
    if (isTimer(timer)) {
      timer.cancel();
    }
  };

  class SimulatedDate extends RealDate {
    constructor(...values: unknown[]) {
      super(...((values.length === 0 ? [nowMs()] : values) as [number]));
    }
    static override now(): number {
      return nowMs();
    }
  }

  const silence = (): void => undefined;
  const replacements: Record<string, unknown> = {
    setTimeout: (callback: Callback, delayMs = 0, ...values: unknown[]) => startTimer(callback, delayMs, values, false),
    setInterval: (callback: Callback, delayMs = 0, ...values: unknown[]) => startTimer(callback, delayMs, values, true),
    clearTimeout: clear,
    clearInterval: clear,
    // IndexedDB's steps take no time, and outlast the process that asked for them.
    setImmediate: (callback: Callback, ...values: unknown[]) =>
      world.after(0, () => {
        callback(...values);
      }),
    Date: SimulatedDate,
    console: { ...console, log: silence, info: silence, warn: silence, error: silence, debug: silence },
    self: globalThis,
    // A service worker without background sync, as in Electron.
    registration: {},
    location: new URL('https://app.example.com/'),
    __WB_DISABLE_DEV_LOGS: true,
    ...Object.fromEntries(Object.entries(fakeIndexedDb).filter(([name]) => name.startsWith('IDB'))),
    indexedDB: new fakeIndexedDb.IDBFactory(),
  };
  const before = new Map(
    Object.keys(replacements).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]),
  );
  for (const [name, value] of Object.entries(replacements)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true, enumerable: false });
  }
  const [realRandom, realUuid] = [Math.random, crypto.randomUUID];
  Math.random = random.fraction;
  crypto.randomUUID = () => random.uuid() as ReturnType<typeof crypto.randomUUID>;

  return () => {
    Math.random = realRandom;
    crypto.randomUUID = realUuid;
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) {
        Reflect.deleteProperty(globalThis, name);
      } else {
        Object.defineProperty(globalThis, name, descriptor);
      }
    }
  };
}
