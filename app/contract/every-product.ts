import type { StockQuery } from './browse.ts';

/** Asks the stock table for everything, by name. */
export const everyProduct: StockQuery = {
  list: 'all',
  stockId: null,
  amount: 'all',
  orderBy: 'name',
  direction: 'asc',
  term: '',
  productIds: null,
  updatedFrom: null,
};
