import { z } from 'zod';
import { broken, type Complaint, type EveryAnswer } from '../check.ts';
import { at, type Exchange } from '../probe.ts';

/** API v3 §7, and 405, which its code `method_not_allowed` suggests. */
const statuses = [200, 201, 204, 400, 401, 403, 404, 405, 422, 429, 500];
const codes = `
  bad_request not_found method_not_allowed unprocessable_entity too_many_requests
  internal_server_error missing_headers max_upload_size_exceeded unauthorized invalid_scope
  forbidden uneditable_entity undeleted_resource_association product_combo_empty_components
  product_combo_attributes_not_allowed product_combo_component_combo_not_allowed
  product_combo_invalid_price product_with_grid_cannot_have_components
  option_cannot_be_associated_with_grid grid_with_options_not_exclusive_by_attribute_group
  grid_with_duplicate_set_of_options
`.split(/\s+/);
const errorSchema = z.object({
  code: z.string(),
  message: z.string().nullish(),
  meta: z
    .array(
      z.object({
        field: z.string(),
        validations: z.array(z.object({ type: z.string(), value: z.array(z.unknown()).nullish() })).nullish(),
      }),
    )
    .nullish(),
});
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/;
const largestId = 2n ** 63n - 1n;
const idName = /^(?:id|(?:product|stock|option|movement)_id)$/;

/** The first member that `find` takes, with its path. */
function search(value: unknown, find: (name: string, part: unknown) => boolean, path = ''): [string, unknown] | null {
  for (const [name, part] of typeof value === 'object' && value !== null ? Object.entries(value) : []) {
    const place = path === '' ? name : `${path}.${name}`;
    if (find(name, part)) return [place, part];
    const deeper = search(part, find, place);
    if (deeper !== null) return deeper;
  }
  return null;
}

const isId = (id: unknown): boolean =>
  id === null ||
  (typeof id === 'number' && Number.isSafeInteger(id) && id >= 0) ||
  (typeof id === 'bigint' && id >= 0n && id <= largestId);

const metaNames = ['current_page', 'last_page', 'per_page', 'total'];

const isOfToken = ({ request }: Exchange): boolean => new URL(request.url).pathname.includes('/oauth/');
/** API v3 §4.8 does not show the bodies of 401 and 404. */
const isShown = ({ answer }: Exchange): boolean => answer.status !== 401 && answer.status !== 404;

/** The offsets of all date-times in an answer: the store's time zone, in summer and in winter. */
export function offsetsIn({ answer }: Exchange): readonly string[] {
  return [...answer.text.matchAll(/"\d{4}-\d\d-\d\dT[\d:]+([+-]\d\d:\d\d)"/g)].map(([, offset = '']) => offset);
}

const shownNames: readonly (readonly [path: RegExp, names: readonly string[]])[] = [
  [/\/products(?:\?|$)/, ['data', 'data.stock_products', 'meta', ...metaNames.map((name) => `meta.${name}`)]],
  [/\/balance/, ['stock', 'product', 'balance', 'balance_options']],
  [/\/batches/, ['product', 'option_names', 'stock_movements']],
  [/\/consumption-coupons/, ['items']],
];

/** More than any platform adds; those of all answers are kept. */
const maxMoreFields = 100;

/** Of a text or an array none: each sign or element would be one. */
const fieldsOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];

/** What an answer carries at places where the document shows all that is there. */
export function moreFieldsIn({ request, answer, json }: Exchange): readonly string[] {
  const names = shownNames.find(([path]) => answer.status === 200 && path.test(request.url))?.[1];
  const seen = fieldsOf(json).flatMap((name) =>
    name === 'data' || name === 'meta'
      ? [name, ...fieldsOf(at(json, name)).map((inner) => `${name}.${inner}`)]
      : [name],
  );
  return names === undefined ? [] : seen.filter((name) => !names.includes(name)).slice(0, maxMoreFields);
}

const wrongValue = (exchange: Exchange, what: string, got: unknown, expected: string): Complaint =>
  broken(exchange, 'value', { what, got: String(got).slice(0, 80), expected });

export const everyAnswerChecks: readonly EveryAnswer[] = [
  {
    id: '1:json',
    judge: (exchange) => {
      const { status, text, headers } = exchange.answer;
      const type = headers['content-type'] ?? '';
      const isJson = exchange.json !== undefined && (status >= 300 || type.includes('json'));
      return status === 204 || !isShown(exchange) || isJson
        ? null
        : broken(exchange, 'notJson', { got: type || text.slice(0, 20) });
    },
  },
  {
    id: '7:status',
    judge: (exchange) => {
      const { status } = exchange.answer;
      const isFailure = status >= 500;
      return statuses.includes(status) && !isFailure
        ? null
        : broken(exchange, isFailure ? 'failed' : 'status', { got: String(status), expected: statuses.join(', ') });
    },
  },
  {
    id: '7:error-body',
    judge: (exchange) => {
      const { status } = exchange.answer;
      const issue =
        status < 400 || !isShown(exchange) ? undefined : errorSchema.safeParse(exchange.json).error?.issues[0];
      return issue === undefined ? null : wrongValue(exchange, issue.path.join('.'), issue.message, '§2');
    },
  },
  {
    id: '7:codes',
    judge: (exchange) => {
      const code = exchange.answer.status < 400 ? undefined : at(exchange.json, 'code');
      return typeof code !== 'string' || codes.includes(code) ? null : wrongValue(exchange, 'code', code, '§7');
    },
  },
  {
    id: '2:ids',
    judge: (exchange) => {
      const found =
        isOfToken(exchange) || exchange.answer.status >= 300
          ? null
          : search(exchange.json, (name, part) => idName.test(name) && !isId(part));
      return found === null ? null : wrongValue(exchange, found[0], found[1], 'int64');
    },
  },
  {
    id: '2:date-time',
    judge: (exchange) => {
      const found = search(
        exchange.json,
        (_name, part) =>
          typeof part === 'string' &&
          /^\d{4}-\d\d-\d\d[T ]\d\d/.test(part) &&
          !(dateTime.test(part) && !Number.isNaN(Date.parse(part))),
      );
      return found === null ? null : wrongValue(exchange, found[0], found[1], 'YYYY-MM-DDThh:mm:ss±hh:mm');
    },
  },
  {
    id: '8:limit',
    judge: (exchange) => {
      const { status, headers } = exchange.answer;
      const said = Number.parseInt(headers['x-ratelimit-limit'] ?? headers['ratelimit-limit'] ?? '60', 10);
      if (said < 60) return wrongValue(exchange, 'RateLimit-Limit', said, '≥ 60');
      return status === 429 ? broken(exchange, 'tooSoon') : null;
    },
  },
  {
    id: '7:too-many',
    judge: (exchange) => {
      const { status, headers } = exchange.answer;
      const after = headers['retry-after'];
      const isReadable = after === undefined || /^(?:\d+|\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT)$/.test(after);
      const code = String(at(exchange.json, 'code'));
      if (!isReadable) return wrongValue(exchange, 'Retry-After', after, 'RFC 9110 §10.2.3');
      return status !== 429 || code === 'too_many_requests'
        ? null
        : wrongValue(exchange, 'code', code, 'too_many_requests');
    },
  },
];
