import type { ReactElement } from 'react';
import { useStockOfHit, useWords } from '../stores/context.tsx';
import type { HitGroup } from '../formats/products.ts';
import { numberedLines } from '../dom/number-choice.ts';
import { KeyCap } from '../ui/keys.tsx';
import { OldAge, Quantity } from '../ui/quantity.tsx';

/** Of more stocks than one above this, the first are shown; the card tells all. */
const maxStocks = 3;

interface ProductLineProps {
  readonly group: HitGroup;
  readonly hasAges?: boolean;
  /** Its place in a list of which a digit chooses, from 0 on; null in others. */
  readonly place?: number | null;
}

/** Stands in a button or an option; in a list that is read, an old figure has its age. */
export function ProductLine({ group: { first, hits }, hasAges = false, place = null }: ProductLineProps): ReactElement {
  const { t } = useWords();
  const stockOf = useStockOfHit();
  const shown = hits.length > maxStocks + 1 ? hits.slice(0, maxStocks) : hits;
  const more = hits.length - shown.length;
  return (
    <>
      <span className="line-name" data-numbered={place !== null}>
        {place !== null && place < numberedLines && (
          <span className="line-number">
            <KeyCap name={String(place + 1)} />
          </span>
        )}
        {first.name}
        {first.code !== null && <span className="line-code">{first.code}</span>}
      </span>{' '}
      <span className="line-figures" data-ages={hasAges}>
        {shown.map((hit) => (
          <span key={hit.stockId} className="line-figure">
            {/* Apart from the figure: a stock may be called by its number alone. */}
            <span className="hint">
              {stockOf(hit)}
              <span className="visually-hidden">: </span>
            </span>{' '}
            {hasAges && <OldAge balance={hit.balance} />} <Quantity balance={hit.balance} unit={hit.unit} />
          </span>
        ))}
        {more > 0 && <span className="line-more hint">{t('ui.copy.moreStocks', { count: more })}</span>}
      </span>
    </>
  );
}
