import type { Page } from 'playwright-core';
import type { ListedFields, ProductField, ShownField } from '../../../app/contract/fields.ts';
import { card, coffee } from '../scene-fixtures.ts';
import { at, failing, to, value, type ShownScene } from '../scene-steps.ts';

/** A manager's chosen fields; the last one is no longer in the listing. */
export const shownFields: ShownField[] = [
  { path: 'product.price', name: 'Price', on: ['card', 'bar', 'table', 'label'] },
  { path: 'aisle', name: 'Aisle', on: ['card', 'bar', 'table'] },
  { path: 'product.supplier.name', name: 'Supplier', on: ['card', 'table'] },
  { path: 'product.season', name: 'Season', on: ['station'] },
];
export const listedFields: ListedFields = {
  fields: [
    {
      path: 'product.id',
      kinds: ['number'],
      products: 2000,
      samples: [{ value: '101', kind: 'number' }],
      ownPlace: 'id',
    },
    {
      path: 'product.name',
      kinds: ['text'],
      products: 2000,
      samples: [{ value: 'Café torrado e moído Serra Clara 500 g', kind: 'text' }],
      ownPlace: 'name',
    },
    {
      path: 'product.price',
      kinds: ['number'],
      products: 1987,
      samples: ['18.9', '7.5', '42'].map((text) => ({ value: text, kind: 'number' as const })),
      ownPlace: null,
    },
    {
      path: 'product.supplier.name',
      kinds: ['text'],
      products: 1850,
      samples: [1, 2, 3].map((number) => ({ value: `Distribuidora Exemplo ${number}`, kind: 'text' as const })),
      ownPlace: null,
    },
    {
      path: 'product.is_perishable',
      kinds: ['boolean'],
      products: 2000,
      samples: [
        { value: 'false', kind: 'boolean' },
        { value: 'true', kind: 'boolean' },
      ],
      ownPlace: null,
    },
    { path: 'aisle', kinds: ['text'], products: 2000, samples: [{ value: 'C4-12', kind: 'text' }], ownPlace: null },
    {
      path: 'price_valid_from',
      kinds: ['moment'],
      products: 310,
      samples: [{ value: '2026-03-01T00:00:00-03:00', kind: 'moment' }],
      ownPlace: null,
    },
  ],
  counted: 2000,
  isSample: true,
  leftOut: 3,
};
export const fields: ProductField[] = [
  { name: 'Price', value: '18.9', kind: 'number', on: ['card', 'bar', 'table', 'label'] },
  { name: 'Aisle', value: 'C4-12', kind: 'text', on: ['card', 'bar', 'table'] },
  { name: 'Supplier', value: 'Distribuidora Exemplo 1', kind: 'text', on: ['card', 'table'] },
];

const answers = {
  'catalogue:listFields': value(listedFields),
  'lookup:find': value({ kind: 'found', text: coffee, cards: [card({ fields })] }),
  'product:refresh': failing({ kind: 'cancelled' }),
};

const openSection = async (page: Page): Promise<void> => {
  await to(page, '#settings/fields');
  await page.locator('.field-settings').waitFor();
};

/** The fields of the platform's listing: chosen, and shown on the card, in the bar and in the stock table. */
export const fieldsScenes: readonly ShownScene[] = [
  at(
    'settings-fields',
    { shownFields },
    async (page) => {
      await openSection(page);
      await page.locator('.field-table').first().waitFor();
    },
    { answers },
  ),
];
