/** Either a value or the reason why there is none. */
export type Result<Value, Reason> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Reason };

/** Wraps a value as a success. */
export function succeed<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

/** The success of a call that has found nothing to do. Known by being this one, and listed nowhere. */
export const nothingToDo = succeed({});

/** Wraps a reason as a failure. */
export function fail<Reason>(failure: Reason): { readonly ok: false; readonly failure: Reason } {
  return { ok: false, failure };
}

/** The result with another value in the place of its own; a failure stays as it is. */
export function mapResult<Value, Reason, Other>(
  result: Result<Value, Reason>,
  map: (value: Value) => Other,
): Result<Other, Reason> {
  return result.ok ? succeed(map(result.value)) : result;
}

/** The result with another reason in the place of its own; a success stays as it is. */
export function mapFailure<Value, Reason, Other>(
  result: Result<Value, Reason>,
  map: (reason: Reason) => Other,
): Result<Value, Other> {
  return result.ok ? result : fail(map(result.failure));
}
