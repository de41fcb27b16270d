import type { TFunction } from 'i18next';
import type { Stocktake, StocktakeLine } from '../../app/contract/stocktakes.ts';
import { mapResult } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { moment, number, text, type FileList } from '../files/columns.ts';
import { allLines, differenceOf, figureAgeOf } from './line-words.ts';

const minuteMs = 60_000;

/** The lines of a count as a file, in the order in which they came; those of scans that wait are awaited by `allKept`. */
export function stocktakeFile(
  bridge: Bridge,
  stocktake: Stocktake,
  allKept: () => Promise<void>,
  t: TFunction,
): FileList<StocktakeLine> {
  let after = 0;
  const { id, name, stockId, stockName } = stocktake;
  const ageOf = (line: StocktakeLine): number | null => {
    const age = figureAgeOf(line);
    return age === null ? null : Math.round(age / minuteMs);
  };
  return {
    title: t('shell.screen.stocktakes'),
    columns: [
      text(t('stocktakes.column.name'), 20, () => name),
      text(t('stock.column.stock'), 20, () => stockName ?? stockId),
      text(t('files.column.productId'), 12, ({ productId }) => productId),
      text(t('stock.column.code'), 18, ({ code }) => code),
      text(t('stock.column.name'), 44, (line) => line.name),
      number(t('stocktakes.column.quantity'), 12, ({ quantity }) => quantity),
      text(t('files.column.unit'), 8, ({ unit }) => unit),
      number(t('stocktakes.column.figure'), 12, ({ figure }) => figure),
      moment(t('stock.column.asOf'), 20, ({ figureAsOf }) => figureAsOf),
      number(t('stocktakes.column.age'), 14, ageOf),
      number(t('stocktakes.column.difference'), 12, differenceOf),
      text(t('stocktakes.column.state'), 20, ({ state }) => t(`stocktakes.state.${state}`)),
      moment(t('stocktakes.column.countedAt'), 20, ({ countedAt }) => countedAt),
      text(t('stocktakes.column.countedBy'), 30, ({ countedBy }) => countedBy),
    ],
    read: async () => {
      if (after === 0) {
        await allKept();
      }
      const page = await bridge.call('stocktake:export', { stocktakeId: id, after });
      if (page.ok) {
        after = page.value.next ?? after;
      }
      return mapResult(page, ({ rows, next }) => ({ rows, of: allLines(stocktake), isLast: next === null }));
    },
  };
}
