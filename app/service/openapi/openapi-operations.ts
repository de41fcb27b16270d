// The operations of the interface's description: methods, paths, parameters, bodies and statuses of API v3 §4, with
// examples that are plainly made up.
import { idSchema, openSchema, refer, type Part } from './openapi-schemas.ts';

const json = (schema: Part, example?: unknown): Part => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
});
const parameter = (name: string): Part => refer('parameters', name);
const response = (name: string): Part => refer('responses', name);
const schema = (name: string): Part => refer('schemas', name);
const query = (name: string, described: Part, description: string): Part => ({
  name,
  in: 'query',
  required: false,
  description,
  schema: described,
});
const needed = (place: 'path' | 'header', name: string, described: Part, description: string, example: unknown) => ({
  ...query(name, described, description),
  in: place,
  required: true,
  example,
});

const keySchema: Part = { type: 'string', minLength: 1, maxLength: 100 };
const ids: Part = { type: 'string', pattern: '^\\d{1,19}(,\\d{1,19})*$' };
const example = {
  product: {
    id: 1_000_001,
    name: 'Vassoura de Piaçava Jabuti Azul',
    sku: '000001',
    unit_of_measure: { id: 29, code: 'UNID', name: 'Unidade' },
  },
  stock: { id: 1201, name: 'Loja' },
};
const exampleCoupons = { items: [{ product_id: 1_000_001, is_enabled: true }] };

const exampleError = (code: string, message: string): Part => ({ code, message });
const exampleProblem = {
  code: 'unprocessable_entity',
  message: 'Os dados enviados são inválidos.',
  meta: [{ field: 'per_page', validations: [{ type: 'max', value: [100] }] }],
};

const keyHeaders = (required: boolean): Part => ({
  'Idempotency-Key': {
    ...(required ? { required } : {}),
    description: 'The identifier of the request sent (§8 rule 5).',
    schema: { type: 'string' },
  },
  'Idempotency-Replayed': {
    ...(required ? { required } : {}),
    description: 'Whether the response is a replay of a previous call (§8 rule 5).',
    schema: openSchema,
  },
});

export const parameters: Part = {
  CompanyId: needed('header', 'Service-Company-Id', { type: 'number' }, 'The company (§2, §5).', 4101),
  IdempotencyKey: needed(
    'header',
    'Idempotency-Key',
    keySchema,
    'A random id that the caller generates; a UUID is suggested, no format is enforced (§8 rules 1 and 2).',
    '00000000-0000-4000-8000-000000000000',
  ),
  StockId: needed('path', 'stockId', idSchema, 'The stock.', example.stock.id),
  ProductId: needed('path', 'productId', idSchema, 'The product.', example.product.id),
  OptionIds: query('option_ids', ids, 'Only these options: comma-separated numeric ids.'),
};

function refusal(description: string, body: unknown): Part {
  return { description, headers: keyHeaders(false), content: json(schema('Error'), body) };
}

export const responses: Part = {
  BadRequest: refusal(
    'The request could not be interpreted, or lacks a required header.',
    exampleError('missing_headers', 'Cabeçalhos obrigatórios ausentes: Service-Company-Id.'),
  ),
  Unauthorized: {
    description:
      'The credential is deactivated, wrong, expired or was not sent. The body is not shown; it may be an Error with code `unauthorized`, anything else, or nothing.',
  },
  Forbidden: refusal(
    'Access not authorized, e.g. the store has no permission for the resource.',
    exampleError('forbidden', 'A loja não tem permissão para este recurso.'),
  ),
  NotFound: {
    description:
      'Resource or endpoint not found. The body is not shown; it may be an Error with code `not_found`, anything else, or nothing.',
  },
  Unprocessable: refusal('The request was received but its parameters are invalid.', exampleProblem),
  TooManyRequests: {
    ...refusal(
      'The rate limit of 60 requests per minute is reached (§8).',
      exampleError('too_many_requests', 'Limite de requisições excedido.'),
    ),
    headers: {
      ...keyHeaders(false),
      'Retry-After': {
        description: 'Not named by API v3; seconds or a date, where it is sent (RFC 9110 §10.2.3).',
        schema: { type: 'string' },
      },
    },
  },
  ServerError: refusal('Platform failure.', exampleError('internal_server_error', 'Erro interno da plataforma.')),
  OtherError: refusal(
    'Any other refusal: which status a code has is shown for few of them (§7).',
    exampleError('method_not_allowed', 'Método não permitido para este recurso.'),
  ),
};

