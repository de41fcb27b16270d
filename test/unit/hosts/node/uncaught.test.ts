import { expect, test } from 'vitest';
import { logUncaught } from '../../../../app/hosts/node/uncaught.ts';

test('of what nobody caught 20 errors are logged in ten minutes, and none once it has ended', () => {
  const logged: unknown[] = [];
  let nowMs = 0;
  const before = process.listeners('uncaughtException');
  const end = logUncaught((...line) => logged.push(line), { uptimeMs: () => nowMs });
  // Emitted, the event would be a failure of this test.
  const [note] = process.listeners('uncaughtException').filter((listener) => !before.includes(listener));
  const throwMany = (): void => {
    for (let times = 0; times < 30; times += 1) {
      note?.(new Error(String(times)), 'uncaughtException');
    }
  };
  throwMany();
  nowMs = 10 * 60_000 - 1;
  throwMany();
  expect(logged).toHaveLength(20);
  expect(logged.at(-1)).toEqual(['error', 'nobody caught an error', { error: new Error('19'), isLastOfMinutes: 10 }]);
  nowMs += 1;
  throwMany();
  expect(logged).toHaveLength(40);
  end();
  expect(process.listeners('uncaughtException')).toEqual(before);
});
