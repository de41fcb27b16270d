// What the training platform can be set to: how it reads API v3, and what its shop is like.
import type { OptionTable } from '../../contract/training-panel.ts';
import { defaultsOf, type OptionValues } from '../../service/option.ts';
import { readingTable } from '../../service/readings.ts';

export const variantTable = {
  ...readingTable,
  termMatch: {
    of: ['exactFirst', 'contains'],
    default: 'exactFirst',
    says: 'What term finds (§4.3): a barcode or code that is exactly it, alone; or all that hold it anywhere.',
  },
  zeroMeans: {
    of: ['zeroBalance', 'noMovements'],
    default: 'zeroBalance',
    says: 'What amount_in_stock=zero finds (§4.3): a balance of zero, or products that never moved.',
  },
  unsetCoupons: {
    of: ['absent', 'off'],
    default: 'absent',
    says: 'Products whose coupon nobody ever set, in items (§4.6).',
  },
  hasCoupons: {
    of: [true, false],
    default: true,
    says: 'Whether the first company has coupons enabled in the ERP settings (§4.7).',
  },
  secondHasCoupons: {
    of: [false, true],
    default: false,
    says: 'The same of the second company, whose settings are its own.',
  },
} as const satisfies OptionTable;

export type Variants = OptionValues<typeof variantTable>;

export const defaultVariants: Variants = defaultsOf(variantTable);
