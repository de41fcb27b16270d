import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { startChild } from '../support/child.ts';

const program = resolve(import.meta.dirname, '../endurance/week/week.ts');

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

test('a short week is flat, and a leak of any kind is told', async () => {
  const [sound, leaking] = await Promise.all([live('--days', '3'), live('--days', '2', '--leak')]);
  expect(sound.text).toContain('all hold');
  expect(sound.code).toBe(0);
  expect(leaking.code).toBe(1);
  for (const what of ['heap after a collection', 'functions, listeners among them', 'pending timers', 'leak.txt']) {
    expect(leaking.text).toContain(`F1 ${what} is not flat`);
  }
});
