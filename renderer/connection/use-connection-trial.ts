import { useState } from 'react';
import type { ConnectionReport } from '../../app/contract/connection.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';

export interface ConnectionTrial {
  readonly isWorking: boolean;
  /** What the last trial answered; both null while there is no answer. */
  readonly report: ConnectionReport | null;
  readonly failure: Failure | null;
  readonly run: (call: () => Promise<Result<ConnectionReport, Failure>>) => Promise<void>;
  readonly forget: () => void;
}

const untried = { report: null, failure: null };

/** A call that tries a connection. */
export function useConnectionTrial(): ConnectionTrial {
  const [isWorking, setWorking] = useState(false);
  const [answer, setAnswer] = useState<Pick<ConnectionTrial, 'report' | 'failure'>>(untried);
  return {
    ...answer,
    isWorking,
    async run(call) {
      setWorking(true);
      setAnswer(untried);
      const tried = await call();
      setWorking(false);
      setAnswer(tried.ok ? { report: tried.value, failure: null } : { report: null, failure: tried.failure });
    },
    forget: () => setAnswer(untried),
  };
}
