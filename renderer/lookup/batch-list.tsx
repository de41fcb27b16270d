import { useState, type ReactElement } from 'react';
import type { ProductBatch, ProductBatches } from '../../app/contract/batches.ts';
import { maxBatches } from '../../app/contract/limits/batches.ts';
import { useWords } from '../stores/context.tsx';
import {
  formatBatchFact,
  formatDay,
  knownField,
  markOf,
  nearnessOf,
  otherFacts,
  unreadBatches,
} from '../formats/batches.ts';
import { formatNumber } from '../formats/numbers.ts';
import { formatQuantity, formatUnit } from '../formats/units.ts';
import { useNow } from '../dom/clock.ts';
import { NearnessSign, NearnessWords } from '../ui/nearness-mark.tsx';
import { NumberText } from '../ui/number-text.tsx';

const shownAtFirst = 20;

/** The day, and how near it is when it is near. */
function Expiry({ expiresOn }: { readonly expiresOn: ProductBatch['expiresOn'] }): ReactElement {
  const { t, language } = useWords();
  const now = useNow();
  if (expiresOn === null) {
    return <p className="batch-expiry">{t('lookup.details.noExpiry')}</p>;
  }
  const nearness = nearnessOf(expiresOn.day, now);
  return (
    <p className="batch-expiry" data-nearness={nearness.kind}>
      <span title={expiresOn.name}>{formatDay(expiresOn.day, language)}</span>
      {nearness.kind !== 'later' && (
        <strong className="batch-mark">
          <NearnessSign {...nearness} /> <NearnessWords {...nearness} />
        </strong>
      )}
    </p>
  );
}

/** A word for a common field, and the platform's own name for any other. */
function useFieldName(): (name: string) => string {
  const { t } = useWords();
  return (name) => {
    const field = knownField(name);
    return field === null ? name : t(`lookup.details.field.${field}`);
  };
}

function Batch({ batch, unit }: { readonly batch: ProductBatch; readonly unit: string | null }): ReactElement {
  const { t, language } = useWords();
  const nameOf = useFieldName();
  const { lot, quantity, expiresOn } = batch;
  const mark = lot === null ? markOf(batch) : null;
  return (
    <li className="batch">
      <p className="batch-lot">
        {lot !== null && <span title={lot.name}>{t('lookup.details.lot', { lot: lot.text })}</span>}
        {mark !== null && t('lookup.details.batch', { mark: formatBatchFact(mark, language) })}
        {lot === null && mark === null && t('lookup.details.noLot')}
      </p>
      {quantity !== null && (
        <p className="batch-quantity" title={quantity.name}>
          <NumberText text={formatQuantity(quantity.amount, unit, language)} />{' '}
          <span className="quantity-unit">{formatUnit(unit, quantity.amount, language)}</span>
        </p>
      )}
      <Expiry expiresOn={expiresOn} />
      <dl className="batch-facts">
        {otherFacts(batch)
          .filter((fact) => fact !== mark)
          .map((fact, index) => (
            <div key={`${fact.name}-${index}`}>
              <dt title={fact.name}>{nameOf(fact.name)}</dt>
              <dd>{formatBatchFact(fact, language)}</dd>
            </div>
          ))}
      </dl>
    </li>
  );
}

interface BatchListProps {
  readonly answer: ProductBatches;
  readonly unit: string | null;
}

/** The batches of one answer; `unit` is the card's, in case the answer names none. */
export function BatchList({ answer, unit }: BatchListProps): ReactElement {
  const { t, language } = useWords();
  const [isWhole, setWhole] = useState(false);
  const { batches, total } = answer;
  const unread = unreadBatches(answer, t, language);
  if (batches.length === 0) {
    return <p>{unread ?? t('lookup.details.noBatches')}</p>;
  }
  const shown = isWhole ? batches : batches.slice(0, shownAtFirst);
  return (
    <>
      <p className="hint">
        {t(batches.every(({ expiresOn }) => expiresOn === null) ? 'lookup.details.unsorted' : 'lookup.details.sorted')}
        {unread !== null && ` ${unread}`}
        {total > maxBatches && (
          <>
            {' '}
            {t('lookup.details.cut', {
              shown: formatNumber(batches.length, language),
              total: formatNumber(total, language),
            })}
          </>
        )}
      </p>
      <ol className="batches">
        {shown.map((batch, index) => (
          <Batch key={index} batch={batch} unit={answer.product.unit ?? unit} />
        ))}
      </ol>
      {shown.length < batches.length && (
        <button type="button" className="text-button" onClick={() => setWhole(true)}>
          {t('lookup.details.showAll', { count: batches.length, formatted: formatNumber(batches.length, language) })}
        </button>
      )}
    </>
  );
}
