// One exchange with the platform: the required headers (API v3 §1, §5), the address, the limits of time and size, and
// the report of its outcome to the connection.
import type { Slot } from '../rate-limit/slots.ts';
import type { Failure } from '../domain/failure.ts';
import type { Id } from '../domain/int64.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { Http, HttpRequest, HttpResponse } from '../ports.ts';
import { failureOf, isPage, readPlatformTime } from './answer.ts';
import type { Connection } from './connection.ts';

/** A whole exchange is given up after this long; a cashier has looked elsewhere by then. */
export const exchangeTimeoutMs = 20_000;
const largestAnswerBytes = 16 * 1024 * 1024;
/** Of a refusal, which is read up to four times: a thousand characters for each update of a request. */
const longestRefusal = 100_000;
/** A proxy has waited for the platform in vain (RFC 9110 §15.6.5): the request may still be on its way. */
const gatewayTimeout = 504;

export interface ExchangeRequest {
  /** Ended by the exchange. */
  readonly slot: Slot;
  readonly method: HttpRequest['method'];
  /** From the base address on, such as "/oauth/token". */
  readonly path: string;
  /** In the place of all usual ones. */
  readonly headers?: HttpRequest['headers'];
  readonly accessToken?: string;
  readonly companyId?: Id;
  readonly idempotencyKey?: string;
  readonly body?: string;
  /** What of the body is one. */
  readonly secrets?: readonly string[];
  readonly signal?: AbortSignal;
}

export type Exchange = (request: ExchangeRequest) => Promise<Result<HttpResponse, Failure>>;

/** The failure in an answer; null for a success. A page for a browser is none. */
function failureIn(answer: HttpResponse): Failure | null {
  const { status } = answer;
  if (status < 200 || status >= 300) {
    return failureOf(answer);
  }
  return isPage(answer) ? { kind: 'notThePlatform', status } : null;
}

/**
 * Makes the exchange with the platform at this base address; `closing` abandons whatever is under way, `now` is the
 * wall clock, and `onTime` is told the platform's own with each answer that names it, both in milliseconds since 1970.
 * It fails as `Http.send` does; an answer of any status is a success.
 */
export function createExchange(
  http: Http,
  platformUrl: string,
  connection: Pick<Connection, 'begin'>,
  closing: AbortSignal,
  now: () => number,
  onTime: (platformTime: number, receivedAt: number) => void = () => undefined,
): Exchange {
  return async ({
    slot,
    method,
    path,
    headers,
    accessToken,
    companyId,
    idempotencyKey,
    body,
    secrets = [],
    signal,
  }) => {
    const following = connection.begin();
    const sent = await http.send({
      method,
      url: platformUrl + path,
      headers: headers ?? {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        ...(accessToken === undefined ? {} : { Authorization: `Bearer ${accessToken}` }),
        ...(companyId === undefined ? {} : { 'Service-Company-Id': companyId }),
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      },
      timeoutMs: exchangeTimeoutMs,
      maxBytes: largestAnswerBytes,
      ...(body === undefined ? {} : { body }),
      signal: signal === undefined ? closing : AbortSignal.any([signal, closing]),
      onLeaving: () => {
        following.left();
        return slot.leave();
      },
    });
    if (sent.ok ? sent.value.status !== gatewayTimeout : sent.failure.kind === 'answerTooLarge') {
      slot.settle();
    } else {
      slot.giveBack();
      slot.abandon(); // Only if it has left.
    }
    if (!sent.ok) {
      following.end(sent.failure);
      return fail(sent.failure);
    }
    const { status, body: text } = sent.value;
    const isLong = status >= 300 && text.length > longestRefusal;
    // What is cut is no JSON, and says no more than its status; a page stays one.
    const answer = succeed({
      ...sent.value,
      body: isLong ? text.slice(0, longestRefusal) : text,
      receivedAt: now(),
      secrets: accessToken === undefined ? secrets : [accessToken, ...secrets],
    });
    const failure = failureIn(answer.value);
    following.end(failure);
    const platformTime = failure?.kind === 'notThePlatform' ? null : readPlatformTime(answer.value.headers);
    if (platformTime !== null) {
      onTime(platformTime, answer.value.receivedAt);
    }
    return answer;
  };
}
