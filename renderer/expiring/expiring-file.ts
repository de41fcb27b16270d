import type { TFunction } from 'i18next';
import type { ExpiringPlace, ExpiringQuery, ExpiringRow } from '../../app/contract/expiring.ts';
import { maxExpiringRows } from '../../app/contract/limits/expiring.ts';
import { mapResult } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { FileList } from '../files/columns.ts';

/** The list as a file, by day and name. Read by place, so that no line is left out while others go or come. */
export function expiringFile(bridge: Bridge, query: ExpiringQuery, t: TFunction): FileList<ExpiringRow> {
  let after: ExpiringPlace | undefined;
  return {
    title: t('expiring.tab'),
    columns: [
      { kind: 'text', heading: t('expiring.column.day'), width: 12, of: ({ day }) => day },
      { kind: 'text', heading: t('stock.column.stock'), width: 20, of: ({ hit }) => hit.stockName ?? hit.stockId },
      { kind: 'text', heading: t('files.column.productId'), width: 12, of: ({ hit }) => hit.productId },
      { kind: 'text', heading: t('stock.column.code'), width: 16, of: ({ hit }) => hit.code },
      { kind: 'text', heading: t('stock.column.name'), width: 44, of: ({ hit }) => hit.name },
      { kind: 'text', heading: t('expiring.column.lot'), width: 16, of: ({ lot }) => lot },
      { kind: 'number', heading: t('expiring.column.quantity'), width: 12, of: ({ quantity }) => quantity },
      { kind: 'number', heading: t('stock.column.balance'), width: 12, of: ({ hit }) => hit.balance.amount },
      { kind: 'text', heading: t('files.column.unit'), width: 8, of: ({ hit }) => hit.unit },
      { kind: 'moment', heading: t('stock.column.asOf'), width: 20, of: ({ hit }) => hit.balance.asOf },
      { kind: 'moment', heading: t('expiring.column.askedAt'), width: 20, of: ({ askedAt }) => askedAt },
    ],
    read: async () => {
      const page = await bridge.call('expiring:list', {
        ...query,
        ...(after === undefined ? {} : { after }),
        offset: 0,
        limit: maxExpiringRows,
      });
      return mapResult(page, ({ rows, total, next }) => {
        after = next ?? undefined;
        return { rows: rows.filter((row) => row !== null), of: total, isLast: next === null };
      });
    },
  };
}
