// The answers of the training platform: a status, headers and exact bytes, and the error body of API v3 §2 and §7.
import { parseJson, writeJson } from '../domain/json.ts';

/** A request as it arrived; header names in lower case. */
export interface PlatformRequest {
  readonly method: string;
  /** Path and query, as in the request line. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null when it was longer than the platform reads. */
  readonly body: string | null;
}

/** The body of a request, where it is a JSON object. */
export function objectIn(body: string): Readonly<Record<string, unknown>> | null {
  const document = parseJson(body);
  return typeof document === 'object' && document !== null && !Array.isArray(document) ? { ...document } : null;
}

export interface PlatformAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body's content, when it is an error body. */
  readonly error?: ErrorBody;
}

/**
 * The codes of API v3 §7, with their conditions. This platform gives those of its own operations by itself, the others
 * only as a fault.
 */
export const errorConditions = {
  bad_request: 'malformed, incomplete request or invalid parameters',
  not_found: 'requested resource not found',
  method_not_allowed: 'HTTP method not allowed for the resource',
  unprocessable_entity: 'validation errors in the data sent',
  too_many_requests: 'excessive number of requests',
  internal_server_error: 'platform failure',
  missing_headers: 'a required header is absent',
  max_upload_size_exceeded: 'an image exceeds the size limit',
  unauthorized: 'authentication expired',
  invalid_scope: 'scope given at authentication is invalid or non-existent',
  forbidden: 'action without permission',
  uneditable_entity: 'attempt to edit a resource that cannot be modified',
  undeleted_resource_association: 'deletion impossible because of an association with another resource',
  product_combo_empty_components: 'a product of type Combo must have at least one component',
  product_combo_attributes_not_allowed: 'a Combo product cannot have attributes',
  product_combo_component_combo_not_allowed: 'a Combo product cannot have Combo components',
  product_combo_invalid_price: 'price given for a Combo product does not match the calculation from its components',
  product_with_grid_cannot_have_components: 'a product with a price grid cannot have components',
  option_cannot_be_associated_with_grid: 'an attribute option cannot be associated with a price grid',
  grid_with_options_not_exclusive_by_attribute_group:
    'a price grid cannot have two or more options of the same attribute group',
  grid_with_duplicate_set_of_options: 'a price grid cannot have duplicated sets of attribute options',
};

export type ErrorCode = keyof typeof errorConditions;
export const errorCodes = Object.keys(errorConditions) as readonly ErrorCode[];

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
