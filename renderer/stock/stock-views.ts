import type { StockQuery } from '../../app/contract/browse.ts';
import { everyProduct } from '../../app/contract/every-product.ts';

/** What the stock screen can list, in the order in which it is offered. */
export const stockViews = [
  'all',
  'below',
  'watched',
  'ranOut',
  'cameBack',
  'changedToday',
  'expiring',
  'negative',
  'zero',
  'unknownCodes',
] as const;
export type StockView = (typeof stockViews)[number];
type CopyView = Exclude<StockView, 'expiring' | 'unknownCodes'>;

/** Whether a view is of this terminal's copy, and not of what expires or of what was looked up. */
export function isOfCopy(view: StockView): view is CopyView {
  return view !== 'expiring' && view !== 'unknownCodes';
}

/** What a view asks of the copy. */
export function askedBy(view: CopyView): Pick<StockQuery, 'list' | 'amount'> {
  return view === 'negative' || view === 'zero' ? { list: 'all', amount: view } : { list: view, amount: 'all' };
}

/** The view that asks so. An earlier version could ask for a list and a balance at once: the balance is left out. */
export function viewOf({ list, amount }: Pick<StockQuery, 'list' | 'amount'>): CopyView {
  return list === 'all' && (amount === 'negative' || amount === 'zero') ? amount : list;
}

/** What is nearly gone stands first. */
export const firstQuery: StockQuery = { ...everyProduct, orderBy: 'balance' };
