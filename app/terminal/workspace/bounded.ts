import type { Failure } from '../../domain/failure.ts';
import { fail, type Result } from '../../domain/result.ts';

export type Bounded = <Value>(action: () => Promise<Result<Value, Failure>>) => Promise<Result<Value, Failure>>;

/**
 * Makes the bound of what whoever stands there may ask for without end, and others would wait behind: fails with
 * `cancelled` where so many are not over yet, which is more than a person asks for at a time.
 */
export function createBounded(most: number): Bounded {
  let count = 0;
  return async (action) => {
    if (count >= most) {
      return fail({ kind: 'cancelled' });
    }
    count += 1;
    try {
      return await action();
    } finally {
      count -= 1;
    }
  };
}
