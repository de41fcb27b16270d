// How a refusal reads: API v3 §7 leaves open which status some codes have, which optional fields an error body carries,
// what the bodies of 401 and 404 are and how a 429 names its waiting time.
import { answerJson, withHeaders, type ErrorBody, type ErrorCode, type PlatformAnswer } from './answers.ts';
import { defaultVariants, type Variants } from '../options/variants.ts';

const statusVariants: Partial<
  Record<ErrorCode, 'missingHeadersStatus' | 'invalidScopeStatus' | 'methodNotAllowedStatus'>
> = {
  missing_headers: 'missingHeadersStatus',
  invalid_scope: 'invalidScopeStatus',
  method_not_allowed: 'methodNotAllowedStatus',
};

/** A status that a fault has named stays. */
function statusOf(status: number, code: ErrorCode, variants: Variants): number {
  const name = statusVariants[code];
  return name === undefined || status !== defaultVariants[name] ? status : variants[name];
}

function bodyOf(status: number, error: ErrorBody, variants: Variants): PlatformAnswer {
  const body =
    variants.errorBodies === 'full'
      ? error
      : { code: error.code, ...(error.meta === undefined ? {} : { meta: error.meta.map(({ field }) => ({ field })) }) };
  if ((status !== 401 && status !== 404) || variants.unshownBodies === 'documented') {
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
  return shapes[variants.unshownBodies];
}

function retryAfterOf(seconds: string, now: number, variants: Variants): Record<string, string> {
  const forms = { seconds, date: new Date(now + Number(seconds) * 1000).toUTCString(), none: null };
  const text = forms[variants.retryAfter];
  return text === null ? {} : { 'retry-after': text };
}

/** The answer as this reading of API v3 has it. */
export function readAs(variants: Variants, answer: PlatformAnswer, now: number): PlatformAnswer {
  if (answer.error === undefined) {
    return answer;
  }
  const { 'retry-after': waitSeconds, 'content-type': _type, ...others } = answer.headers;
  const read = bodyOf(statusOf(answer.status, answer.error.code, variants), answer.error, variants);
  return withHeaders(read, {
    ...others,
    ...(waitSeconds === undefined ? {} : retryAfterOf(waitSeconds, now, variants)),
  });
}
