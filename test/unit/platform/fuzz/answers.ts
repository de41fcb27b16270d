// Whole and sound answers to every operation of API v3, in the shapes that the document shows and in some that it
// leaves open, for the fuzzers to spoil.

const meta = { current_page: 1, last_page: 3, per_page: 3, total: 8 };
const unit = { id: 4, code: 'KG', name: 'Quilograma' };

export const listings = [
  {
    data: {
      stock_products: [
        {
          id: 11,
          name: 'Café torrado',
          sku: 'CF-001',
          barcode: '9520000000011',
          unit_of_measure: unit,
          balance: 12.5,
          updated_at: '2026-01-05T09:00:00-03:00',
        },
        {
          id: 12,
          name: 'Pão de milho',
          code: 'PM-002',
          unit: 'UNID',
          amount_in_stock: '-3',
          options: [
            { name: 'Meia', balance: 2 },
            { name: 'Inteira', balance: 1.5 },
          ],
        },
        { id: 9007199254740993n, name: 'Água sem gás', barcodes: ['95200002', { code: '9520000000028' }], balance: 0 },
      ],
    },
    meta,
  },
  {
    data: {
      stock_products: [
        {
          id: 71,
          product: {
            id: 13,
            name: 'Manga rosa',
            sku: 'MR-003',
            unit_of_measure: { id: 1, abbreviation: 'KG' },
            ean: 9520000000035n,
          },
          balance: 7,
          stock: { id: 1, name: 'Loja' },
        },
        {
          id: 72,
          product: { id: 9223372036854775807n, name: 'Gelo em cubos', options: [{ id: 1, name: '3 kg' }] },
          quantity: '4.25',
        },
        { product_id: '14', name: 'Mel' },
      ],
    },
    meta: { ...meta, total: '8', last_page: 3.0 },
  },
];

export const balances = [
  {
    stock: { id: 1, name: 'Loja' },
    product: { id: 11, name: 'Café torrado', sku: 'CF-001', unit_of_measure: unit },
    balance: 12.5,
    balance_options: [
      { option: { id: 1, name: 'M' }, balance: 4 },
      { option_id: 2, option_name: 'G', amount: 8.5 },
    ],
  },
  {
    stock: { id: '1', name: 'Loja' },
    product: { id: '11', name: 'Café torrado', sku: null, unit_of_measure: {} },
    balance: '-2',
    balance_options: [],
  },
];

export const batchLists = [
  {
    product: { id: 11, name: 'Café torrado', sku: 'CF-001', unit_of_measure: unit },
    option_names: 'M azul',
    stock_movements: [
      {
        id: 9007199254740995n,
        batch: 'L-0042',
        amount: 12.5,
        created_at: '2026-01-05T09:00:00-03:00',
        expires_at: '2026-12-31T00:00:00-03:00',
      },
      {
        movement_id: 6,
        lot_number: null,
        quantity: '3',
        entry_date: '2026-01-04T09:00:00-03:00',
        expiration_date: '2026-06-30',
      },
      {
        lote: { numero: '7', validade: '2026-05-01' },
        remaining: 1,
        supplier: { id: 3, name: 'Fornecedor de mentira' },
        tags: ['a', 2],
      },
    ],
  },
];

export const couponLists = [
  {
    items: [
      { product_id: 11, is_enabled: true },
      { product_id: 9007199254740993n, is_enabled: false },
      { product_id: '9223372036854775807', is_enabled: 1, since: '2026-01-05T09:00:00-03:00' },
    ],
  },
];

export const tokens = [
  { access_token: 'made-up-access', refresh_token: 'made-up-refresh', expires_in: 3600, token_type: 'Bearer' },
  { access_token: 'made-up-access', expires_in: '86400', scope: '*' },
];

export const scopeLists = [
  ['stock', 'coupons'],
  { data: { scopes: [{ id: 1, name: 'stock', description: 'Estoques' }, { name: 'users' }] } },
  { scope: 'stock coupons' },
];

export const errors = [
  {
    code: 'unprocessable_entity',
    message: 'Dados inválidos',
    meta: [
      {
        field: 'items.0.product_id',
        validations: [
          { type: 'exists', value: [] },
          { type: 'max', value: [10, 'x'] },
        ],
      },
    ],
  },
  {
    code: 'unprocessable_entity',
    meta: [{ field: 'items.1.product_id', validations: [{ type: 'exists', value: [0] }] }],
  },
  {
    code: 'unauthorized',
    message: 'made up',
    meta: { field: 'items[1].is_enabled', validations: [{ type: 'required' }] },
  },
  { code: 'too_many_requests' },
  { error: 'invalid_grant', error_description: 'made up' },
  [],
];
