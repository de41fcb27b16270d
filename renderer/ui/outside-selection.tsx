import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { useWords } from '../stores/context.tsx';
import { formatNumber } from '../formats/numbers.ts';

interface Outside {
  /** Of which list: its words. */
  readonly of: 'coupon' | 'queue';
  readonly count: number;
}

/** In words; nothing where the list shows all of them. */
export function OutsideWords({ of, count }: Outside): ReactElement | null {
  const { t, language } = useWords();
  return count === 0 ? null : (
    <strong>
      {t(of === 'coupon' ? 'coupons.chosen.outside' : 'queue.chosen.outside', {
        count,
        formatted: formatNumber(count, language),
      })}
    </strong>
  );
}

/** The line above the bar of what is chosen. */
export function ChoiceOutside({ of, count, keepShown }: Outside & { readonly keepShown: () => void }): ReactElement {
  const { t } = useWords();
  return (
    <div className="choice-note" role="status">
      {count > 0 && (
        <div className="choice-outside notice" data-kind="warn">
          <OutsideWords of={of} count={count} />
          <Button variant="default" onClick={keepShown}>
            {t(of === 'coupon' ? 'coupons.chosen.keepShown' : 'queue.chosen.keepShown')}
          </Button>
        </div>
      )}
    </div>
  );
}
