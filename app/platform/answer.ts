// The reading of an HTTP answer as the platform's (API v3 §7): whether it is the platform's at all, and which failure
// it names.
import { z } from 'zod';
import type { Failure, FailureKind, FieldProblem } from '../domain/failure.ts';
import { parseJson, parseJsonWithin } from '../domain/json.ts';
import { toText } from '../domain/loose-json.ts';
import { takeOut } from '../domain/redact.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { HttpResponse } from '../ports.ts';

const messageLength = 500;
/** Two thousand for each product of a page of the listing. */
export const mostAnswerValues = 200_000;

function asText(value: unknown): string | undefined {
  return (typeof value === 'boolean' ? String(value) : toText(value, messageLength)) ?? undefined;
}

type TakeOut = ReturnType<typeof takeOut>;

const bare = (value: unknown, without: TakeOut): unknown =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? without(String(value)) : value;

const plainName = /^[a-z]+(?:[_.-][a-z]+)*$/i;

/** Plain words stay: a failure is known by its codes and fields, and a password may be such a word. */
const bareName = (value: unknown, without: TakeOut): unknown =>
  typeof value === 'string' && plainName.test(value) ? value : bare(value, without);

const validationSchema = z.object({ type: z.unknown(), value: z.unknown() }).partial();
const problemSchema = z.object({ field: z.unknown(), validations: z.unknown() }).partial();
const errorSchema = z
  .object({
    code: z.unknown(),
    message: z.unknown(),
    meta: z.unknown(),
    error: z.unknown(),
    error_description: z.unknown(),
  })
  .partial();

function readFields(meta: unknown, without: TakeOut): readonly FieldProblem[] {
  // The document calls `meta` an array and writes `meta.field`: one problem may come without its array.
  const problems = Array.isArray(meta) ? meta.slice(0, 100) : [meta];
  return problems.flatMap((entry): FieldProblem[] => {
    const problem = problemSchema.safeParse(entry);
    const field = problem.success ? asText(bareName(problem.data.field, without)) : undefined;
    if (!problem.success || field === undefined) {
      return [];
    }
    const list = Array.isArray(problem.data.validations) ? problem.data.validations.slice(0, 50) : [];
    const validations = list.flatMap((item) => {
      const validation = validationSchema.safeParse(item);
      const type = validation.success ? asText(bareName(validation.data.type, without)) : undefined;
      if (!validation.success || type === undefined) {
        return [];
      }
      const values = Array.isArray(validation.data.value) ? validation.data.value : [validation.data.value];
      return [{ type, values: values.slice(0, 50).flatMap((value) => asText(bare(value, without)) ?? []) }];
    });
    return [{ field, validations }];
  });
}

/**
 * True when the answer is a page meant for a browser: a captive portal's or a proxy's, never the platform's (API v3 §1
 * "Style"). An empty one is none, whatever its type: some frameworks give every 204 the type of a page.
 */
export function isPage(response: HttpResponse): boolean {
  if (response.body.trim() === '') {
    return false;
  }
  return (
    /\bhtml\b/i.test(response.headers['content-type'] ?? '') ||
    /^\s*<(!doctype|html|head|body|\?xml)/i.test(response.body.slice(0, 200))
  );
}

const kindsByStatus: Readonly<Record<number, FailureKind>> = {
  400: 'badRequest',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  422: 'unprocessable',
  429: 'tooManyRequests',
};

// Two conditions that the document ties to a code but not always to a status (API v3 §5 rule 6, §8).
const kindsByCode: ReadonlyMap<string, FailureKind> = new Map([
  ['unauthorized', 'unauthorized'],
  ['too_many_requests', 'tooManyRequests'],
]);

// Statuses that only a machine between this terminal and the platform gives: redirects, proxy sign-in, network sign-in.
function isMiddleboxStatus(status: number): boolean {
  return status < 200 || (status >= 300 && status < 400) || status === 407 || status === 511;
}

// Refusals that are the platform's only in its own words: firewalls and captive portals refuse with a page. A page of
// 401, 429 or 5xx asks for the same as the platform's own answer would.
const pageStatuses: readonly number[] = [400, 403, 404, 405];

const codesOfCall: readonly (string | undefined)[] = [undefined, 'bad_request', 'unprocessable_entity'];

/**
 * Whether a refusal may be of the company's header, where API v3 lists none (§4.6): the request or a parameter of it is
 * invalid (§7). A 403 or a 404 is about the company, and `missing_headers` about a header that is absent.
 */
