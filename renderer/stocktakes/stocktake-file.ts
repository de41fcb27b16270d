import type { TFunction } from 'i18next';
import type { Stocktake, StocktakeLine } from '../../app/contract/stocktakes.ts';
import { mapResult } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { FileList } from '../files/columns.ts';
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
      { kind: 'text', heading: t('stocktakes.column.name'), width: 20, of: () => name },
      { kind: 'text', heading: t('stock.column.stock'), width: 20, of: () => stockName ?? stockId },
      { kind: 'text', heading: t('files.column.productId'), width: 12, of: ({ productId }) => productId },
      { kind: 'text', heading: t('stock.column.code'), width: 18, of: ({ code }) => code },
      { kind: 'text', heading: t('stock.column.name'), width: 44, of: (line) => line.name },
      { kind: 'number', heading: t('stocktakes.column.quantity'), width: 12, of: ({ quantity }) => quantity },
      { kind: 'text', heading: t('files.column.unit'), width: 8, of: ({ unit }) => unit },
      { kind: 'number', heading: t('stocktakes.column.figure'), width: 12, of: ({ figure }) => figure },
      { kind: 'moment', heading: t('stock.column.asOf'), width: 20, of: ({ figureAsOf }) => figureAsOf },
      { kind: 'number', heading: t('stocktakes.column.age'), width: 14, of: ageOf },
      { kind: 'number', heading: t('stocktakes.column.difference'), width: 12, of: differenceOf },
      {
        kind: 'text',
        heading: t('stocktakes.column.state'),
        width: 20,
        of: ({ state }) => t(`stocktakes.state.${state}`),
      },
      { kind: 'moment', heading: t('stocktakes.column.countedAt'), width: 20, of: ({ countedAt }) => countedAt },
      { kind: 'text', heading: t('stocktakes.column.countedBy'), width: 30, of: ({ countedBy }) => countedBy },
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
