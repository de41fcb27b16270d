import type { ReactElement } from 'react';
import type { ReadBatches } from '../../app/contract/details.ts';
import { useWords } from '../stores/context.tsx';
import { batchesNear, formatDay, nearDays, nearnessOf, unreadBatches } from '../formats/batches.ts';
import { formatNumber } from '../formats/numbers.ts';
import { ageInWords } from '../formats/times.ts';
import { formatAmount } from '../formats/units.ts';
import { useNow } from '../dom/clock.ts';
import { NearnessSign, NearnessWords } from '../ui/nearness-mark.tsx';

/** More than these are counted; the details list all. */
const maxShown = 3;

interface ExpirySoonProps {
  readonly answer: ReadBatches;
  readonly unit: string | null;
}

/** A short list, or one line that nothing is near; `unit` is the card's, in case the answer names none. */
export function ExpirySoon({ answer, unit }: ExpirySoonProps): ReactElement | null {
  const { t, language } = useWords();
  const now = useNow();
  const dated = answer.batches.some(({ expiresOn }) => expiresOn !== null);
  const near = batchesNear(answer, now);
  const age = t('lookup.expiry.asOf', { age: ageInWords(answer.asOf, now, t, language) });
  const unread = unreadBatches(answer, t, language);
  if (near.length === 0) {
    if (unread !== null) {
      return <p className="card-expiry hint">{unread}</p>;
    }
    // Of those that were not read nobody knows how near they are.
    return dated && answer.total === answer.batches.length ? (
      <p className="card-expiry hint">
        {t('lookup.expiry.none', { count: nearDays })} {age}
      </p>
    ) : null;
  }
  return (
    <section className="card-expiry" aria-label={t('lookup.expiry.title')}>
      <h3>
        {t('lookup.expiry.title')} <span className="expiry-age">{age}</span>
      </h3>
      <ul className="expiry-list">
        {near.slice(0, maxShown).map(({ day, lot, quantity }, index) => {
          const nearness = nearnessOf(day, now);
          const amount = quantity === null ? null : formatAmount(quantity, answer.product.unit ?? unit, language);
          return (
            <li key={`${day}-${index}`} data-nearness={nearness.kind}>
              <NearnessSign {...nearness} />
              <span>
                <strong>
                  <NearnessWords {...nearness} />
                </strong>
                <span className="expiry-facts">
                  {[amount, formatDay(day, language), lot === null ? null : t('lookup.details.lot', { lot })]
                    .filter((fact) => fact !== null)
                    .join(' · ')}
                </span>
              </span>
            </li>
          );
        })}
      </ul>
      {near.length > maxShown && (
        <p className="hint">
          {t('lookup.expiry.more', {
            count: near.length - maxShown,
            formatted: formatNumber(near.length - maxShown, language),
          })}
        </p>
      )}
      {unread !== null && <p className="hint">{unread}</p>}
    </section>
  );
}
