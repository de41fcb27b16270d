// How a refusal reads: API v3 §7 leaves open which status some codes have, which optional fields an error body carries,
// what the bodies of 401 and 404 are and how a 429 names its waiting time.
import { answerJson, withHeaders, type ErrorBody, type ErrorCode, type PlatformAnswer } from './answers.ts';
import { defaultReadings, type Readings } from './readings.ts';

const statusReadings: Partial<
  Record<ErrorCode, 'missingHeadersStatus' | 'invalidScopeStatus' | 'methodNotAllowedStatus'>
> = {
  missing_headers: 'missingHeadersStatus',
  invalid_scope: 'invalidScopeStatus',
  method_not_allowed: 'methodNotAllowedStatus',
};

/** A status that a fault has named stays. */
function statusOf(status: number, code: ErrorCode, readings: Readings): number {
  const name = statusReadings[code];
  return name === undefined || status !== defaultReadings[name] ? status : readings[name];
}

function bodyOf(status: number, error: ErrorBody, readings: Readings): PlatformAnswer {
  const body =
    readings.errorBodies === 'full'
      ? error
      : { code: error.code, ...(error.meta === undefined ? {} : { meta: error.meta.map(({ field }) => ({ field })) }) };
  if ((status !== 401 && status !== 404) || readings.unshownBodies === 'documented') {
    return answerJson(status, body);
  }
  const text = status === 401 ? 'Unauthorized' : 'Not Found';
  const shapes = {
    empty: { status, headers: {}, body: '' },
    page: {
      status,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: `<!doctype html><title>${text}</title><h1>${text}</h1>`,
    },
    otherJson: answerJson(status, { error: text, errors: [text] }),
  };
  return shapes[readings.unshownBodies];
}

function retryAfterOf(seconds: string, now: number, readings: Readings): Record<string, string> {
  const forms = { seconds, date: new Date(now + Number(seconds) * 1000).toUTCString(), none: null };
  const text = forms[readings.retryAfter];
  return text === null ? {} : { 'retry-after': text };
}

/** The answer as this reading of API v3 has it. */
export function readAs(readings: Readings, answer: PlatformAnswer, now: number): PlatformAnswer {
  if (answer.error === undefined) {
    return answer;
  }
  const { 'retry-after': waitSeconds, 'content-type': _type, ...others } = answer.headers;
  const read = bodyOf(statusOf(answer.status, answer.error.code, readings), answer.error, readings);
  return withHeaders(read, {
    ...others,
    ...(waitSeconds === undefined ? {} : retryAfterOf(waitSeconds, now, readings)),
  });
}
