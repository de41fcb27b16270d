// Owns the list of the several products that fit a part of a name or code. Never looks them up: it tells the lookup store which was chosen.
import type { KeyboardEvent, ReactElement } from 'react';
import type { LookupAnswer } from '../../app/contract/lookups.ts';
import type { ProductHit } from '../../app/contract/products.ts';
import { useLookup, usePlaceOfHit, useStockIds, useWords } from '../context.tsx';
import { countProducts } from '../formats/products.ts';
import { Age, Quantity } from './quantity.tsx';

/** Buttons that the arrow keys walk through. */
export function Several({ answer }: { readonly answer: Extract<LookupAnswer, { kind: 'several' }> }): ReactElement {
  const { t } = useWords();
  const open = useLookup((lookup) => lookup.open);
  const stockIds = useStockIds();
  const placeOf = usePlaceOfHit();
  const openHit = (hit: ProductHit): void => void open(hit, stockIds);
  // The same keys as in the suggestions; from the field's own arrow key one comes here.
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>): void => {
    const lines = [...document.querySelectorAll<HTMLElement>('.several .line-button')];
    const place = lines.indexOf(event.currentTarget);
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 && event.key !== 'Escape') {
      return;
    }
    event.preventDefault();
    const next = step === 0 ? undefined : lines[place + step];
    (next ?? document.querySelector<HTMLElement>('.finder-input'))?.focus();
  };
  const title = t('several.title', { count: countProducts(answer.hits) });
  return (
    <section className="panel several" aria-label={title}>
      <h2>{title}</h2>
      <ul className="lines">
        {answer.hits.map((hit) => (
          <li key={`${hit.stockId}-${hit.productId}`}>
            <button type="button" className="line line-button" onClick={() => openHit(hit)} onKeyDown={onKeyDown}>
              <span className="line-name">
                {hit.name}
                <span className="hit-code">{placeOf(hit)}</span>
              </span>
              <Age balance={hit.balance} isShort />
              <Quantity balance={hit.balance} unit={hit.unit} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
