import type { ReactElement } from 'react';
import { useWords } from '../stores/context.tsx';
import type { ProductGroup } from '../formats/products.ts';
import { ProductLine } from './product-line.tsx';
import { walkLines } from './results.tsx';

/** The card that belongs to a line, and its name, which the keyboard is led to. */
export const cardIdOf = ({ productId }: ProductGroup): string => `card-${productId}`;

function leadTo(group: ProductGroup): void {
  const card = document.getElementById(cardIdOf(group));
  card?.scrollIntoView({ block: 'start' });
  card?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
}

/** All of them are seen at once, before the first one's card can pass for the answer. */
export function SharedCode({ groups }: { readonly groups: readonly ProductGroup[] }): ReactElement {
  const { t } = useWords();
  const title = t('card.shared', { count: groups.length });
  return (
    <section className="panel several shared" aria-label={title}>
      <h2>{title}</h2>
      <ul className="lines">
        {groups.map((group) => (
          <li key={group.productId}>
            <button type="button" className="line line-button" onClick={() => leadTo(group)} onKeyDown={walkLines}>
              <ProductLine group={{ first: group.first, hits: group.cards }} hasAges />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
