import { whoOf } from '../../../app/contract/access.ts';
import { invokes, type Channel, type InvokeInput } from '../../../app/contract/contract.ts';
import { sampleInput } from '../../support/fuzz/samples.ts';
import type { CallRow } from './call-row.ts';
import { couponRows } from './rows-coupons.ts';
import { hostRows } from './rows-host.ts';
import { lookupRows } from './rows-lookup.ts';
import { peopleRows, placeRows } from './rows-people.ts';
import { stocktakeRows } from './rows-stocktakes.ts';

/**
 * The row that follows from the contract: any input that it takes, one success, and no failure of its own. A call that
 * may fail so, or is to find what other calls have left, needs a row of its own.
 */
export function derivedRow(channel: Channel): CallRow<Channel> {
  return {
    weight: 1,
    draw: ({ random }) => {
      const input = sampleInput(random, channel);
      return invokes[channel].input.safeParse(input).success ? (input as InvokeInput<Channel>) : null;
    },
  };
}

const ownRows: { readonly [Name in Channel]?: CallRow<Name> } = {
  ...hostRows,
  ...lookupRows,
  ...couponRows,
  ...stocktakeRows,
  ...peopleRows,
  ...placeRows,
};

/** Every call of the contract; what is added to it comes last. */
export const channels: readonly Channel[] = [
  ...new Set([...Object.keys(ownRows), ...Object.keys(invokes)] as readonly Channel[]),
];

export const hasOwnRow = (channel: Channel): boolean => ownRows[channel] !== undefined;

/** The row of a call; the compiler cannot follow a table by a type parameter. */
export function rowOf(channel: Channel): CallRow<Channel> {
  return ownRows[channel] ?? derivedRow(channel);
}

/** Whether the call answers for an open store alone. */
export function needsShop(channel: Channel): boolean {
  return rowOf(channel).needsShop ?? ['looksUp', 'signedIn'].includes(whoOf({ channel, isMild: false }));
}
