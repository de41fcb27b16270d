import type { ReactElement, ReactNode } from 'react';
import type { LookupAnswer } from '../../app/contract/lookup.ts';
import {
  useExpiry,
  useBlockedBy,
  useLookup,
  useStockIds,
  useStockName,
  useStores,
  useTerminal,
  useWords,
} from '../stores/context.tsx';
import { walkByArrows } from '../dom/focus.ts';
import { useNumberChoice } from '../dom/number-choice.ts';
import { formatNumber } from '../formats/numbers.ts';
import {
  asksWhich,
  groupCards,
  groupHits,
  type HitGroup,
  type ProductGroup,
  type Question,
} from '../formats/products.ts';
import { cutText } from '../formats/texts.ts';
import { Asking } from '../lookup/asking.tsx';
import { CodeRead } from '../lookup/code-read.tsx';
import { LabelChoice } from '../lookup/label-choice.tsx';
import { ExpirySoon } from '../lookup/expiry-soon.tsx';
import { FailureText } from '../ui/failure-text.tsx';
import { CouponButton } from '../coupons/coupon-switch.tsx';
import { CopyingIcon, HelpIcon, UnreadableIcon, WarningIcon } from '../ui/icons.tsx';
import { ProductLine } from '../lookup/product-line.tsx';
import { Age, levelOf, Quantity, useSourceOf } from '../ui/quantity.tsx';
import { ShownFields } from '../ui/shown-fields.tsx';
import { ChosenOf, useSeveralTitle, WhyAsked } from '../lookup/results.tsx';
import { shownCharacters, useDoubts, useWhyUnknown } from '../lookup/spoken-answer.ts';

/** The bar has room for so many. */
const maxFields = 2;
/** More products than this are for the window's list. */
const maxProducts = 5;

function Product({ group }: { readonly group: ProductGroup }): ReactElement {
  const { t, language } = useWords();
  const { bridge } = useStores();
  const nameOf = useStockName();
  const { first, cards } = group;
  const canAsk = useBlockedBy() === null;
  const sourceOf = useSourceOf();
  const batches = useExpiry(({ card, batches: read }) =>
    card?.productId === first.productId && card.stockId === first.stockId ? read : null,
  );
  const level = levelOf(first.balance.amount);
  return (
    <section className="bar-product" aria-label={first.name}>
      <h2>{first.name}</h2>
      <div className="bar-figure">
        <Quantity balance={first.balance} unit={first.unit} />
        <p className="bar-stock" data-level={level}>
          {nameOf(first.stockId, first.stockName)}
          {(level === 'none' || level === 'negative') && <strong className="level">{t(`lookup.card.${level}`)}</strong>}
        </p>
      </div>
      <p className="line-2">
        <span className="source-dot" data-source={canAsk ? sourceOf(first.balance) : 'offline'} />
        <Age balance={first.balance} />
      </p>
      <CouponButton
        productId={group.productId}
        coupon={first.coupon}
        lockedAdvice={t('companion.locked')}
        toSignIn={() => void bridge.call('window:show', {})}
      />
      <ShownFields fields={first.fields} place="bar" most={maxFields} />
      {cards.length > 1 && (
        <ul className="bar-lines" aria-label={t('lookup.card.stocks')}>
          {cards.slice(1).map((card) => (
            <li key={card.stockId} className="bar-line stack-4">
              <span className="line-name">{nameOf(card.stockId, card.stockName)}</span>
              <Age balance={card.balance} isShort />
              <Quantity balance={card.balance} unit={card.unit} />
            </li>
          ))}
        </ul>
      )}
      {first.options.length > 0 && (
        <ul className="chips wrap" aria-label={t('lookup.card.options')}>
          {first.options.map((option, index) => (
            <li key={`${option.name}-${index}`} className="chip" data-level={levelOf(option.amount)}>
              <span>{option.name}</span>{' '}
              <strong>{option.amount === null ? '\u2013' : formatNumber(option.amount, language)}</strong>
            </li>
          ))}
        </ul>
      )}
      {batches !== null && <ExpirySoon answer={batches} unit={first.unit} />}
    </section>
  );
}

