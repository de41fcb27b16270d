import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { startChild } from '../../support/child.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { partOf, shareOf, spread } from './plan.ts';

const program = resolve(import.meta.dirname, 'week.ts');

/** Lives some short days with a hundredth of their load. */
async function live(...flags: readonly string[]): Promise<{ readonly code: number | null; readonly text: string }> {
  const child = startChild(process.execPath, [
    program,
    '--clock',
    'virtual',
    '--share',
    '0.01',
    '--day-hours',
    '2',
    ...flags,
  ]);
  const { code } = await child.ended;
  return { code, text: [...child.lines, ...child.errorLines].join('\n') };
}

test('the parts of a week are the whole of it, and each happening has a slot of its own', () => {
  const whole = partOf(1);
  expect(whole).toEqual({ scans: 50_000, switches: 5_000, outages: 200, sleeps: 50 });
  const parts = Array.from({ length: 7 }, (_, day) => shareOf(whole, day, 7));
  expect(parts.reduce((sum, { sleeps }) => sum + sleeps, 0)).toBe(50);
  expect(parts.reduce((sum, { scans }) => sum + scans, 0)).toBe(50_000);
  const moments = spread(10, 1000, createSeededRandom('spread'));
  expect(moments.map((atMs) => Math.floor(atMs / 100))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('a short week is flat, and a leak of any kind is told', async () => {
  const [sound, leaking] = await Promise.all([live('--days', '3'), live('--days', '2', '--leak')]);
  expect(sound.text).toContain('all hold');
  expect(sound.code).toBe(0);
  expect(leaking.code).toBe(1);
  for (const what of ['heap after a collection', 'functions, listeners among them', 'pending timers', 'leak.txt']) {
    expect(leaking.text).toContain(`F1 ${what} is not flat`);
  }
});
