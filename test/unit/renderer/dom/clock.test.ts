import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const setOutAt = Date.UTC(2026, 0, 5, 12);
const hourMs = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers({ now: setOutAt });
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** How often the clock of the screen ticks at a key, a while after the last tick and with the machine's clock set by so much. */
async function ticksAtKey(setByMs: number): Promise<number> {
  const { onTick } = await import('../../../../renderer/dom/clock.ts');
  let ticks = 0;
  const stop = onTick(() => (ticks += 1));
  vi.setSystemTime(setOutAt + 4_000 + setByMs);
  window.dispatchEvent(new Event('keydown'));
  stop();
  return ticks;
}

test('a key reads a clock that was set anew, lest an answer be drawn with the age of before', async () => {
  expect(await ticksAtKey(hourMs)).toBe(1);
  expect(await ticksAtKey(-hourMs)).toBe(1);
});

test('a key ticks not while the clock goes on as it did', async () => {
  expect(await ticksAtKey(0)).toBe(0);
});
