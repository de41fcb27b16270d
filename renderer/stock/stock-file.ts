import type { TFunction } from 'i18next';
import type { ExportedProduct, StockQuery } from '../../app/contract/browse.ts';
import { mapResult } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { FileList } from '../files/columns.ts';
import { fieldCell } from '../formats/fields.ts';

/** The stock table as a file, under this query; `shown` are the shop's names for what it shows in the table. */
export function stockFile(
  bridge: Bridge,
  query: StockQuery,
  t: TFunction,
  shown: readonly string[] = [],
): FileList<ExportedProduct> {
  // Words of which each row has one: looked up once.
  const sources = { listing: t('files.source.listing'), live: t('files.source.live') };
  const updaters = { platform: t('files.updatedBy.platform'), terminal: t('files.updatedBy.terminal') };
  let place: { readonly view?: number; readonly after: number } = { after: 0 };
  return {
    title: t('shell.screen.stock'),
    columns: [
      { kind: 'text', heading: t('files.column.stockId'), width: 12, of: ({ hit }) => hit.stockId },
      { kind: 'text', heading: t('stock.column.stock'), width: 20, of: ({ hit }) => hit.stockName },
      { kind: 'text', heading: t('files.column.productId'), width: 12, of: ({ hit }) => hit.productId },
      { kind: 'text', heading: t('stock.column.code'), width: 16, of: ({ hit }) => hit.code },
      { kind: 'text', heading: t('files.column.barcodes'), width: 18, of: ({ barcodes }) => barcodes.join(' ') },
      { kind: 'text', heading: t('stock.column.name'), width: 44, of: ({ hit }) => hit.name },
      { kind: 'number', heading: t('stock.column.balance'), width: 12, of: ({ hit }) => hit.balance.amount },
      { kind: 'text', heading: t('files.column.unit'), width: 8, of: ({ hit }) => hit.unit },
      { kind: 'moment', heading: t('stock.column.asOf'), width: 20, of: ({ hit }) => hit.balance.asOf },
      {
        kind: 'text',
        heading: t('files.column.source'),
        width: 18,
        of: ({ hit: { balance } }) => (balance.source === null ? null : sources[balance.source]),
      },
      { kind: 'number', heading: t('watchList.minimum'), width: 12, of: ({ minimum }) => minimum },
      { kind: 'moment', heading: t('files.column.updatedAt'), width: 20, of: ({ updatedAt }) => updatedAt },
      {
        kind: 'text',
        heading: t('files.column.updatedBy'),
        width: 16,
        of: ({ updatedAt, updatedBy }) => (updatedAt === null ? null : updaters[updatedBy]),
      },
      ...shown.map((name) => ({
        kind: 'mixed' as const,
        heading: name,
        width: 16,
        of: ({ fields }: ExportedProduct) => {
          const field = fields?.find((one) => one.name === name);
          return field === undefined ? null : fieldCell(field, t);
        },
      })),
    ],
    read: async () => {
      const page = await bridge.call('stock:export', { query, ...place });
      if (page.ok) {
        place = { view: page.value.view, after: page.value.next ?? place.after };
      }
      return mapResult(page, ({ rows, total, next }) => ({ rows, of: total, isLast: next === null }));
    },
  };
}
