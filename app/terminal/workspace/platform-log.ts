// The lines that a technician reads in the log of the way to the platform: one line each, without a user, a text that
// was looked for, or a secret.
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { ConnectionReport } from '../../contract/connection.ts';
import type { Failure } from '../../domain/failure.ts';
import type { Result } from '../../domain/result.ts';
import { failureOf } from '../../platform/answer.ts';
import type { Connection, Way } from '../../platform/connection.ts';
import type { Exchange } from '../../platform/exchange.ts';
import type { RequestToken } from '../../platform/tokens.ts';
import type { Clock, Shell } from '../../ports.ts';

type Log = Shell['log'];

const tooManyRequests = 429;

function factsOf({ kind, status }: Failure): Readonly<Record<string, unknown>> {
  return status === undefined ? { kind } : { kind, status };
}

/** The same answer, which nobody gets later for its being looked at. */
function observed<Answer>(answer: Promise<Answer>, note: (answer: Answer) => void): Promise<Answer> {
  void answer.then(note, () => undefined);
  return answer;
}

/** The same exchange; each 429 is in the log, with the pause that it asks for. */
export function logRefusals(exchange: Exchange, log: Log): Exchange {
  return (request) =>
    observed(exchange(request), (answer) => {
      if (answer.ok && answer.value.status === tooManyRequests) {
        const [path] = request.path.split('?');
        log('warning', 'platform: too many requests', {
          path,
          retryAfterMs: failureOf(answer.value).retryAfterMs ?? null,
        });
      }
    });
}

/** The same call for a token; what becomes of each sign-in and renewal is in the log. */
export function logTokens(requestToken: RequestToken, log: Log): RequestToken {
  return (client, grant, signal) =>
    observed(requestToken(client, grant, signal), (answer) => {
      const what = grant.grant_type === 'password' ? 'sign-in' : 'renewal';
      if (answer.ok) {
        log('info', `session: ${what} granted`);
      } else if (answer.failure.kind !== 'cancelled') {
        const outcome = answer.failure.kind === 'credentialsRejected' ? 'refused' : 'failed';
        log('warning', `session: ${what} ${outcome}`, factsOf(answer.failure));
      }
    });
}

/** The same answer; where the connection test failed is in the log. */
export function logReport(
  shell: Pick<Shell, 'log'>,
  answer: Promise<Result<ConnectionReport, Failure>>,
): Promise<Result<ConnectionReport, Failure>> {
  return observed(answer, (answered) => {
    const failed = answered.ok ? answered.value.steps.find(({ outcome }) => outcome === 'failed') : undefined;
    if (failed !== undefined) {
      shell.log('warning', 'connection: test failed', {
        step: failed.step,
        ...(failed.failure === null ? {} : factsOf(failed.failure)),
      });
    }
  });
}

/** From now on, that the network goes and comes, and that a copy begins and is complete, is in the log. */
export function logChanges(
  {
    connection,
    catalogue,
  }: { readonly connection: Connection; readonly catalogue: Pick<Catalogue, 'onChange' | 'state'> },
  clock: Clock,
  log: Log,
): void {
  let offlineSinceMs: number | null = null;
  let loggedState: Way['state'] = 'unknown';
  connection.onChange(() => {
    const { state, failure } = connection.way();
    if (state === loggedState) {
      return;
    }
    loggedState = state;
    if (state === 'offline' || state === 'noAnswer') {
      offlineSinceMs ??= clock.uptimeMs();
      const words = state === 'offline' ? 'connection: offline' : 'connection: no answer';
      log('warning', words, failure === null ? {} : factsOf(failure));
    } else if (state === 'open') {
      const forSeconds = offlineSinceMs === null ? null : Math.round((clock.uptimeMs() - offlineSinceMs) / 1000);
      offlineSinceMs = null;
      log('info', 'connection: online', forSeconds === null ? {} : { wasOfflineForSeconds: forSeconds });
    }
  });
  let isCopying = false;
  catalogue.onChange(() => {
    const { phase, copied, total } = catalogue.state();
    if (phase === 'copying' && !isCopying) {
      isCopying = true;
      log('info', 'catalogue: copy begun', { copied, total });
    } else if (isCopying && (phase === 'complete' || phase === 'updating')) {
      isCopying = false;
      log('info', 'catalogue: copy complete', { copied });
    }
  });
}
