import { memo, type ReactElement } from 'react';
import { isCopied } from '../../app/contract/copied.ts';
import type { ProductHit } from '../../app/contract/products.ts';
import { useNow } from '../dom/clock.ts';
import { formatDay, nearnessOf } from '../formats/batches.ts';
import { ageInWords } from '../formats/times.ts';
import { formatAmount } from '../formats/units.ts';
import { useStockOfHit, useTerminal, useWords } from '../stores/context.tsx';
import { NearnessSign, NearnessWords } from '../ui/nearness-mark.tsx';
import { Age, Quantity } from '../ui/quantity.tsx';
import type { ListedBatch } from './expiring-list-store.ts';

interface BatchRowProps {
  readonly row: ListedBatch;
  readonly onOpen: (hit: ProductHit) => void;
}

/** A batch with its day, its product, what the platform said of it and what is in stock. */
export const BatchRow = memo(function BatchRow({ row, onOpen }: BatchRowProps): ReactElement {
  const { t, language } = useWords();
  const now = useNow();
  const stockOf = useStockOfHit();
  const isWhole = useTerminal(({ catalogue }) => isCopied(catalogue.stocks));
  if (row === null) {
    return <p className="row expiring-gone">{t(isWhole ? 'stock.gone' : 'expiring.notCopied')}</p>;
  }
  const { hit, day, quantity, lot, askedAt } = row;
  const nearness = nearnessOf(day, now);
  const facts = [
    hit.code,
    stockOf(hit),
    lot === null ? null : t('lookup.details.lot', { lot }),
    quantity === null
      ? t('expiring.noAmount')
      : t('expiring.ofBatch', { amount: formatAmount(quantity, hit.unit, language) }),
  ].filter((fact) => fact !== null && fact !== '');
  return (
    <button
      type="button"
      className="row row-button expiring-row"
      data-nearness={nearness.kind}
      onClick={() => onOpen(hit)}
    >
      <span className="expiring-day">
        <NearnessSign {...nearness} />
        <span>
          <strong>
            <NearnessWords {...nearness} />
          </strong>
          <span className="row-sub">{formatDay(day, language)}</span>
        </span>
      </span>
      <span className="row-main">
        <span className="row-title">{hit.name}</span>
        <span className="row-sub">{facts.join(' · ')}</span>
      </span>
      <span className="expiring-stock">
        <span>
          <span className="row-sub">{t('expiring.inStock')}</span> <Quantity balance={hit.balance} unit={hit.unit} />
        </span>
        <span className="row-sub">
          <Age balance={hit.balance} isShort />
        </span>
        <span className="row-sub">{t('expiring.asked', { age: ageInWords(askedAt, now, t, language) })}</span>
      </span>
    </button>
  );
});
