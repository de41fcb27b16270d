// The schemas of the interface's description: what API v3 §2 and §7 show of requests, answers and errors, and nothing
// that they do not: every object is open, and what is not shown has the schema {}.
import type { ErrorCode } from '../answers.ts';

export type Part = Readonly<Record<string, unknown>>;

/** A reference to a part of the same document. */
export function refer(kind: 'schemas' | 'parameters' | 'responses' | 'headers', name: string): Part {
  return { $ref: `#/components/${kind}/${name}` };
}

const schema = (name: string): Part => refer('schemas', name);

/** An object with these fields, of which some are required; others may be there too. */
function object(properties: Part, required: readonly string[], description: string): Part {
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

/** The error codes of API v3 §7, with their conditions. */
const errorConditions: Readonly<Record<ErrorCode, string>> = {
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

const errorList = Object.entries(errorConditions)
  .map(([code, condition]) => `- \`${code}\`: ${condition}`)
  .join('\n');

const credentials = {
  client_id: text("The application's client id."),
  client_secret: text("The application's client secret."),
};
const scope = text('`*` in the known usage.');

export const schemas: Part = {
  PasswordGrant: object(
    {
      grant_type: { const: 'password' },
      ...credentials,
      username: text("The user's e-mail."),
      password: text("The user's password."),
      scope,
    },
    ['grant_type', 'client_id', 'client_secret', 'username', 'password', 'scope'],
    'Token request, grant password (§2).',
  ),
  RefreshGrant: object(
    { grant_type: { const: 'refresh_token' }, ...credentials, refresh_token: text('The refresh token.'), scope },
    ['grant_type', 'client_id', 'client_secret', 'refresh_token', 'scope'],
    'Token request, grant refresh_token (§2).',
  ),
  Token: object(
    { access_token: { type: 'string', minLength: 1 } },
    ['access_token'],
    'Carries `access_token`; its other fields are not shown (§2).',
  ),
  MetaPagination: object(
    {
      current_page: whole(1, 'Current page number.'),
      last_page: whole(0, 'Number of pages.'),
      per_page: whole(1, 'Items per page.'),
      total: whole(0, 'Total number of objects.'),
    },
    ['current_page', 'last_page', 'per_page', 'total'],
    'Pagination metadata (§2).',
  ),
  StockProductList: object(
    {
      data: object(
        {
          stock_products: { type: 'array', items: openSchema, description: 'The fields of an element are not shown.' },
        },
        ['stock_products'],
        'Wrapper of the content.',
      ),
      meta: schema('MetaPagination'),
    },
    ['data', 'meta'],
    'Stock product list response (§2).',
  ),
  StockProductBalanceStock: object(
    { id: idSchema, name: { type: 'string' } },
    ['id', 'name'],
    'Stock information (§2).',
  ),
  StockProductBalanceProduct: object(
    {
      id: idSchema,
      name: { type: 'string' },
      sku: { type: 'string' },
      unit_of_measure: object({}, [], 'Fields not shown.'),
    },
    ['id', 'name', 'sku', 'unit_of_measure'],
    'Product information (§2).',
  ),
  StockProductOptionBalance: object({}, [], 'Balance of a product option; fields not shown (§2).'),
  StockProductBalance: object(
    {
      stock: schema('StockProductBalanceStock'),
      product: schema('StockProductBalanceProduct'),
      balance: { type: 'number', description: 'Quantity of the product in the stock.' },
      balance_options: { type: 'array', items: schema('StockProductOptionBalance') },
    },
    ['stock', 'product', 'balance', 'balance_options'],
    'Stock product balance response (§2).',
  ),
  ProductBatch: object({}, [], 'An entry movement; fields not shown (§2).'),
  StockProductBatches: object(
    {
      product: schema('StockProductBalanceProduct'),
      option_names: text('Names of the options, space separated.'),
      stock_movements: { type: 'array', items: schema('ProductBatch') },
    },
    ['product', 'option_names', 'stock_movements'],
    'Stock product batches response (§2).',
  ),
  ConsumptionCoupon: object(
    {
      product_id: idSchema,
      is_enabled: {
        type: 'boolean',
        description: 'Whether generation of a consumption coupon for the product is enabled.',
      },
    },
    ['product_id', 'is_enabled'],
    'Consumption-coupon setting of a product (§2).',
  ),
  ConsumptionCouponItems: object(
    { items: { type: 'array', items: schema('ConsumptionCoupon') } },
    ['items'],
    'Settings of products, in a list or in an update (§4.6, §4.7).',
  ),
  Error: object(
    {
      code: { type: 'string', description: `One of\n\n${errorList}` },
      message: text('Description of the error.'),
      meta: { type: 'array', items: schema('ErrorField'), description: 'Extra data about the error.' },
    },
    ['code'],
    'Error body (§2, §7).',
  ),
  ErrorField: object(
    {
      field: text('Name of the field with a validation error.'),
      validations: { type: 'array', items: schema('ErrorValidation') },
    },
    ['field'],
    'A field that was refused.',
  ),
  ErrorValidation: object(
    {
      type: text('Type of the validation applied, e.g. a required-field type.'),
      value: { type: 'array', items: openSchema, description: 'Applicable value; may be empty.' },
    },
    ['type'],
    'A validation that failed.',
  ),
};
