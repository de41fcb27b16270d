import { expect, test } from 'vitest';
import { createClosing } from '../../../../app/terminal/workspace/context.ts';

test('what begins by itself stops at once; parts close one after another, the last opened first', async () => {
  const ending = new AbortController();
  const { onAbort, onClose, close } = createClosing(ending.signal);
  const said: string[] = [];
  onClose(() => {
    said.push('first closed');
  });
  onAbort(() => said.push('stopped'));
  onClose(async () => {
    await Promise.resolve();
    said.push('second closed');
  });

  ending.abort();
  expect(said).toEqual(['stopped']);
  await close();
  expect(said).toEqual(['stopped', 'second closed', 'first closed']);
  await close();
  expect(said).toHaveLength(3);
});

test('what is closed is not stopped again by a signal that outlives it', async () => {
  const ending = new AbortController();
  const { onAbort, close } = createClosing(ending.signal);
  let isStopped = false;
  onAbort(() => {
    isStopped = true;
  });

  await close();
  ending.abort();
  expect(isStopped).toBe(false);
});
