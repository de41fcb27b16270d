import type { TFunction } from 'i18next';
import type { CouponRow } from '../../app/contract/coupons.ts';
import { fail, succeed } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { FileList } from '../files/columns.ts';
import { wordsOfOther, wordsOfState } from './coupon-words.ts';
import type { CouponStores } from './coupons-store.ts';

const rowsAtOnce = 200;

function settingOf({ coupon: { isEnabled } }: CouponRow, t: TFunction): string | null {
  return isEnabled === null ? null : t(isEnabled ? 'files.on' : 'files.off');
}

/** The coupons that are listed as a file. Its reading fails with `cancelled` when others are listed meanwhile. */
export function couponFile(
  bridge: Bridge,
  { view: shownView, ...query }: ReturnType<CouponStores['listed']>,
  t: TFunction,
): FileList<CouponRow> {
  let offset = 0;
  let view = shownView;
  const known = new Set<string>();
  return {
    title: t('shell.screen.coupons'),
    columns: [
      { kind: 'text', heading: t('files.column.productId'), width: 12, of: ({ productId }) => productId },
      { kind: 'text', heading: t('stock.column.code'), width: 16, of: ({ code }) => code },
      { kind: 'text', heading: t('stock.column.name'), width: 44, of: ({ productName }) => productName },
      { kind: 'text', heading: t('coupons.label'), width: 14, of: (row) => settingOf(row, t) },
      { kind: 'text', heading: t('files.column.status'), width: 30, of: ({ coupon }) => wordsOfState(coupon, t) },
      { kind: 'text', heading: t('files.column.ofOther'), width: 50, of: ({ coupon }) => wordsOfOther(coupon, t) },
    ],
    read: async () => {
      const page = await bridge.call('coupon:list', {
        ...query,
        ...(view === undefined ? {} : { view }),
        offset,
        limit: rowsAtOnce,
      });
      if (!page.ok) {
        return page;
      }
      if (offset > 0 && page.value.view !== view) {
        return fail({ kind: 'cancelled' });
      }
      ({ view } = page.value);
      offset += rowsAtOnce;
      // One that has come into the list before this place has moved the others, which were read already, behind it.
      const rows = page.value.rows.filter(({ productId }) => !known.has(productId));
      rows.forEach(({ productId }) => known.add(productId));
      return succeed({ rows, of: page.value.total, isLast: offset >= page.value.total });
    },
  };
}
