// Owns the bar above the coupon list: how many are chosen, all or none, and the two switches for all of them. Never switches without the
// question that counts first.
import { Button, Checkbox } from '@mantine/core';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { mostChosen } from '../../app/contract/coupons.ts';
import { useStores, useWords } from '../context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import { ChoiceOutside } from './choice-outside.tsx';
import { LockSign, useIsLocked } from './lock-sign.tsx';

/** Always there, so that nothing moves when the first one is chosen. */
export function CouponChoiceBar(): ReactElement {
  const { t, language } = useWords();
  const { coupons } = useStores();
  const total = useStore(coupons.list, (list) => list.total ?? 0);
  const { chosen, outside, isAll, isTooMany, failure, chooseAll, clear, keepShown } = useStore(coupons.choice);
  const ask = useStore(coupons.many, (many) => many.ask);
  const sign = useIsLocked('coupons') ? <LockSign kind="coupons" /> : undefined;
  const count = chosen.size;
  // Nobody may act upon many before it is known how many of them are out of sight.
  const isAsleep = count === 0 || outside === null;
  const askFor = (isEnabled: boolean): void => void ask([...chosen], isEnabled, outside?.size ?? 0);
  const words = isTooMany
    ? t('coupon.chosen.tooMany', { most: formatNumber(mostChosen, language) })
    : failure !== null
      ? `${t(`failure.${failure.kind}.says`)} ${t(`failure.${failure.kind}.advice`)}`
      : count === 0
        ? t('coupon.chosen.none')
        : t('coupon.chosen.some', { count, formatted: formatNumber(count, language) });
  return (
    <>
      <div className="choice-bar" role="toolbar" aria-label={t('coupon.chosen.bar')} data-some={count > 0}>
        <Checkbox
          className="choice-all"
          size="md"
          label={t('coupon.chosen.all')}
          disabled={total === 0 && count === 0}
          checked={isAll && count > 0}
          indeterminate={!isAll && count > 0}
          onChange={() => (isAll ? clear() : void chooseAll())}
        />
        <p className="choice-count" role="status" data-wrong={isTooMany || failure !== null}>
          {words}
        </p>
        <Button variant="default" disabled={count === 0} onClick={clear}>
          {t('coupon.chosen.clear')}
        </Button>
        <Button variant="default" leftSection={sign} disabled={isAsleep} onClick={() => askFor(false)}>
          {t('coupon.many.off')}
        </Button>
        <Button leftSection={sign} disabled={isAsleep} onClick={() => askFor(true)}>
          {t('coupon.many.on')}
        </Button>
      </div>
      <ChoiceOutside of="coupon" count={outside?.size ?? 0} keepShown={keepShown} />
    </>
  );
}
