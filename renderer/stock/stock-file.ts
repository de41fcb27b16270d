import type { TFunction } from 'i18next';
import type { ExportedProduct, StockQuery } from '../../app/contract/browse.ts';
import { mapResult } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { moment, number, text, type FileList } from '../files/columns.ts';
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
      text(t('files.column.stockId'), 12, ({ hit }) => hit.stockId),
      text(t('stock.column.stock'), 20, ({ hit }) => hit.stockName),
      text(t('files.column.productId'), 12, ({ hit }) => hit.productId),
      text(t('stock.column.code'), 16, ({ hit }) => hit.code),
      text(t('files.column.barcodes'), 18, ({ barcodes }) => barcodes.join(' ')),
      text(t('stock.column.name'), 44, ({ hit }) => hit.name),
      number(t('stock.column.balance'), 12, ({ hit }) => hit.balance.amount),
      text(t('files.column.unit'), 8, ({ hit }) => hit.unit),
      moment(t('stock.column.asOf'), 20, ({ hit }) => hit.balance.asOf),
      text(t('files.column.source'), 18, ({ hit: { balance } }) =>
        balance.source === null ? null : sources[balance.source],
      ),
      number(t('watchList.minimum'), 12, ({ minimum }) => minimum),
      moment(t('files.column.updatedAt'), 20, ({ updatedAt }) => updatedAt),
      text(t('files.column.updatedBy'), 16, ({ updatedAt, updatedBy }) =>
        updatedAt === null ? null : updaters[updatedBy],
      ),
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
