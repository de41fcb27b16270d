import { once } from 'node:events';
import { uptime } from 'node:os';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import { afterEach, expect, test, vi } from 'vitest';
import { createNodeClock, createNodeRandom, createOffsetMinutes } from '../../../../app/hosts/node/node-ports.ts';

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

test('a time zone that is corrected while this runs is gone by within a minute', async () => {
  const former = process.env['TZ'] ?? expect.fail('the tests run in a zone of their own');
  // Another thread of the process changes the zone as the system does: nobody tells this one.
  const correct = async (zone: string): Promise<void> => {
    const script = `process.env.TZ = ${JSON.stringify(zone)}`;
    await once(new Worker(script, { eval: true, env: SHARE_ENV }), 'exit');
  };
  let uptimeMs = 0;
  const offsetMinutes = createOffsetMinutes({ uptimeMs: () => uptimeMs });
  const at = Date.UTC(2026, 4, 4);
  try {
    const seen = [offsetMinutes(at)];
    await correct('America/Manaus');
    uptimeMs = 59_999;
    seen.push(offsetMinutes(at));
    uptimeMs = 60_000;
    expect([...seen, offsetMinutes(at)]).toEqual([-180, -180, -240]);
  } finally {
    process.env['TZ'] = former;
  }
});

test('chance gives version 4 UUIDs and fractions from 0 up to 1', () => {
  const random = createNodeRandom();
  expect(random.uuid()).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  for (let draw = 0; draw < 1000; draw += 1) {
    const fraction = random.fraction();
    expect(fraction >= 0 && fraction < 1).toBe(true);
  }
});
