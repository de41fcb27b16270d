import { useState, type ReactElement } from 'react';
import type { ProductCard } from '../../app/contract/products.ts';
import { formatQuantity } from '../formats/units.ts';
import { useIsSignedIn, useWords } from '../stores/context.tsx';
import { LockSign } from '../ui/lock-sign.tsx';
import { MinimumDialog } from './minimum-dialog.tsx';

/** The product's minimum in the stock that its figure is of, and the way to set it; words alone without a sign-in. */
export function MinimumButton({ card }: { readonly card: ProductCard }): ReactElement | null {
  const { t, language } = useWords();
  const isSignedIn = useIsSignedIn();
  const [isOpen, setOpen] = useState(false);
  const { stockId, productId, name, unit, minimum, balance } = card;
  const isBelow = minimum !== null && balance.amount !== null && balance.amount < minimum;
  const words =
    minimum === null
      ? t('watchList.set')
      : t(isBelow ? 'watchList.isBelow' : 'watchList.is', { minimum: formatQuantity(minimum, unit, language) });
  if (!isSignedIn) {
    return minimum === null ? null : (
      <span className="minimum" data-below={isBelow}>
        {words}
      </span>
    );
  }
  return (
    <>
      <button type="button" className="text-button minimum" data-below={isBelow} onClick={() => setOpen(true)}>
        <LockSign kind="settings" />
        {words}
      </button>
      {/* What is typed as soon as it is opened goes into it: one that is read then is drawn a third of a second later. */}
      {isOpen && (
        <MinimumDialog
          products={[{ stockId, productId }]}
          name={name}
          unit={unit}
          kept={minimum}
          close={() => setOpen(false)}
        />
      )}
    </>
  );
}
