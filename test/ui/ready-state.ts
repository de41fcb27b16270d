import { noPlan } from '../../app/contract/catalogue-plan.ts';
import { defaultSettings } from '../../app/contract/settings.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { parseId, type Id } from '../../app/domain/int64.ts';

function id(text: string): Id {
  const parsed = parseId(text);
  if (parsed === null) throw new Error(`not an id: ${text}`);
  return parsed;
}

/** A terminal that is signed in, online, with its copy complete. */
export function readyState(nowMs: number, more: Partial<TerminalState> = {}): TerminalState {
  return {
    ...defaultSettings,
    revision: 1,
    version: '1.0.0',
    host: 'browser',
    phase: 'ready',
    mode: 'platform',
    practice: null,
    profile: {
      platformUrl: 'https://shop.example.com',
      clientId: 'counter-7',
      companyId: id('4821'),
      stockIds: [id('11'), id('12')],
    },
    profileId: 1,
    profiles: [
      {
        profileId: 1,
        name: null,
        platformUrl: 'https://shop.example.com',
        clientId: 'counter-7',
        companyId: id('4821'),
        stockIds: [id('11'), id('12')],
        email: 'ana@example.com',
        waiting: null,
      },
    ],
    isSecretNeeded: false,
    language: 'en',
    languageChosen: true,
    theme: 'light',
    localApi: null,
    cashiers: { lockedEmail: null, users: [] },
    isSafeMode: false,
    session: { state: 'signedIn', email: 'ana@example.com', keptIn: 'keychain', failure: null },
    connection: { state: 'online', since: null, failure: null },
    clockAheadMs: null,
    catalogue: {
      phase: 'complete',
      copied: 5000,
      changes: 5000,
      unreadable: 0,
      total: 5000,
      completeAt: null,
      plan: noPlan,
      failure: null,
      stocks: [
        {
          stockId: id('11'),
          name: 'Loja',
          copied: 4000,
          unreadable: 0,
          total: 4000,
          completeAsOf: nowMs - 180_000,
          refused: null,
        },
        {
          stockId: id('12'),
          name: 'Depósito',
          copied: 1000,
          unreadable: 0,
          total: 1000,
          completeAsOf: nowMs - 120_000,
          refused: null,
        },
      ],
    },
    queue: {
      pending: 0,
      inFlight: 0,
      parked: 0,
      delivered: 12,
      heldBy: null,
      nextTryAt: null,
      ofOthers: { count: 0, emails: [], parked: 0 },
      ofKept: { count: 0, emails: [] },
      elsewhere: [],
    },
    watchList: { watched: 0, below: 0, unknown: 0, absent: 0 },
    textSize: 'normal',
    isTourSeen: true,
    fileKind: 'xlsx',
    scaleLayouts: ['2CCCC0TTTTTTV'],
    scannerDevice: null,
    companion: null,
    rateLimit: { limit: 60, used: 4, pausedUntil: null },
    lock: {
      hasPin: false,
      kinds: ['coupons', 'users', 'settings', 'discarding'],
      opensForMinutes: 2,
      openKinds: [],
      openUntil: null,
      waitUntil: null,
      newestEntry: 0,
    },
    notices: [],
    ...more,
  };
}
