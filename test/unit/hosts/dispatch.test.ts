import { expect, test } from 'vitest';
import { parseId } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { checkEvent, dispatch } from '../../../app/hosts/dispatch.ts';
import { createFakeHandlers, firstRunState } from '../../support/fake-handlers.ts';

interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly details: unknown;
}

function createLog(): {
  readonly lines: LogLine[];
  readonly log: (level: string, message: string, details?: unknown) => void;
} {
  const lines: LogLine[] = [];
  return { lines, log: (level, message, details) => lines.push({ level, message, details }) };
}

const productId = parseId('9007199254740993');

test('a call runs its handler with the parsed input and answers its parsed output', async () => {
  const { log } = createLog();
  const handlers = createFakeHandlers({
    'coupon:switch': (input) =>
      Promise.resolve(succeed({ isEnabled: input.isEnabled, status: 'waiting', failure: null })),
  });
  expect(await dispatch(handlers, 'coupon:switch', { productId, isEnabled: true }, log)).toEqual(
    succeed({ isEnabled: true, status: 'waiting', failure: null }),
  );
  expect(await dispatch(handlers, 'queue:retry', { updateId: 1 }, log)).toEqual(fail({ kind: 'notReady' }));
});

test('an unknown channel, also one that every object has, is refused', async () => {
  for (const channel of [
    'terminal:destroy',
    'constructor',
    '__proto__',
    'toString',
    '',
    7,
    null,
    undefined,
    ['terminal:read'],
    {},
  ]) {
    expect(await dispatch(createFakeHandlers(), channel, {}, createLog().log)).toMatchObject(
      fail({ kind: 'inputInvalid' }),
    );
  }
});

test("input that is not the contract's never reaches a handler", async () => {
  let calls = 0;
  const handlers = createFakeHandlers({
    'session:signIn': () => {
      calls += 1;
      return Promise.resolve(fail({ kind: 'notReady' }));
    },
  });
  const { lines, log } = createLog();
  for (const input of [
    undefined,
    null,
    'x',
    [],
    {},
    { email: 'a@example.com' },
    { email: 'a@example.com', password: 'made-up', more: 1 },
    { email: 'a@example.com', password: 5 },
  ]) {
    expect(await dispatch(handlers, 'session:signIn', input, log)).toMatchObject(fail({ kind: 'inputInvalid' }));
  }
  expect(calls).toBe(0);
  expect(JSON.stringify(lines)).not.toContain('made-up');
});

test('a throwing handler is logged once, with its channel, not its message; the answer is `unexpected`', async () => {
  const { lines, log } = createLog();
  const handlers = createFakeHandlers({
    'lookup:listRecent': () => {
      throw new Error('secret place');
    },
  });
  const thrown = await dispatch(handlers, 'lookup:listRecent', {}, log);
  expect(thrown).toEqual({ ok: false, failure: { kind: 'unexpected' } });
  expect(lines).toMatchObject([
    { level: 'error', message: 'handler threw', details: { channel: 'lookup:listRecent', error: 'Error' } },
  ]);
  expect(JSON.stringify(lines)).toContain('dispatch.test.ts');
  expect(JSON.stringify(lines)).not.toContain('secret place');
});

test('output that the contract has no room for does not pass, in a value or in a failure', async () => {
  const { log } = createLog();
  const leaking = createFakeHandlers({
    'terminal:read': () => Promise.resolve(succeed({ ...firstRunState, accessToken: 'made-up' })),
    'coupon:refresh': () => Promise.resolve(fail({ kind: 'unauthorized', token: 'made-up' })),
  });
  expect(await dispatch(leaking, 'terminal:read', {}, log)).toEqual({ ok: false, failure: { kind: 'unexpected' } });
  expect(await dispatch(leaking, 'coupon:refresh', {}, log)).toEqual({ ok: false, failure: { kind: 'unauthorized' } });
});

test("an event that is not the contract's does not leave", () => {
  const { lines, log } = createLog();
  expect(checkEvent('queue:changed', { revision: 1 }, log)).toEqual({ revision: 1 });
  expect(checkEvent('queue:changed', { revision: 1, token: 'made-up' }, log)).toBeUndefined();
  expect(lines).toHaveLength(1);
  expect(JSON.stringify(lines)).not.toContain('made-up');
});
