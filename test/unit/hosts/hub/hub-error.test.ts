import { expect, test } from 'vitest';
import { HubError, failureOf, unlessAborted } from '../../../../app/hosts/hub/hub-error.ts';

const withCode = (code: unknown): Error => Object.assign(new Error('password is canary'), { code });

test.each([
  ['ECONNREFUSED', 'unreachable'],
  ['ECONNRESET', 'unreachable'],
  ['EHOSTUNREACH', 'unreachable'],
  ['57P03', 'unreachable'],
  ['ENOTFOUND', 'unknownName'],
  ['EAI_AGAIN', 'unknownName'],
  ['ETIMEDOUT', 'noAnswer'],
  ['57014', 'noAnswer'],
  ['28P01', 'wrongPassword'],
  ['28000', 'notLetIn'],
  ['3D000', 'noDatabase'],
  ['3F000', 'notSetUp'],
  ['42883', 'notSetUp'],
  ['42P01', 'notSetUp'],
  ['42501', 'notSetUp'],
  ['53300', 'tooManyConnections'],
  ['53100', 'diskFull'],
  ['ENOSPC', 'diskFull'],
  ['XX000', 'failed'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'failed'],
])('%s is told as %s', (code, kind) => {
  expect(failureOf(withCode(code))).toEqual({ kind, detail: code });
});

test.each([withCode('the password is canary'), withCode(undefined), new Error('canary'), 'canary', null])(
  'of anything else nothing is told',
  (error) => {
    expect(failureOf(error)).toEqual({ kind: 'failed' });
  },
);

test('work is given up at the signal, and what it comes to later is heard', async () => {
  const controller = new AbortController();
  const work = Promise.withResolvers<string>();
  let givenUp = 0;
  const giveUp = (): void => {
    givenUp += 1;
  };
  const answer = unlessAborted(controller.signal, work.promise, giveUp);
  controller.abort();
  await expect(answer).rejects.toEqual(new HubError('noAnswer'));
  work.reject(new Error('late'));
  await expect(unlessAborted(controller.signal, work.promise, giveUp)).rejects.toEqual(new HubError('noAnswer'));
  expect(givenUp).toBe(2);

  const next = new AbortController();
  expect(await unlessAborted(next.signal, Promise.resolve('in time'), giveUp)).toBe('in time');
  next.abort();
  expect(givenUp).toBe(2);
});
