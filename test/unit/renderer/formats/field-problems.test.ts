import { expect, test } from 'vitest';
import type { Failure } from '../../../../app/domain/failure.ts';
import { problemAt, withoutProblemsAt, wordsOf } from '../../../../renderer/formats/field-problems.ts';

const failure: Failure = {
  kind: 'unprocessable',
  status: 422,
  fields: [
    {
      field: 'username',
      validations: [
        { type: 'email', values: [] },
        { type: 'max', values: ['320'] },
      ],
    },
    { field: 'data.0.Client-Id', validations: [{ type: 'exists', values: ['clients', 'id'] }] },
    { field: 'scope', validations: [] },
  ],
};

test('is found under any name of an input, however it is spelt and nested, and reads as it came', () => {
  expect(problemAt(failure, ['email', 'username'])).toBe('email, max 320');
  expect(problemAt(failure, ['client_id'])).toBe('exists clients id');
  expect(problemAt(failure, ['password'])).toBeNull();
  expect(problemAt(null, ['password'])).toBeNull();
  expect(problemAt({ kind: 'unprocessable' }, ['password'])).toBeNull();
  expect(wordsOf({ field: 'scope', validations: [] })).toBe('scope');
});

test('what belongs to no input stays with the failure', () => {
  expect(withoutProblemsAt(failure, ['username', 'client_id']).fields).toEqual([{ field: 'scope', validations: [] }]);
  expect(withoutProblemsAt(failure, ['username', 'client_id', 'scope'])).toEqual({
    kind: 'unprocessable',
    status: 422,
  });
  expect(withoutProblemsAt({ kind: 'unreachable' }, ['username'])).toEqual({ kind: 'unreachable' });
});
