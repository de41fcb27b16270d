// Owns how one found product is shown: name, figure, age, stock by stock, options, coupon, codes. Never moves what is
// already on the screen when a newer figure comes: every line that may appear has its place.
import { Loader } from '@mantine/core';
import { useId, type ReactElement } from 'react';
import type { ProductCard } from '../../app/contract/contract.ts';
import { useLookup, useTerminal, useWords } from '../context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import type { ProductGroup } from '../formats/products.ts';
import { CouponSwitch } from './coupon-switch.tsx';
import { RefreshIcon } from './icons.tsx';
import { ProductBarcode } from './product-barcode.tsx';
import { ProductDetails } from './product-details.tsx';
import { Age, levelOf, Quantity, usePauseWords, useSourceOf } from './quantity.tsx';

/** The one line below the figure: what is happening with it just now. */
function FigureLine({ card }: { readonly card: ProductCard }): ReactElement {
  const { t } = useWords();
  const improvement = useLookup((lookup) => lookup.improvement);
  const failure = useLookup((lookup) => lookup.improvementFailure);
  const refresh = useLookup((lookup) => lookup.refresh);
  const isOffline = useTerminal((state) => state.connection.state === 'offline');
  const pause = usePauseWords();
  const sourceOf = useSourceOf();
  return (
    <div className="figure-line">
      <p className="figure-age">
        <span className="source-dot" data-source={isOffline ? 'offline' : sourceOf(card.balance)} />
        <Age balance={card.balance} />
        {!isOffline && (
          <button type="button" className="icon-button" aria-label={t('card.refresh')} title={t('card.refresh')} disabled={improvement === 'refreshing'} onClick={() => void refresh()}>
            <RefreshIcon size={22} />
          </button>
        )}
      </p>
      <p className="figure-note">
        {improvement === 'refreshing' ? (
          <>
            <Loader size={16} /> {pause ?? t('card.refreshing')}
          </>
        ) : isOffline ? (
          t('card.offline')
        ) : failure !== null ? (
          <>
            {t('card.kept')} {t(`failure.${failure.kind}.says`)}
          </>
        ) : null}
      </p>
    </div>
  );
}

function OtherStocks({ cards }: { readonly cards: readonly ProductCard[] }): ReactElement {
  const { t } = useWords();
  return (
    <section className="card-part">
      <h3>{t('card.stocks')}</h3>
      <ul className="lines">
        {cards.map((card) => (
          <li key={card.stockId} className="line">
            <span className="line-name">{card.stockName ?? t('header.stock', { id: card.stockId })}</span>
            <Age balance={card.balance} isShort />
            <Quantity balance={card.balance} unit={card.unit} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Options({ card }: { readonly card: ProductCard }): ReactElement {
  const { t, language } = useWords();
  return (
    <section className="card-part">
      <h3>{t('card.options')}</h3>
      <ul className="chips">
        {card.options.map((option, index) => (
          <li key={`${option.name}-${index}`} className="chip" data-level={levelOf(option.amount)}>
            <span>{option.name}</span> <strong>{option.amount === null ? '\u2013' : formatNumber(option.amount, language)}</strong>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A region named after the product. */
export function ResultCard({ group, isFirst }: { readonly group: ProductGroup; readonly isFirst: boolean }): ReactElement {
  const { t } = useWords();
  const titleId = useId();
  const { first, cards } = group;
  const scanned = useLookup((lookup) => (lookup.answer?.kind === 'found' ? lookup.answer.text : ''));
  const level = levelOf(first.balance.amount);
  const codes = [...(first.code === null ? [] : [{ name: t('card.code'), value: first.code }]), ...first.barcodes.map((value) => ({ name: t('card.barcode'), value }))];
  return (
    <section className="panel card" aria-labelledby={titleId}>
      <header className="card-head">
        <h2 id={titleId} className="card-name">
          {first.name}
        </h2>
        <ul className="codes">
          {codes.map(({ name, value }) => (
            <li key={`${name}-${value}`}>
              {name} <span className="mono">{value}</span>
            </li>
          ))}
        </ul>
      </header>
      <div className="figure">
        <p className="figure-stock" data-level={level}>
          {first.stockName ?? t('header.stock', { id: first.stockId })}
          {(level === 'none' || level === 'negative') && <strong className="level"> · {t(`card.${level}`)}</strong>}
        </p>
        <p className="figure-number">
          <Quantity balance={first.balance} unit={first.unit} />
        </p>
        <FigureLine card={first} />
      </div>
      <div className="card-coupon">
        <CouponSwitch productId={group.productId} coupon={first.coupon} />
      </div>
      <ProductDetails group={group} isFirst={isFirst} />
      {codes.length > 0 && <ProductBarcode key={scanned} card={first} scanned={scanned} />}
      {cards.length > 1 && <OtherStocks cards={cards.slice(1)} />}
      {first.options.length > 0 && <Options card={first} />}
      {first.extra.length > 0 && (
        <details className="card-part extra">
          <summary>{t('card.extra', { count: first.extra.length })}</summary>
          <dl>
            {first.extra.map((field, index) => (
              <div key={`${field.name}-${index}`}>
                <dt>{field.name}</dt>
                <dd>{field.value}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </section>
  );
}
