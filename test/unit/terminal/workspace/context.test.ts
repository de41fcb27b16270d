import { expect, test } from 'vitest';
import { createClosing } from '../../../../app/terminal/workspace/context.ts';

test('what begins by itself stops at once; parts close one after another, the last opened first', async () => {
  const { abort, onAbort, onClose, close } = createClosing();
  const said: string[] = [];
  onClose(() => {
    said.push('first closed');
  });
  onAbort(() => said.push('stopped'));
  onClose(async () => {
    await Promise.resolve();
    said.push('second closed');
  });

  abort();
  expect(said).toEqual(['stopped']);
  await close();
  expect(said).toEqual(['stopped', 'second closed', 'first closed']);
  await close();
  expect(said).toHaveLength(3);
});

test('what is closed is stopped once, before anything is closed, also by a signal that outlives it', async () => {
  const ending = new AbortController();
  const { closing, onAbort, onClose, close } = createClosing(ending.signal);
  const said: string[] = [];
  onAbort(() => said.push('stopped'));
  onClose(() => {
    said.push(closing.aborted ? 'closed' : 'closed too early');
  });

  await close();
  ending.abort();
  expect(said).toEqual(['stopped', 'closed']);
});

test('the end of the terminal stops what is not closed yet', () => {
  const ending = new AbortController();
  const { closing, onAbort } = createClosing(ending.signal);
  const said: string[] = [];
  onAbort(() => said.push('stopped'));

  ending.abort();
  expect(said).toEqual(['stopped']);
  expect(closing.aborted).toBe(true);
});
