import type { TFunction } from 'i18next';
import type { ExpiringPlace, ExpiringQuery, ExpiringRow } from '../../app/contract/expiring.ts';
import { maxExpiringRows } from '../../app/contract/limits/expiring.ts';
import { mapResult } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { moment, number, text, type FileList } from '../files/columns.ts';

/** The list as a file, by day and name. Read by place, so that no line is left out while others go or come. */
export function expiringFile(bridge: Bridge, query: ExpiringQuery, t: TFunction): FileList<ExpiringRow> {
  let after: ExpiringPlace | undefined;
  return {
    title: t('expiring.tab'),
    columns: [
      text(t('expiring.column.day'), 12, ({ day }) => day),
      text(t('stock.column.stock'), 20, ({ hit }) => hit.stockName ?? hit.stockId),
      text(t('files.column.productId'), 12, ({ hit }) => hit.productId),
      text(t('stock.column.code'), 16, ({ hit }) => hit.code),
      text(t('stock.column.name'), 44, ({ hit }) => hit.name),
      text(t('expiring.column.lot'), 16, ({ lot }) => lot),
      number(t('expiring.column.quantity'), 12, ({ quantity }) => quantity),
      number(t('stock.column.balance'), 12, ({ hit }) => hit.balance.amount),
      text(t('files.column.unit'), 8, ({ hit }) => hit.unit),
      moment(t('stock.column.asOf'), 20, ({ hit }) => hit.balance.asOf),
      moment(t('expiring.column.askedAt'), 20, ({ askedAt }) => askedAt),
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
