import type { TerminalState } from '../../contract/terminal-state.ts';
import type { Failure } from '../../domain/failure.ts';
import { fail, type Result } from '../../domain/result.ts';
import type { TerminalContext } from './context.ts';
import type { OpenShop } from './open-shop.ts';

type Phase = TerminalState['phase'];

export type ShopChanges = ReturnType<typeof createShopChanges>;

/** The parts that opening and closing shops works with. */
export interface ShopsContext extends TerminalContext {
  readonly shop: OpenShop;
  readonly changes: ShopChanges;
}

/** Lets one change of shop happen at a time. `phase` is that of the open shop. */
export function createShopChanges(phase: () => Phase, changed: () => void) {
  let held: { readonly phase: Phase } | null = null;
  let changing: Promise<unknown> = Promise.resolve();
  let isEnded = false;
  return {
    /** Begins when those before it are over; fails with `cancelled` when the end has come first. */
    inTurn: <Value>(action: () => Promise<Result<Value, Failure>>): Promise<Result<Value, Failure>> => {
      const mine = changing.then(() => (isEnded ? fail({ kind: 'cancelled' as const }) : action()));
      changing = mine.catch(() => undefined);
      return mine;
    },
    /** While a connection or a user is tried, the screen that asked stays: it must show the report of a failure. */
    holdingPhase: async <Value>(trial: () => Promise<Value>): Promise<Value> => {
      // Of two trials at a time the second one's screen is the first one's.
      const mine = { phase: held?.phase ?? phase() };
      held = mine;
      try {
        return await trial();
      } finally {
        // Another trial may have begun meanwhile.
        held = held === mine ? null : held;
        changed();
      }
    },
    /** Somebody has come by another way: their screen waits for no trial. */
    releasePhase: (): void => {
      held = null;
    },
    /** Whether the sign-in screen stays until a trial is over. */
    isSigningIn: (): boolean => held?.phase === 'signIn',
    phase: (): Phase => held?.phase ?? phase(),
    /** Queued changes are not begun after this. Resolves when what has begun is over. */
    end: (): Promise<unknown> => {
      isEnded = true;
      return changing;
    },
  };
}
