import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import type { Id } from '../../app/domain/int64.ts';
import { maxChosen } from '../../app/contract/limits/coupons.ts';
import { useStores, useWords } from '../stores/context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import type { CouponAction } from './coupon-bulk.ts';
import { ChoiceBar } from '../ui/selection-bar.tsx';
import { LockSign, useIsLocked } from '../ui/lock-sign.tsx';

/** How many are listed. */
function useCount(): string {
  const { t, language } = useWords();
  const { coupons } = useStores();
  const {
    total,
    filter: { filter, term },
  } = useStore(coupons.list);
  if (total === null) {
    return '';
  }
  const { isCut } = coupons.facts();
  const numbers = (count: number) => ({ count, formatted: formatNumber(count, language) });
  if (filter !== 'all' || term.trim() !== '') {
    return t(isCut ? 'coupons.countCut' : 'coupons.count', numbers(total));
  }
  return t('coupons.set', numbers(total));
}

export function CouponChoiceBar({
  saveAsSet,
}: {
  readonly saveAsSet: (productIds: readonly Id[]) => void;
}): ReactElement {
  const { t } = useWords();
  const { coupons } = useStores();
  const total = useStore(coupons.list, (list) => list.total);
  const { chosen, outside } = useStore(coupons.choice);
  const ask = useStore(coupons.many, (many) => many.ask);
  const sign = useIsLocked('coupons') ? <LockSign kind="coupons" /> : undefined;
  // Nobody may act upon many before it is known how many of them are out of sight.
  const isAsleep = chosen.size === 0 || outside === null;
  const askFor = (action: CouponAction): void => void ask(action, [...chosen], outside?.size ?? 0);
  return (
    <ChoiceBar
      of="coupon"
      choice={coupons.choice}
      max={maxChosen}
      hasRows={total === null ? null : total > 0}
      none={useCount()}
    >
      <Button variant="default" disabled={chosen.size === 0} onClick={() => saveAsSet([...chosen])}>
        {t('couponSets.saveAs')}
      </Button>
      <Button variant="default" leftSection={sign} disabled={isAsleep} onClick={() => askFor('off')}>
        {t('coupons.many.off')}
      </Button>
      <Button leftSection={sign} disabled={isAsleep} onClick={() => askFor('on')}>
        {t('coupons.many.on')}
      </Button>
    </ChoiceBar>
  );
}
