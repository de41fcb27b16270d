import { expect, it } from 'vitest';
import { answerNothing } from '../../../app/service/answers.ts';
import { carryOut, type Outcome } from '../../../app/service/idempotency.ts';
import { OvertakenError, type Ledger } from '../../../app/service/ports.ts';

/** A ledger in which another request is faster so many times. */
function overtakenLedger(times: number): Ledger {
  let left = times;
  return {
    change: () => {
      if (left > 0) {
        left -= 1;
        throw new OvertakenError('spent');
      }
      return null;
    },
    admit: () => null,
    readAnswer: () => null,
    readToken: () => null,
    addToken: () => undefined,
    spendToken: () => undefined,
  };
}

it('answers afresh, once, where another request was faster', async () => {
  let attempts = 0;
  const answerAfresh = (): Promise<Outcome> => {
    attempts += 1;
    return Promise.resolve({ answer: { ...answerNothing(), status: 200 + attempts }, effect: () => undefined });
  };
  expect((await carryOut(overtakenLedger(1), answerAfresh)).answer.status).toBe(202);
  await expect(carryOut(overtakenLedger(2), answerAfresh)).rejects.toThrow(OvertakenError);
  expect(attempts).toBe(4);
});
