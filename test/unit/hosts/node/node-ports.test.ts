import { uptime } from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import { createNodeClock, createNodeRandom } from '../../../../app/hosts/node/node-ports.ts';

afterEach(() => {
  vi.useRealTimers();
});

test("uptime is the machine's, never goes backwards, and is finer than its source", () => {
  const clock = createNodeClock();
  expect(Math.abs(clock.uptimeMs() - uptime() * 1000)).toBeLessThan(2000);
  let last = clock.uptimeMs();
  for (let reading = 0; reading < 1000; reading += 1) {
    const next = clock.uptimeMs();
    expect(next).toBeGreaterThanOrEqual(last);
    last = next;
  }
});

test('a delay beyond what setTimeout understands is waited for whole, and can be called off', () => {
  vi.useFakeTimers();
  const clock = createNodeClock();
  const fired: string[] = [];
  const thirtyDaysMs = 30 * 24 * 3600 * 1000;
  clock.after(thirtyDaysMs, () => fired.push('kept'));
  const cancelled = clock.after(thirtyDaysMs, () => fired.push('cancelled'));
  vi.advanceTimersByTime(thirtyDaysMs - 1);
  expect(fired).toEqual([]);
  cancelled.cancel();
  vi.advanceTimersByTime(1);
  expect(fired).toEqual(['kept']);
});

test('chance gives version 4 UUIDs and fractions from 0 up to 1', () => {
  const random = createNodeRandom();
  expect(random.uuid()).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  for (let draw = 0; draw < 1000; draw += 1) {
    const fraction = random.fraction();
    expect(fraction >= 0 && fraction < 1).toBe(true);
  }
});
