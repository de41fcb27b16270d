import type { ReactElement } from 'react';
import type { ExpiringRow } from '../../app/contract/expiring.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useNow } from '../dom/clock.ts';
import { formatDay } from '../formats/batches.ts';
import { formatFullMoment, formatMoment } from '../formats/times.ts';
import { formatAmount } from '../formats/units.ts';
import { useStockOfHit, useWords } from '../stores/context.tsx';
import { Printed } from '../ui/printed.tsx';

interface PrintedBatchesProps {
  readonly rows: readonly ExpiringRow[];
  /** Of how much of the stock the list speaks. */
  readonly coverage: string;
  /** As of `Printed`. */
  readonly onDone: (failure: Failure | null) => void;
}

/** The list on paper. */
export function PrintedBatches({ rows, coverage, onDone }: PrintedBatchesProps): ReactElement {
  const { t, language } = useWords();
  const now = useNow();
  const stockOf = useStockOfHit();
  const write = (amount: number | null, unit: string | null): string => formatAmount(amount, unit, language);
  return (
    <Printed className="expiring-paper" onDone={onDone}>
      <h1>{t('expiring.tab')}</h1>
      <p>{t('expiring.paperAsOf', { moment: formatFullMoment(now, language) })}</p>
      <p>
        {coverage} {t('expiring.check')}
      </p>
      <table>
        <thead>
          <tr>
            <th>{t('expiring.column.day')}</th>
            <th>{t('stock.column.code')}</th>
            <th>{t('stock.column.name')}</th>
            <th>{t('expiring.column.lot')}</th>
            <th>{t('expiring.column.quantity')}</th>
            <th>{t('stock.column.balance')}</th>
            <th>{t('expiring.column.askedAt')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ hit, day, lot, quantity, askedAt }, place) => (
            <tr key={place}>
              <td>{formatDay(day, language)}</td>
              <td>{hit.code}</td>
              <td>{[hit.name, stockOf(hit)].filter((part) => part !== null).join(' · ')}</td>
              <td>{lot}</td>
              <td>{write(quantity, hit.unit)}</td>
              <td>{write(hit.balance.amount, hit.unit)}</td>
              <td>{formatMoment(askedAt, now, language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Printed>
  );
}
