import type { TerminalState } from '../../app/contract/terminal-state.ts';

export type BlockedBy = 'notSignedIn' | 'offline';

/** Null when it can be asked. Nobody signed in comes first: the network would not help. */
export function blockedByOf({ phase, connection }: Pick<TerminalState, 'phase' | 'connection'>): BlockedBy | null {
  if (phase !== 'ready') {
    return 'notSignedIn';
  }
  return connection.state === 'offline' ? 'offline' : null;
}

/** As of when this terminal's copy answers for every stock; null when one of them was never copied whole. */
export function copyMomentOf(stocks: TerminalState['catalogue']['stocks']): number | null {
  const moments = stocks.flatMap((stock) => stock.completeAsOf ?? []);
  return moments.length === 0 || moments.length < stocks.length ? null : Math.min(...moments);
}
