import type { HandlersOf, WithOpen } from '../contract/bridge.ts';
import { fail, mapResult, succeed } from '../domain/result.ts';
import type { OpenQueue } from '../queue/shown-updates.ts';
import type { Planner } from '../coupons/planner.ts';
import type { ShopListsCalls } from './shop-lists.ts';

interface Open extends Pick<OpenQueue, 'owner' | 'queueRepository'> {
  readonly shopLists: ShopListsCalls;
  readonly planner: Planner;
}

/** One handler for each call about the shop's lists as a file. */
export function createShopListsHandlers(withOpen: WithOpen<Open>): HandlersOf<'shopLists'> {
  return {
    'shopLists:export': () =>
      withOpen(({ shopLists }) => mapResult(shopLists.write(), (text) => ({ name: 'tillside-lists.json', text }))),
    'shopLists:foresee': ({ text }) => withOpen(({ shopLists }) => succeed(shopLists.foresee(text))),
    'shopLists:take': ({ text }) =>
      withOpen((open) => {
        const owner = open.owner();
        if (owner === null) {
          return fail({ kind: 'signInNeeded' });
        }
        const taker = { ownerId: open.queueRepository.ownerId(owner), email: owner.email };
        const taken = open.shopLists.take(text, taker);
        open.planner.noteChange();
        return mapResult(taken, (counts) => ({ counts }));
      }),
  };
}
