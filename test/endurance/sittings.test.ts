// Proves that a long run goes on after any interruption with what it made and found, and never with what is damaged.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startChild, type Child } from '../support/child.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { openSittings, SittingsError, type Sittings } from './sittings.ts';

const program = resolve(import.meta.dirname, 'counted-run.ts');

function count(path: string, environment: Readonly<Record<string, string>> = {}, things = 45): Child {
  return startChild(process.execPath, [program, '--things', String(things), '--state', path], { environment });
}

test.each(['SIGKILL', 'SIGINT'] as const)(
  'a run that ends by %s goes on with its counts and findings',
  async (signal) => {
    const path = join(temporaryDirectory(), 'counted.state');
    const first = count(path, { TILLSIDE_TEST_HANGS: '1', TILLSIDE_TEST_FAILS: '2' });
    await first.waitForLine(/^30 of 45 things$/);
    await first.stop(signal);
    const second = count(path);
    expect(await second.ended).toMatchObject({ code: 1 });
    expect(second.lines).toEqual([
      `30 things were made before (${path}).`,
      '40 of 45 things',
      '45 of 45 things',
      expect.stringMatching(/^45 things in 2 sittings \(.+\), seeds 1 2 3 4 5$/),
    ]);
    expect(second.errorLines).toEqual([`${path} keeps what failed, and the seeds. Remove it to begin anew.`]);
    expect(readFileSync(path, 'utf8')).toContain('--seed 2: it failed');
    // Nothing more is to be made, and the failure is still told.
    expect(await count(path).ended).toMatchObject({ code: 1 });
  },
);

test('a run that is whole leaves nothing behind, and a longer one goes on from where the failing one stood', async () => {
  const path = join(temporaryDirectory(), 'counted.state');
  expect(await count(path).ended).toMatchObject({ code: 0 });
  expect(existsSync(path)).toBe(false);
  expect(await count(path, { TILLSIDE_TEST_FAILS: '1' }, 15).ended).toMatchObject({ code: 1 });
  const longer = count(path, {}, 30);
  expect(await longer.ended).toMatchObject({ code: 1 });
  expect(longer.lines.at(-1)).toMatch(/^30 things in 2 sittings \(.+\), seeds 1 2 3 4$/);
});

const open = (path: string, seed = 1): Sittings<{ things: number }> =>
  openSittings({ path, program: 'counted', seed, report: z.object({ things: z.number() }) });

test('a file that was cut off or changed anywhere is refused in one sentence, and left as it is', () => {
  const path = join(temporaryDirectory(), 'counted.state');
  open(path).add({ seed: 1, count: 10, report: { things: 10 }, failures: [] });
  const whole = readFileSync(path, 'utf8');
  expect(open(path).parts).toHaveLength(1);
  const damaged = [
    ...Array.from({ length: whole.length - 1 }, (_, length) => whole.slice(0, length)),
    whole.replace('"things":10', '"things":90'),
    `${whole.slice(0, 64)}\nnull\n`,
  ];
  for (const text of damaged) {
    writeFileSync(path, text);
    expect(() => open(path)).toThrow(
      new SittingsError(`${path} is damaged, and nothing was run. Remove it to begin anew.`),
    );
    expect(readFileSync(path, 'utf8')).toBe(text);
  }
});

test('a file of another run, or one that another run has written meanwhile, is refused', () => {
  const path = join(temporaryDirectory(), 'counted.state');
  const [one, other] = [open(path), open(path)];
  const part = { seed: 1, count: 10, report: { things: 10 }, failures: [] };
  one.add(part);
  expect(() => {
    other.add(part);
  }).toThrow('Another run has written');
  expect(() => open(path, 2)).toThrow('belongs to "counted --seed 1"');
});
