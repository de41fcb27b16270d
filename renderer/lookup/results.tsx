import type { KeyboardEvent, ReactElement } from 'react';
import { maxHits } from '../../app/contract/limits.ts';
import type { LookupAnswer } from '../../app/contract/lookup.ts';
import { useLookup, useStockIds, useWords } from '../stores/context.tsx';
import { walkByArrows } from '../dom/focus.ts';
import { formatNumber } from '../formats/numbers.ts';
import { groupHits, type HitGroup } from '../formats/products.ts';
import { ProductLine } from './product-line.tsx';

/** "12 products found", or that there may be more than are listed. */
export function useSeveralTitle(): (answer: Extract<LookupAnswer, { kind: 'several' }>) => string {
  const { t } = useWords();
  return ({ hits }) => {
    const products = groupHits(hits).length;
    return hits.length < maxHits
      ? t('several.title', { count: products })
      : t('several.titleCut', { number: products });
  };
}

/** The same keys as in the suggestions; from the field's own arrow key one comes here. */
export function walkLines(event: KeyboardEvent<HTMLButtonElement>): void {
  if (event.key === 'Escape') {
    event.preventDefault();
    document.querySelector<HTMLElement>('.finder-input')?.focus();
  } else {
    walkByArrows(event, '.several .line-button', '.finder-input');
  }
}

/** Buttons that the arrow keys walk through. */
function Lines({ groups }: { readonly groups: readonly HitGroup[] }): ReactElement {
  const choose = useLookup((lookup) => lookup.choose);
  const stockIds = useStockIds();
  return (
    <ul className="lines">
      {groups.map((group) => (
        <li key={group.first.productId}>
          <button
            type="button"
            className="line line-button"
            onClick={() => void choose(group.first, stockIds)}
            onKeyDown={walkLines}
          >
            <ProductLine group={group} hasAges />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** What a typed text that was not found may have meant. */
export function Similar(): ReactElement | null {
  const { t } = useWords();
  const similar = useLookup((lookup) => lookup.similar);
  return similar.length === 0 ? null : (
    <section className="panel several" aria-label={t('miss.similar')}>
      <h2>{t('miss.similar')}</h2>
      <Lines groups={similar} />
    </section>
  );
}

/** Products to choose from. */
export function Several({ answer }: { readonly answer: Extract<LookupAnswer, { kind: 'several' }> }): ReactElement {
  const { t, language } = useWords();
  const title = useSeveralTitle()(answer);
  return (
    <section className="panel several" aria-label={title}>
      <h2>{title}</h2>
      {answer.read?.as === 'scaleLabel' && <p className="hint">{t(`several.${answer.read.doubt ?? 'scaleLabel'}`)}</p>}
      {answer.unreadAnswered !== undefined && (
        <p className="hint">{t('miss.unread', { unread: formatNumber(answer.unreadAnswered, language) })}</p>
      )}
      <Lines groups={groupHits(answer.hits)} />
    </section>
  );
}