export function mayRefuseCompanyHeader({ kind, code, fields }: Failure): boolean {
  // mutant: a company that may not be read is read without its name (I4)
  return (
    (kind === 'badRequest' || kind === 'unprocessable') &&
    codesOfCall.includes(code) &&
    (fields === undefined || fields.some(({ field }) => /company/i.test(field)))
  );
}

/** However long the platform asks to wait: it is asked once again after this, lest a mistake stops a till for hours. */
const maxRetryAfterMs = 300_000;

/** A date of HTTP (RFC 9110 §5.6.7), in milliseconds since 1970; NaN for another text. One without a zone is in GMT. */
const readHttpDate = (text: string): number =>
  Date.parse(/^[A-Za-z].*(?: \d{4}|:\d\d)$/.test(text) ? `${text} GMT` : text);

/**
 * How long a `Retry-After` header asks to wait, in milliseconds, in both its forms (RFC 9110 §10.2.3), at most five minutes;
 * undefined without one that can be read. `now` is what the date is compared with, in milliseconds since 1970.
 */
export function readRetryAfterMs(headers: Readonly<Record<string, string>>, now: number | null): number | undefined {
  const text = headers['retry-after']?.trim();
  if (text === undefined || text === '') {
    return undefined;
  }
  if (/^\d+$/.test(text)) {
    return Math.min(maxRetryAfterMs, Number(text) * 1000);
  }
  // Every one begins with a weekday: "-5" or "1.5" would be read as a year.
  const date = /^[A-Za-z]/.test(text) ? readHttpDate(text) : Number.NaN;
  // mutant: a date in Retry-After is read as seconds (A6)
  return Number.isNaN(date) || now === null ? undefined : Math.min(maxRetryAfterMs, Math.max(0, date - now));
}

/**
 * Whether an answer names the key of the request that was sent (API v3 §8 rule 5): it may come in capitals or quotes,
 * or twice through a gateway.
 */
export function echoOf(response: HttpResponse, key: string): 'ours' | 'none' | 'other' {
  const echoes = (response.headers['idempotency-key'] ?? '')
    .split(',')
    .flatMap((part) => part.replaceAll('"', '').trim().toLowerCase() || []);
  if (echoes.length === 0) {
    return 'none';
  }
  return echoes.every((echo) => echo === key.toLowerCase()) ? 'ours' : 'other';
}

/** The platform's clock as its `Date` header says, in milliseconds since 1970; null without one that can be read. */
export function readPlatformTime(headers: Readonly<Record<string, string>>): number | null {
  const time = readHttpDate(headers['date'] ?? '');
  return Number.isNaN(time) ? null : time;
}

/** Names the failure that an answer other than a success stands for (API v3 §7). */
export function failureOf(response: HttpResponse): Failure {
  const { status, secrets = [] } = response;
  if (isMiddleboxStatus(status) || (pageStatuses.includes(status) && isPage(response))) {
    return { kind: 'notThePlatform', status };
  }
  const without = takeOut(secrets);
  const parsed = errorSchema.safeParse(parseJson(response.body));
  const error = parsed.success ? parsed.data : {};
  const code = asText(bareName(error.code, without)) ?? asText(bareName(error.error, without));
  const message = asText(bare(error.message, without)) ?? asText(bare(error.error_description, without));
  const fields = readFields(error.meta, without);
  // mutant: a date in Retry-After is compared with this machine's clock (A6)
  const retryAfterMs = readRetryAfterMs(
    response.headers,
    readPlatformTime(response.headers) ?? response.receivedAt ?? null,
  );
  return {
    kind: status >= 500 ? 'platformFailed' : (kindsByCode.get(code ?? '') ?? kindsByStatus[status] ?? 'refused'),
    status,
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
    ...(fields.length === 0 ? {} : { fields }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/**
 * Reads a success whose body must have the given shape. Fails with the answer's own failure, `notThePlatform` for a
 * page, or `answerMalformed` for JSON that is cut off, of another shape, or of more than `most` values.
 */
export function readAnswer<Shape>(
  response: HttpResponse,
  schema: z.ZodType<Shape>,
  most = mostAnswerValues,
): Result<Shape, Failure> {
  const { status } = response;
  if (status < 200 || status >= 300) {
    return fail(failureOf(response));
  }
  if (isPage(response)) {
    return fail({ kind: 'notThePlatform', status });
  }
  const parsed = schema.safeParse(parseJsonWithin(response.body, most));
  if (parsed.success) {
    return succeed(parsed.data);
  }
  const message = parsed.error.issues.slice(0, 3).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  return fail({ kind: 'answerMalformed', status, message: message.join('; ').slice(0, messageLength) });
}
