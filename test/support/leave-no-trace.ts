// For projects whose files share a process: what one file changes in it, the next would find.
import { afterAll, beforeAll, expect, vi } from 'vitest';

/** What a test file may not have changed when it ends, not even by being read. */
function surroundings(): unknown {
  const { setTimeout, setInterval, setImmediate, queueMicrotask, fetch, Date } = globalThis;
  return {
    environment: { ...process.env },
    folder: process.cwd(),
    exitCode: process.exitCode,
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    replaceable: [setTimeout, setInterval, setImmediate, queueMicrotask, fetch, Date, Math.random, console.log],
  };
}

/** What modules may add once, when they are first read, and tests may not. */
function additions(): unknown {
  return {
    // Node adds those of undici when `fetch` is called for the first time.
    globals: Reflect.ownKeys(globalThis)
      .map(String)
      .filter((name) => !name.startsWith('Symbol(undici.')),
    listeners: process.eventNames().map((name) => `${String(name)}: ${String(process.listenerCount(name))}`),
  };
}

const surroundingsBefore = surroundings();
let additionsBefore: unknown;

beforeAll(() => {
  additionsBefore = additions();
});

afterAll(() => {
  // Whatever takes back its own stubs would take these back, in another file.
  vi.unstubAllGlobals();
  expect(surroundings(), 'the next file would find what this one has changed').toEqual(surroundingsBefore);
  expect(additions(), 'the next file would find what this one has added').toEqual(additionsBefore);
});
