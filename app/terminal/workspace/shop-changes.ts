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
  /** The screens that asked for what is being tried, in their order. */
  const held = new Set<{ readonly phase: Phase }>();
  let changing: Promise<unknown> = Promise.resolve();
  let isEnded = false;

  const phases = (): Phase[] => [...held].map((screen) => screen.phase);
  const isSigningIn = (): boolean => phases().includes('signIn');
  // Of two trials at a time the second one's screen is the first one's, unless somebody is being signed in.
  const shown = (): Phase => (isSigningIn() ? 'signIn' : (phases()[0] ?? phase()));

  async function holding<Value>(screen: Phase, trial: () => Promise<Value>): Promise<Value> {
    const mine = { phase: screen };
    held.add(mine);
    try {
      return await trial();
    } finally {
      // mutant: what is tried and over beside a sign-in lets its user at the screen
      held.delete(mine);
      changed();
    }
  }

  return {
    /** Begins when those before it are over; fails with `cancelled` when the end has come first. */
    inTurn: <Value>(action: () => Promise<Result<Value, Failure>>): Promise<Result<Value, Failure>> => {
      const mine = changing.then(() => (isEnded ? fail({ kind: 'cancelled' as const }) : action()));
      changing = mine.catch(() => undefined);
      return mine;
    },
    /** While a connection or a user is tried, the screen that asked stays: it must show the report of a failure. */
    holdingPhase: <Value>(trial: () => Promise<Value>): Promise<Value> => holding(shown(), trial),
    /** The same at the sign-in screen, whatever else is tried. One whose sign-in has ended goes on scanning meanwhile. */
    signingIn: <Value>(attempt: () => Promise<Value>): Promise<Value> =>
      isSigningIn() || phase() === 'signIn' ? holding('signIn', attempt) : attempt(),
    /** Somebody has come, or practice been opened: their screen waits for no trial. */
    releasePhase: (): void => held.clear(),
    /** Whether the sign-in screen stays until a trial is over. */
    isSigningIn,
    phase: shown,
    /** Queued changes are not begun after this. Resolves when what has begun is over. */
    end: (): Promise<unknown> => {
      isEnded = true;
      return changing;
    },
  };
}
