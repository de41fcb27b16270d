import { noUpdates, type TerminalState } from '../../app/contract/terminal-state.ts';
import type { Id } from '../../app/domain/int64.ts';
import { firstRunState } from '../support/fake-handlers.ts';

/** A terminal that is signed in, online, with its copy complete. */
export function readyState(nowMs: number, more: Partial<TerminalState> = {}): TerminalState {
  const email = 'ana@example.com';
  const profile = {
    platformUrl: 'https://shop.example.com',
    clientId: 'counter-7',
    companyId: '4821' as Id,
    stockIds: ['11', '12'] as Id[],
  };
  const stockOf = (stockId: string, name: string, copied: number, ageMs: number) => ({
    stockId: stockId as Id,
    name,
    copied,
    unreadable: 0,
    total: copied,
    completeAsOf: nowMs - ageMs,
    refused: null,
  });
  return {
    ...firstRunState,
    version: '1.0.0',
    phase: 'ready',
    mode: 'platform',
    profile,
    profileId: 1,
    profiles: [{ ...profile, profileId: 1, name: null, email, waiting: null }],
    languageChosen: true,
    theme: 'light',
    session: { state: 'signedIn', email, keptIn: 'keychain', failure: null },
    connection: { state: 'online', since: null, failure: null },
    catalogue: {
      ...firstRunState.catalogue,
      phase: 'complete',
      copied: 5000,
      changes: 5000,
      total: 5000,
      stocks: [stockOf('11', 'Loja', 4000, 180_000), stockOf('12', 'Depósito', 1000, 120_000)],
    },
    queue: { ...noUpdates, delivered: 12 },
    isTourSeen: true,
    scaleLayouts: ['2CCCC0TTTTTTV'],
    rateLimit: { limit: 60, used: 4, pausedUntil: null },
    ...more,
  };
}
