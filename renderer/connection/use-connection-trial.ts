import { useState } from 'react';
import type { ConnectionReport } from '../../app/contract/connection.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';

export type ConnectionTrial = ReturnType<typeof useConnectionTrial>;

/** What the last trial answered; both null while there is no answer. */
interface Answer {
  readonly report: ConnectionReport | null;
  readonly failure: Failure | null;
}

const untried: Answer = { report: null, failure: null };

/** A call that tries a connection. */
export function useConnectionTrial() {
  const [isWorking, setWorking] = useState(false);
  const [answer, setAnswer] = useState(untried);
  return {
    ...answer,
    isWorking,
    run: async (call: () => Promise<Result<ConnectionReport, Failure>>): Promise<void> => {
      setWorking(true);
      setAnswer(untried);
      const tried = await call();
      setWorking(false);
      setAnswer(tried.ok ? { report: tried.value, failure: null } : { report: null, failure: tried.failure });
    },
    forget: (): void => setAnswer(untried),
  };
}
