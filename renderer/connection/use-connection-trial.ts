import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { ConnectionReport } from '../../app/contract/connection.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';

export type ConnectionTrial<Report = ConnectionReport> = ReturnType<typeof useConnectionTrial<Report>>;

/** The answer of the last trial; both null while there is none. */
interface Answer<Report> {
  readonly report: Report | null;
  readonly failure: Failure | null;
}

const untried = { report: null, failure: null };

/** A call that tries a connection. */
export function useConnectionTrial<Report = ConnectionReport>() {
  const [isWorking, setWorking] = useState(false);
  const [answer, setAnswer] = useState<Answer<Report>>(untried);
  return {
    ...answer,
    isWorking,
    /** Resolves when the answer is drawn, and the fields take the focus again. */
    run: async (call: () => Promise<Result<Report, Failure>>): Promise<Result<Report, Failure>> => {
      setWorking(true);
      setAnswer(untried);
      const tried = await call();
      flushSync(() => {
        setWorking(false);
        setAnswer(tried.ok ? { report: tried.value, failure: null } : { report: null, failure: tried.failure });
      });
      return tried;
    },
    forget: (): void => setAnswer(untried),
  };
}
