// The schemas of the interface's description: what API v3 §2 and §7 show of requests, answers and errors, and nothing
// that they do not: every object is open, and what is not shown has the schema {}.
import { errorConditions } from '../answers.ts';

export type Part = Readonly<Record<string, unknown>>;

/** A reference to a part of the same document. */
export function refer(kind: 'schemas' | 'parameters' | 'responses' | 'headers', name: string): Part {
  return { $ref: `#/components/${kind}/${name}` };
}

const schema = (name: string): Part => refer('schemas', name);

/** An object with these fields, all of them required where not some are named; others may be there too. */
function object(description: string, properties: Part, required: readonly string[] = Object.keys(properties)): Part {
  return {
    type: 'object',
    description,
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: true,
  };
}

export const idSchema: Part = { type: 'integer', format: 'int64' };
/** A part that API v3 does not show. */
export const openSchema: Part = {};

const text = (description: string): Part => ({ type: 'string', description });
const whole = (minimum: number, description: string): Part => ({ type: 'integer', minimum, description });

const errorList = Object.entries(errorConditions)
  .map(([code, condition]) => `- \`${code}\`: ${condition}`)
  .join('\n');

const credentials = {
  client_id: text("The application's client id."),
  client_secret: text("The application's client secret."),
};
const scope = text('`*` in the known usage.');

export const schemas: Part = {
  PasswordGrant: object('Token request, grant password (§2).', {
    grant_type: { const: 'password' },
    ...credentials,
    username: text("The user's e-mail."),
    password: text("The user's password."),
    scope,
  }),
  RefreshGrant: object('Token request, grant refresh_token (§2).', {
    grant_type: { const: 'refresh_token' },
    ...credentials,
    refresh_token: text('The refresh token.'),
    scope,
  }),
  Token: object('Carries `access_token`; its other fields are not shown (§2).', {
    access_token: { type: 'string', minLength: 1 },
  }),
  MetaPagination: object('Pagination metadata (§2).', {
    current_page: whole(1, 'Current page number.'),
    last_page: whole(0, 'Number of pages.'),
    per_page: whole(1, 'Items per page.'),
    total: whole(0, 'Total number of objects.'),
  }),
  StockProductList: object('Stock product list response (§2).', {
    data: object('Wrapper of the content.', {
      stock_products: { type: 'array', items: openSchema, description: 'The fields of an element are not shown.' },
    }),
    meta: schema('MetaPagination'),
  }),
  StockProductBalanceStock: object('Stock information (§2).', { id: idSchema, name: { type: 'string' } }),
  StockProductBalanceProduct: object('Product information (§2).', {
    id: idSchema,
    name: { type: 'string' },
    sku: { type: 'string' },
    unit_of_measure: object('Fields not shown.', {}),
  }),
  StockProductOptionBalance: object('Balance of a product option; fields not shown (§2).', {}),
  StockProductBalance: object('Stock product balance response (§2).', {
    stock: schema('StockProductBalanceStock'),
    product: schema('StockProductBalanceProduct'),
    balance: { type: 'number', description: 'Quantity of the product in the stock.' },
    balance_options: { type: 'array', items: schema('StockProductOptionBalance') },
  }),
  ProductBatch: object('An entry movement; fields not shown (§2).', {}),
  StockProductBatches: object('Stock product batches response (§2).', {
    product: schema('StockProductBalanceProduct'),
    option_names: text('Names of the options, space separated.'),
    stock_movements: { type: 'array', items: schema('ProductBatch') },
  }),
  ConsumptionCoupon: object('Consumption-coupon setting of a product (§2).', {
    product_id: idSchema,
    is_enabled: {
      type: 'boolean',
      description: 'Whether generation of a consumption coupon for the product is enabled.',
    },
  }),
  ConsumptionCouponItems: object('Settings of products, in a list or in an update (§4.6, §4.7).', {
    items: { type: 'array', items: schema('ConsumptionCoupon') },
  }),
  Error: object(
    'Error body (§2, §7).',
    {
      code: { type: 'string', description: `One of\n\n${errorList}` },
      message: text('Description of the error.'),
      meta: { type: 'array', items: schema('ErrorField'), description: 'Extra data about the error.' },
    },
    ['code'],
  ),
  ErrorField: object(
    'A field that was refused.',
    {
      field: text('Name of the field with a validation error.'),
      validations: { type: 'array', items: schema('ErrorValidation') },
    },
    ['field'],
  ),
  ErrorValidation: object(
    'A validation that failed.',
    {
      type: text('Type of the validation applied, e.g. a required-field type.'),
      value: { type: 'array', items: openSchema, description: 'Applicable value; may be empty.' },
    },
    ['type'],
  ),
};
