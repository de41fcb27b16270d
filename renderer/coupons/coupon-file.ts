import type { TFunction } from 'i18next';
import type { CouponRow } from '../../app/contract/coupons.ts';
import { fail, succeed } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { text, type FileList } from '../files/columns.ts';
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
      text(t('files.column.productId'), 12, ({ productId }) => productId),
      text(t('stock.column.code'), 16, ({ code }) => code),
      text(t('stock.column.name'), 44, ({ productName }) => productName),
      text(t('coupons.label'), 14, (row) => settingOf(row, t)),
      text(t('files.column.status'), 30, ({ coupon }) => wordsOfState(coupon, t)),
      text(t('files.column.ofOther'), 50, ({ coupon }) => wordsOfOther(coupon, t)),
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
