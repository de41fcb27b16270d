// The answers of the training platform: a status, headers and exact bytes, and the error body of API v3 §2 and §7.
import { writeJson } from '../domain/json.ts';

/** A request as it arrived; header names in lower case. */
export interface PlatformRequest {
  readonly method: string;
  /** Path and query, as in the request line. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null when it was longer than the platform reads. */
  readonly body: string | null;
}

export interface PlatformAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body's content, when it is an error body. */
  readonly error?: ErrorBody;
}

/** The codes of API v3 §7. This platform gives those of its own operations by itself, the others only as a fault. */
export const errorCodes = [
  'bad_request',
  'not_found',
  'method_not_allowed',
  'unprocessable_entity',
  'too_many_requests',
  'internal_server_error',
  'missing_headers',
  'max_upload_size_exceeded',
  'unauthorized',
  'invalid_scope',
  'forbidden',
  'uneditable_entity',
  'undeleted_resource_association',
  'product_combo_empty_components',
  'product_combo_attributes_not_allowed',
  'product_combo_component_combo_not_allowed',
  'product_combo_invalid_price',
  'product_with_grid_cannot_have_components',
  'option_cannot_be_associated_with_grid',
  'grid_with_options_not_exclusive_by_attribute_group',
  'grid_with_duplicate_set_of_options',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** One field of a 422 (API v3 §2 "Error body"). */
export interface Problem {
  readonly field: string;
  readonly validations: readonly { readonly type: string; readonly value: readonly (string | number | bigint)[] }[];
}

/** API v3 §2 "Error body". */
export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message?: string;
  readonly meta?: readonly (Problem | Pick<Problem, 'field'>)[];
}

/** Names one failed validation of a field. */
export function problem(field: string, type: string, value: readonly (string | number | bigint)[] = []): Problem {
  return { field, validations: [{ type, value }] };
}

const jsonHeaders = { 'content-type': 'application/json' };

/** An answer with a JSON body, int64 digits exact. */
export function answerJson(status: number, body: unknown): PlatformAnswer {
  return { status, headers: jsonHeaders, body: writeJson(body) };
}

/** 204 with an empty body. */
export function answerNothing(): PlatformAnswer {
  return { status: 204, headers: {}, body: '' };
}

/** The pagination envelope of API v3 §2; `lastPage` is the number of pages. */
export function answerPage(
  data: unknown,
  page: { readonly current: bigint; readonly last: number; readonly per: number; readonly total: number },
): PlatformAnswer {
  return answerJson(200, {
    data,
    meta: { current_page: page.current, last_page: page.last, per_page: page.per, total: page.total },
  });
}

/** An error body; `meta` only where there is something to name. */
export function refuse(
  status: number,
  code: ErrorCode,
  message: string,
  meta: readonly Problem[] = [],
): PlatformAnswer {
  const error: ErrorBody = meta.length === 0 ? { code, message } : { code, message, meta };
  return { ...answerJson(status, error), error };
}

/** 422 with the fields and the validations that failed. */
export function refuseFields(problems: readonly Problem[]): PlatformAnswer {
  return refuse(422, 'unprocessable_entity', 'Os dados enviados são inválidos.', problems);
}

/** 429; `retryAfterSeconds` goes into the `Retry-After` header. */
export function refuseTooMany(retryAfterSeconds: number): PlatformAnswer {
  const answer = refuse(429, 'too_many_requests', 'Limite de requisições excedido. Tente novamente em instantes.');
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(retryAfterSeconds) } };
}

/** 401 for every way in which a credential is missing, wrong or no longer good (API v3 §5 rule 6). */
export function refuseUnauthorized(message = 'Autenticação ausente ou expirada.'): PlatformAnswer {
  return refuse(401, 'unauthorized', message);
}

/** 404 for a resource or an endpoint. */
export function refuseNotFound(): PlatformAnswer {
  return refuse(404, 'not_found', 'Recurso não encontrado.');
}

/** The answer with more headers. */
export function withHeaders(answer: PlatformAnswer, headers: Readonly<Record<string, string>>): PlatformAnswer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}
