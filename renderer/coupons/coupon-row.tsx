import { Checkbox } from '@mantine/core';
import { memo, type ReactElement } from 'react';
import type { CouponRow as Row } from '../../app/contract/coupons.ts';
import { useWords } from '../stores/context.tsx';
import { CouponSwitch } from './coupon-switch.tsx';

interface CouponRowProps {
  readonly row: Row;
  readonly place: number;
  readonly isChosen: boolean;
  /** False when it is listed only because it did fit when the list was narrowed down. */
  readonly doesFit: boolean;
  /** `isRange`: everything from the last one chosen to this one. */
  readonly onChoose: (place: number, isRange: boolean) => void;
}

/** The cells of a row; the keyboard reaches them through the list itself. */
export const CouponRow = memo(function CouponRow({
  row,
  place,
  isChosen,
  doesFit,
  onChoose,
}: CouponRowProps): ReactElement {
  const { t } = useWords();
  const name = row.productName ?? t('coupons.nameless', { id: row.productId });
  return (
    <>
      <div
        role="gridcell"
        tabIndex={-1}
        className="coupon-tick"
        // A shift-click would else select text.
        onMouseDown={(event) => event.shiftKey && event.preventDefault()}
        onClick={(event) => onChoose(place, event.shiftKey)}
      >
        <Checkbox tabIndex={-1} checked={isChosen} readOnly aria-label={t('coupons.choose', { product: name })} />
      </div>
      <div role="gridcell">
        <p className="row-title" title={name}>
          {name}
        </p>
        <p className="row-sub">
          <span className="mono">{row.code ?? row.productId}</span>
          {!doesFit && <> · {t('coupons.fitsNoLonger')}</>}
        </p>
      </div>
      <div role="gridcell">
        <CouponSwitch productId={row.productId} coupon={row.coupon} of={name} />
      </div>
    </>
  );
});