const always = {
  400: response('BadRequest'),
  429: response('TooManyRequests'),
  500: response('ServerError'),
  default: response('OtherError'),
};
const signedIn = {
  ...always,
  401: response('Unauthorized'),
  403: response('Forbidden'),
  404: response('NotFound'),
  422: response('Unprocessable'),
};

const success = (description: string, schemaName: string, body: Part): Part => ({
  200: { description, content: json(schema(schemaName), body) },
  ...signedIn,
});
const noContent = { 204: { description: 'Done; the body is empty.', headers: keyHeaders(true) }, ...signedIn };

/** Sent with every POST (§8 rule 1), but declared by two operations alone. */
const optionalKey = { ...query('Idempotency-Key', keySchema, 'As with every POST (§8).'), in: 'header' };

export const paths: Part = {
  '/oauth/token': {
    post: {
      operationId: 'obtainToken',
      tags: ['Authentication'],
      summary: 'Obtain or renew a token',
      description: 'API v3 §4.1, §5: the password grant or the refresh_token grant.',
      security: [],
      parameters: [optionalKey],
      requestBody: {
        required: true,
        content: json(
          { oneOf: [schema('PasswordGrant'), schema('RefreshGrant')] },
          {
            grant_type: 'password',
            client_id: 'practice-terminal',
            client_secret: 'practice-secret-for-nobody',
            username: 'caixa@example.com',
            password: 'praticar-aqui-1',
            scope: '*',
          },
        ),
      },
      responses: {
        200: {
          description: 'The tokens.',
          headers: keyHeaders(false),
          content: json(schema('Token'), { access_token: 'made-up-access-token' }),
        },
        401: response('Unauthorized'),
        ...always,
      },
    },
  },
  '/oauth/scopes': {
    get: {
      operationId: 'listScopes',
      tags: ['Authentication'],
      summary: 'List the scopes',
      description:
        'API v3 §4.2. That the endpoint exists is all that is shown; the method GET and any shape of the answer are a guess.',
      security: [],
      responses: {
        200: { description: 'The scopes, in a shape that is not shown.', content: json(openSchema) },
        ...always,
      },
    },
  },
  '/api/v3/stocks/{stockId}/products': {
    get: {
      operationId: 'listStockProducts',
      tags: ['Stock'],
      summary: 'List the products of a stock',
      description: 'API v3 §4.3. The fields of an element are not shown, nor is the order without `order_by_field`.',
      parameters: [
        parameter('StockId'),
        parameter('CompanyId'),
        query('term', { type: 'string' }, 'Search term: name, code or barcode of the product, etc.'),
        query('order_by_field', { type: 'string', enum: ['code', 'name'] }, 'Field to order by.'),
        query('order_by_type', { type: 'string', enum: ['asc', 'desc'], default: 'desc' }, 'Direction.'),
        query('product_ids', ids, 'Filter by product ids: comma-separated numeric ids.'),
        query(
          'amount_in_stock',
          { type: 'string', enum: ['all', 'positive', 'negative', 'zero'] },
          'Filter by quantity: all; positive; negative; zero (no movements).',
        ),
        query('page', { type: 'number', minimum: 1, default: 1 }, 'Page.'),
        query('per_page', { type: 'number', minimum: 1, maximum: 100, default: 30 }, 'Items per page.'),
        query(
          'updated_from',
          { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}[+-]\\d{2}:\\d{2}$' },
          'Only data updated from this moment: `YYYY-MM-DDThh:mm:ss+hh:mm`, local time plus the offset (§2).',
        ),
      ],
      responses: success('One page.', 'StockProductList', {
        data: { stock_products: [{ product: example.product, balance: 12, updated_at: '2026-01-05T12:00:00-03:00' }] },
        meta: { current_page: 1, last_page: 1, per_page: 30, total: 1 },
      }),
    },
  },
  '/api/v3/stocks/{stockId}/products/{productId}/balance': {
    get: {
      operationId: 'readStockProductBalance',
      tags: ['Stock'],
      summary: 'Balance of a product in a stock',
      description: 'API v3 §4.4.',
      parameters: [
        parameter('StockId'),
        parameter('ProductId'),
        parameter('CompanyId'),
        query(
          'movement_type',
          { type: 'string', enum: ['all', 'in', 'out'], default: 'all' },
          'Kind of stock movement: all, entries, exits.',
        ),
        parameter('OptionIds'),
      ],
      responses: success('The balance.', 'StockProductBalance', { ...example, balance: 12, balance_options: [] }),
    },
  },
  '/api/v3/stocks/{stockId}/products/{productId}/batches': {
    get: {
      operationId: 'listStockProductBatches',
      tags: ['Stock'],
      summary: 'Entry batches of a product in a stock',
      description: 'API v3 §4.5.',
      parameters: [parameter('StockId'), parameter('ProductId'), parameter('CompanyId'), parameter('OptionIds')],
      responses: success('The batches.', 'StockProductBatches', {
        product: example.product,
        option_names: 'Azul Verde',
        stock_movements: [{ id: 80_000_001, amount: 24 }],
      }),
    },
  },
  '/api/v3/products/consumption-coupons': {
    get: {
      operationId: 'listConsumptionCoupons',
      tags: ['Consumption coupons'],
      summary: 'List consumption-coupon settings of products',
      description:
        'API v3 §4.6. No company header is listed for this operation; §5 rule 5 says that most resource operations require it.',
      parameters: [
        query('product_id', idSchema, 'Filter by product.'),
        query('is_enabled', { type: 'boolean' }, 'Filter by products with the coupon enabled.'),
      ],
      responses: success('The settings.', 'ConsumptionCouponItems', exampleCoupons),
    },
    put: {
      operationId: 'updateConsumptionCoupons',
      tags: ['Consumption coupons'],
      summary: 'Update consumption-coupon settings of products',
      description:
        'API v3 §4.7. Permitted only when the company has product consumption coupons enabled in the ERP settings; how it is refused otherwise is not shown.',
      parameters: [parameter('CompanyId'), parameter('IdempotencyKey')],
      requestBody: { required: true, content: json(schema('ConsumptionCouponItems'), exampleCoupons) },
      responses: noContent,
    },
  },
  '/api/v3/users/{userId}': {
    post: {
      operationId: 'restoreUser',
      tags: ['Users'],
      summary: 'Restore a deleted user',
      description:
        'API v3 §4.8. Refused with status 400 when another user was created with the same e-mail. The request body is not shown.',
      parameters: [
        needed('path', 'userId', { type: 'integer' }, 'Id of the user to restore.', 703),
        parameter('CompanyId'),
        parameter('IdempotencyKey'),
      ],
      requestBody: { required: false, content: json(openSchema) },
      responses: noContent,
    },
  },
  '/api/v3/categories': {
    post: {
      operationId: 'createCategory',
      tags: ['Samples'],
      summary: 'The sample call for the Authorization header',
      description: 'API v3 §4.9. Its body and its response are not shown.',
      parameters: [optionalKey],
      requestBody: { required: true, content: json(openSchema) },
      responses: {
        201: { description: 'Created.', headers: keyHeaders(false), content: json(openSchema) },
        ...signedIn,
      },
    },
  },
};
