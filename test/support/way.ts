import type { Failure } from '../../app/domain/failure.ts';
import type { Connection } from '../../app/platform/connection.ts';

/** A call that has left, and ends with this at once; null when it succeeds. */
export function endCall(connection: Connection, failure: Failure | null): void {
  const call = connection.begin();
  call.left();
  call.end(failure);
}
