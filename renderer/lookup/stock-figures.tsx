import type { ReactElement } from 'react';
import type { ProductCard } from '../../app/contract/products.ts';
import { useStockName, useWords } from '../stores/context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import { NumberText } from '../ui/number-text.tsx';
import { Age, levelOf, Quantity } from '../ui/quantity.tsx';

/** The same product in other stocks, each with its figure and its age. */
export function OtherStocks({ cards }: { readonly cards: readonly ProductCard[] }): ReactElement {
  const { t } = useWords();
  const nameOf = useStockName();
  return (
    <section className="card-part">
      <h3>{t('lookup.card.stocks')}</h3>
      <ul className="lines stock-fields">
        {cards.map((card) => (
          <li key={card.stockId} className="stock-field" data-level={levelOf(card.balance.amount)}>
            <span className="line-name">
              {nameOf(card.stockId, card.stockName)}
              <span className="visually-hidden">: </span>
            </span>
            <span className="stock-field-figure">
              <Quantity balance={card.balance} unit={card.unit} /> <Age balance={card.balance} isShort />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Each option with its figure, in the listing's order. */
export function Options({ options }: { readonly options: ProductCard['options'] }): ReactElement {
  const { t, language } = useWords();
  return (
    <section className="card-part">
      <h3>{t('lookup.card.options')}</h3>
      <ul className="option-fields stack-2">
        {options.map((option, index) => (
          <li key={`${option.name}-${index}`} className="chip option-field" data-level={levelOf(option.amount)}>
            <span>{option.name}</span>{' '}
            <strong>
              {option.amount === null ? '\u2013' : <NumberText text={formatNumber(option.amount, language)} />}
            </strong>
          </li>
        ))}
      </ul>
    </section>
  );
}
