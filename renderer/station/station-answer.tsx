import type { TFunction } from 'i18next';
import type { ReactElement } from 'react';
import type { Language } from '../../app/contract/basics.ts';
import type { StationProduct, StationStock } from '../../app/contract/station.ts';
import { useNow } from '../dom/clock.ts';
import { formatMoment, isOldFigure } from '../formats/times.ts';
import { formatAmount } from '../formats/units.ts';
import { useWords } from '../stores/context.tsx';
import { FieldList } from '../ui/shown-fields.tsx';
import { CheckIcon, HelpIcon, UnreadableIcon, WarningIcon } from '../ui/icons.tsx';
import type { StationShown } from './station-store.ts';

/** Describes a product's stock. */
function stockWords(stock: StationStock, t: TFunction, language: Language): string {
  return stock.kind === 'figure'
    ? t('station.stock.figure', { figure: formatAmount(stock.amount, stock.unit, language) })
    : t(`station.stock.${stock.kind}`);
}

const stockIcons = { inStock: CheckIcon, figure: CheckIcon, few: WarningIcon, askUs: HelpIcon } as const;

function Stock({ stock, size }: { readonly stock: StationStock; readonly size: number }): ReactElement {
  const { t, language } = useWords();
  const Icon = stockIcons[stock.kind];
  return (
    <p className="station-stock" data-stock={stock.kind}>
      <Icon size={size} />
      <strong>{stockWords(stock, t, language)}</strong>
    </p>
  );
}

/** The age, once the copy is so old that it matters. */
function Old({ asOf }: Pick<StationProduct, 'asOf'>): ReactElement | null {
  const { t, language } = useWords();
  const now = useNow();
  return asOf === null || !isOldFigure(asOf, now) ? null : (
    <p className="station-old">{t('station.asOf', { moment: formatMoment(asOf, now, language) })}</p>
  );
}

function Product({ product }: { readonly product: StationProduct }): ReactElement {
  const { name, code, stock, fields, asOf } = product;
  return (
    <section className="stack-4" aria-label={name}>
      <h2>{name}</h2>
      {code !== null && <p className="station-code mono">{code}</p>}
      <Stock stock={stock} size={56} />
      <Old asOf={asOf} />
      <FieldList fields={fields} className="station-fields" />
    </section>
  );
}

/** Several products that share a code. */
function Products({ products }: { readonly products: readonly StationProduct[] }): ReactElement {
  const { t } = useWords();
  return (
    <ul className="station-products stack-4" aria-label={t('station.several')}>
      {products.map((product, place) => (
        <li key={place}>
          <h2>{product.name}</h2>
          <Stock stock={product.stock} size={32} />
          <Old asOf={product.asOf} />
        </li>
      ))}
    </ul>
  );
}

function Note({ kind }: { readonly kind: 'askUs' | 'pieces' }): ReactElement {
  const { t } = useWords();
  return (
    <section className="station-note" data-kind={kind} aria-label={t(`station.${kind}.title`)}>
      {kind === 'askUs' ? <HelpIcon size={112} /> : <UnreadableIcon size={112} />}
      <h2>{t(`station.${kind}.title`)}</h2>
      <p>{t(`station.${kind}.text`)}</p>
    </section>
  );
}

/** The answer for a customer. */
export function StationAnswer({ shown }: { readonly shown: StationShown }): ReactElement {
  if (shown.kind !== 'found') {
    return <Note kind={shown.kind} />;
  }
  const [first, ...others] = shown.products;
  return first === undefined || others.length > 0 ? (
    <Products products={shown.products} />
  ) : (
    <Product product={first} />
  );
}

/** The same in one sentence, to be read out. */
export function spokenStation(shown: StationShown | null, t: TFunction, language: Language): string {
  if (shown === null) {
    return '';
  }
  return shown.kind === 'found'
    ? shown.products.map(({ name, stock }) => `${name}: ${stockWords(stock, t, language)}.`).join(' ')
    : `${t(`station.${shown.kind}.title`)}. ${t(`station.${shown.kind}.text`)}`;
}
