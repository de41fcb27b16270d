import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { maxChosen } from '../../app/contract/limits/coupons.ts';
import { useStock, useWords } from '../stores/context.tsx';
import { LockSign, useIsLocked } from '../ui/lock-sign.tsx';
import { PrintIcon } from '../ui/icons.tsx';
import { lazyDialog } from '../ui/lazy-part.tsx';
import { ChoiceBar } from '../ui/selection-bar.tsx';
import { MinimumDialog } from '../watch-list/minimum-dialog.tsx';
import { countProducts } from '../formats/products.ts';
import { placesOf, unitsOf, useStockChoice } from './stock-choice.ts';

const ManyLabelsDialog = lazyDialog(async () => (await import('../labels/many-labels-dialog.tsx')).ManyLabelsDialog);

/** Actions on the chosen products. */
export function StockChoiceBar(): ReactElement {
  const { t, language } = useWords();
  const stockChoice = useStockChoice();
  const count = useStock((stock) => stock.count);
  const pages = useStock((stock) => stock.pages);
  const { chosen, clear } = useStore(stockChoice);
  const [isOpen, setOpen] = useState(false);
  const [isPrinting, setPrinting] = useState(false);
  const places = placesOf(chosen);
  const sign = useIsLocked('settings') ? <LockSign kind="settings" /> : undefined;
  return (
    <>
      <ChoiceBar
        of="coupon"
        choice={stockChoice}
        max={maxChosen}
        hasRows={count > 0}
        products={countProducts(places)}
        none=""
      >
        <Button variant="default" leftSection={<PrintIcon size={20} />} onClick={() => setPrinting(true)}>
          {t('labels.open')}
        </Button>
        <Button leftSection={sign} onClick={() => setOpen(true)}>
          {t('watchList.set')}
        </Button>
      </ChoiceBar>
      {isPrinting && <ManyLabelsDialog source={{ kind: 'products', places }} close={() => setPrinting(false)} />}
      {isOpen && (
        <MinimumDialog
          products={places}
          name={null}
          {...unitsOf(pages, chosen, language)}
          kept="some"
          close={(isDone) => {
            setOpen(false);
            if (isDone) {
              clear();
            }
          }}
        />
      )}
    </>
  );
}
