import { useId, type ReactElement } from 'react';
import { useDetails, useExpiry, useLookup, useWords } from '../stores/context.tsx';
import type { ProductGroup } from '../formats/products.ts';
import { CouponButton } from '../coupons/coupon-switch.tsx';
import { ExpirySoon } from './expiry-soon.tsx';
import { Figure } from './figure.tsx';
import { LabelButton } from './product-barcode.tsx';
import { ProductDetails } from './product-details.tsx';
import { ShownFields } from '../ui/shown-fields.tsx';
import { Options, OtherStocks } from './stock-figures.tsx';

/** A longer name is written smaller, so that it never pushes the figure out of sight. */
function lengthOf(name: string): 'short' | 'long' | 'longest' {
  if (name.length <= 44) {
    return 'short';
  }
  return name.length <= 90 ? 'long' : 'longest';
}

/** The platform's last word on the batches that expire soon, unless the details below show it all. */
function Expiry({ group: { first } }: { readonly group: ProductGroup }): ReactElement | null {
  const isOpen = useDetails((details) => details.productId === first.productId);
  const batches = useExpiry((expiry) =>
    expiry.card?.productId === first.productId && expiry.card.stockId === first.stockId ? expiry.batches : null,
  );
  return batches === null || isOpen ? null : <ExpirySoon answer={batches} unit={first.unit} />;
}

/** A region named after the product, to which the keys of the answer belong. */
export function ResultCard({ group }: { readonly group: ProductGroup }): ReactElement {
  const { t } = useWords();
  const titleId = useId();
  const { first, cards } = group;
  const scanned = useLookup((lookup) => (lookup.answer?.kind === 'found' ? lookup.answer.text : ''));
  const improvement = useLookup((lookup) => lookup.improvement);
  const failure = useLookup((lookup) => lookup.improvementFailure);
  const refresh = useLookup((lookup) => lookup.refresh);
  const codes = [
    ...(first.code === null ? [] : [{ name: t('lookup.card.code'), value: first.code }]),
    ...first.barcodes.map((value) => ({ name: t('lookup.card.barcode'), value })),
  ];
  return (
    <section className="panel card" aria-labelledby={titleId}>
      <div className="card-main stack-3">
        <header>
          <h2 id={titleId} className="card-name" data-length={lengthOf(first.name)}>
            {first.name}
          </h2>
          <ul className="codes">
            {codes.map(({ name, value }) => (
              <li key={`${name}-${value}`}>
                {name} <span className="mono">{value}</span>
              </li>
            ))}
          </ul>
          <ShownFields fields={first.fields} place="card" />
        </header>
        <Figure card={first} improvement={improvement} failure={failure} refresh={refresh} />
      </div>
      {/* The buttons stand above all that may come late, so that nobody's finger misses it. */}
      <CouponButton productId={group.productId} coupon={first.coupon} />
      <ProductDetails group={group} scanned={scanned}>
        {codes.length > 0 && <LabelButton card={first} scanned={scanned} />}
      </ProductDetails>
      <div className="card-more">
        <Expiry group={group} />
        {cards.length > 1 && <OtherStocks cards={cards.slice(1)} />}
        {first.options.length > 0 && <Options options={first.options} />}
        {first.extra.length > 0 && (
          <details className="card-part extra">
            <summary>{t('lookup.card.extra', { count: first.extra.length })}</summary>
            <dl>
              {first.extra.map((field, index) => (
                <div key={`${field.name}-${index}`}>
                  <dt className="hint">{field.name}</dt>
                  <dd>{field.value}</dd>
                </div>
              ))}
            </dl>
          </details>
        )}
      </div>
    </section>
  );
}
