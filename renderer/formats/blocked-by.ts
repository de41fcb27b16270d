import { isCopied } from '../../app/contract/copied.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';

export type BlockedBy = 'notSignedIn' | 'offline' | 'noAnswer';

/** Null when it can be asked. Nobody signed in comes first: the network would not help. */
export function blockedByOf({ phase, connection }: Pick<TerminalState, 'phase' | 'connection'>): BlockedBy | null {
  if (phase !== 'ready') {
    return 'notSignedIn';
  }
  const cut = cutOf({ connection });
  return cut === null && connection.state === 'signIn' ? 'notSignedIn' : cut;
}

/** Whether the platform cannot be reached, or does not answer; null while neither is known. */
export function cutOf({ connection }: Pick<TerminalState, 'connection'>): 'offline' | 'noAnswer' | null {
  return connection.state === 'offline' || connection.state === 'noAnswer' ? connection.state : null;
}

/** As of when this terminal's copy answers for all that it can have; null while that was never copied whole. */
export function copyMomentOf(stocks: TerminalState['catalogue']['stocks']): number | null {
  return isCopied(stocks) ? Math.min(...stocks.flatMap((stock) => stock.completeAsOf ?? [])) : null;
}
