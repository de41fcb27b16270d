import { expect } from 'vitest';
import type { Result } from '../../app/domain/result.ts';

/** The value that a call answered; the test fails if the call did. */
export function valueOf<Value>(result: Result<Value, unknown>): Value {
  return result.ok ? result.value : expect.fail(JSON.stringify(result.failure));
}
