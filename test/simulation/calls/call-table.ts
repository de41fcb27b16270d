import type { Channel } from '../../../app/contract/contract.ts';
import type { CallRow } from './call-row.ts';
import { couponRows } from './rows-coupons.ts';
import { hostRows } from './rows-host.ts';
import { lookupRows } from './rows-lookup.ts';
import { peopleRows, placeRows } from './rows-people.ts';
import { stocktakeRows } from './rows-stocktakes.ts';

/** Every call of the contract; one without a row does not compile. */
const callTable: { readonly [Name in Channel]: CallRow<Name> } = {
  ...hostRows,
  ...lookupRows,
  ...couponRows,
  ...stocktakeRows,
  ...peopleRows,
  ...placeRows,
};

export const channels = Object.keys(callTable) as readonly Channel[];

/** The row of a call; the compiler cannot follow a table by a type parameter. */
export function rowOf(channel: Channel): CallRow<Channel> {
  return callTable[channel];
}