interface MissProps {
  readonly kind: 'unknown' | 'notCopied' | 'unreadable' | 'failed';
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

function Miss({ kind, icon, title, text, children }: MissProps): ReactElement {
  return (
    <section className="bar-miss stack-4" data-kind={kind} aria-label={title}>
      <span className="miss-icon">{icon}</span>
      <div>
        <h2>{title}</h2>
        {text !== '' && <p className="mono">{cutText(text, shownCharacters)}</p>}
        {children}
      </div>
    </section>
  );
}

interface ProductsProps {
  readonly title: string;
  readonly products: readonly HitGroup[];
  /** The question of a code that names all of them, where a digit chooses one; others are opened. */
  readonly asking?: Question | null;
}

function Products({ title, products, asking = null }: ProductsProps): ReactElement {
  const { t, language } = useWords();
  const isAsking = asking !== null;
  const take = useLookup((lookup) => (isAsking ? lookup.choose : lookup.open));
  const stockIds = useStockIds();
  const shown = products.slice(0, maxProducts);
  const more = products.length - shown.length;
  const choose = (product: HitGroup | undefined): void => {
    if (product !== undefined) {
      void take(product.first, stockIds);
    }
  };
  useNumberChoice(shown.length, isAsking ? (place) => choose(shown[place]) : null);
  return (
    <section className="bar-product" aria-label={title} data-asks={isAsking ? '' : undefined}>
      <h2>{title}</h2>
      {isAsking && products.length > 1 && <p>{t('lookup.several.which')}</p>}
      <ul className="bar-lines">
        {shown.map((product, place) => (
          <li key={product.first.productId}>
            <button
              type="button"
              className="bar-line bar-hit stack-4"
              aria-keyshortcuts={isAsking ? String(place + 1) : undefined}
              onClick={() => choose(product)}
              onKeyDown={(event) => walkByArrows(event, '.bar-hit', '.bar-field')}
            >
              <ProductLine group={product} place={isAsking ? place : null} />
            </button>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className="hint">{t('companion.more', { count: more, formatted: formatNumber(more, language) })}</p>
      )}
      <WhyAsked read={asking?.read} />
    </section>
  );
}

/** Products that begin like the text that is being typed. */
export function CompanionSuggestions(): ReactElement {
  const { t } = useWords();
  const suggestions = useLookup((lookup) => lookup.suggestions);
  return <Products title={t('lookup.suggestions')} products={suggestions} />;
}

function Similar(): ReactElement | null {
  const { t } = useWords();
  const similar = useLookup((lookup) => lookup.similar);
  return similar.length === 0 ? null : <Products title={t('lookup.miss.similar')} products={similar} />;
}

/** The answer of the newest scan; the caller has made sure that there is one. */
export function CompanionAnswer({ answer }: { readonly answer: LookupAnswer }): ReactElement {
  const { t, language } = useWords();
  const stockIds = useStockIds();
  const chosenStockId = useLookup((lookup) => lookup.chosenStockId);
  const catalogue = useTerminal((state) => state.catalogue);
  const severalTitle = useSeveralTitle();
  const doubts = useDoubts();
  const whyUnknown = useWhyUnknown();
  switch (answer.kind) {
    case 'found': {
      const group = groupCards(answer.cards, stockIds, chosenStockId);
      return (
        <>
          <ChosenOf />
          <CodeRead read={answer.read} />
          {answer.read?.chosenAt !== undefined && <LabelChoice at={answer.read.chosenAt} />}
          {group !== null && <Product group={group} />}
        </>
      );
    }
    case 'several':
      return (
        <Products
          title={severalTitle(answer)}
          products={groupHits(answer.hits)}
          asking={asksWhich(answer) ? answer : null}
        />
      );
    case 'unknown':
      return (
        <>
          <Miss kind="unknown" icon={<HelpIcon size={36} />} title={t('lookup.miss.unknown.title')} text={answer.text}>
            <CodeRead read={answer.read} />
            {doubts(answer).map((doubt) => (
              <p key={doubt}>{doubt}</p>
            ))}
            <Asking answer={answer} why={whyUnknown(answer)} />
          </Miss>
          <Similar />
        </>
      );
    case 'notCopied': {
      const [copied, total] = [Math.max(catalogue.copied, answer.copied), catalogue.total ?? answer.total];
      return (
        <>
          <Miss
            kind="notCopied"
            icon={<CopyingIcon size={36} />}
            title={t('lookup.miss.notCopied.title')}
            text={answer.text}
          >
            <CodeRead read={answer.read} />
            <p>
              {t('lookup.miss.notCopied.text')}{' '}
              {total !== null && (
                <span className="bar-copied">
                  {t('ui.copy.of', { copied: formatNumber(copied, language), total: formatNumber(total, language) })}
                </span>
              )}
            </p>
            <Asking answer={answer} />
          </Miss>
          <Similar />
        </>
      );
    }
    case 'unreadable':
      return (
        <Miss
          kind="unreadable"
          icon={<UnreadableIcon size={36} />}
          title={t('lookup.miss.unreadable.title')}
          text={answer.text}
        >
          <p>{t(`lookup.miss.unreadable.${answer.why}`, { about: answer.about ?? '' })}</p>
          {answer.why === 'checkDigit' && <Asking answer={answer} />}
        </Miss>
      );
  }
}

/** That nothing could be looked up, and why. */
export function CompanionFailure(): ReactElement | null {
  const { t } = useWords();
  const failure = useLookup((lookup) => lookup.failure);
  return failure === null ? null : (
    <Miss kind="failed" icon={<WarningIcon size={36} />} title={t('lookup.miss.failed')} text="">
      <FailureText failure={failure} hasHelp={false} />
    </Miss>
  );
}
