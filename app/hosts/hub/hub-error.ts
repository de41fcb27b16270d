import type { HubFailure, HubFailureKind } from '../../hub/link.ts';

/** A failure that has been told already. */
export class HubError extends Error {
  override readonly name = 'HubError';
  readonly failure: HubFailure;

  constructor(kind: HubFailureKind, detail?: string) {
    super(kind);
    this.failure = detail === undefined ? { kind } : { kind, detail };
  }
}

/** By SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html) and the system's names of errors. */
const kinds: Readonly<Record<string, HubFailureKind>> = {
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'unreachable',
  EPIPE: 'unreachable',
  EHOSTDOWN: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ENOTFOUND: 'unknownName',
  EAI_AGAIN: 'unknownName',
  ETIMEDOUT: 'noAnswer',
  '57014': 'noAnswer', // the server's own time limit
  '57P01': 'unreachable', // it is shutting down
  '57P02': 'unreachable', // it crashes
  '57P03': 'unreachable', // it is starting
  '28P01': 'wrongPassword',
  '28000': 'notLetIn',
  '3D000': 'noDatabase',
  '3F000': 'notSetUp',
  '42883': 'notSetUp',
  '42P01': 'notSetUp',
  '42501': 'notSetUp', // what is there is not this role's
  '53300': 'tooManyConnections',
  '53100': 'diskFull',
  ENOSPC: 'diskFull',
};

/** The kind of failure, by the error's code alone: its message may hold what must not be shown. */
export function failureOf(error: unknown): HubFailure {
  if (error instanceof HubError) {
    return error.failure;
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[0-9A-Z_]{5,50}$/.test(code) ? { kind: kinds[code] ?? 'failed', detail: code } : { kind: 'failed' };
}

/** The result of `work`, unless the signal comes first: then `giveUp` is called, and this rejects with `noAnswer`. */
export function unlessAborted<Value>(signal: AbortSignal, work: Promise<Value>, giveUp: () => void): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      giveUp();
      reject(new HubError('noAnswer'));
    };
    if (signal.aborted) {
      stop();
    } else {
      signal.addEventListener('abort', stop, { once: true });
    }
    const settle = work.finally(() => {
      signal.removeEventListener('abort', stop);
    });
    void settle.then(resolve, reject);
  });
}
