import { noPlan } from '../../app/contract/catalogue-plan.ts';
import { invokes } from '../../app/contract/contract.ts';
import { noUpdates, signedOut, type TerminalState } from '../../app/contract/terminal-state.ts';
import type { EventListener, Handlers } from '../../app/contract/bridge.ts';
import { defaultSettings } from '../../app/contract/settings.ts';
import { fail, succeed } from '../../app/domain/result.ts';

export const firstRunState: TerminalState = {
  ...defaultSettings,
  revision: 1,
  version: '0.0.0',
  host: 'browser',
  phase: 'firstRun',
  mode: null,
  practice: null,
  profile: null,
  profileId: null,
  profiles: [],
  isSecretNeeded: false,
  language: 'en',
  languageChosen: false,
  session: signedOut,
  connection: { state: 'resting', since: null, failure: null },
  clockAheadMs: null,
  catalogue: {
    phase: 'idle',
    stocks: [],
    copied: 0,
    changes: 0,
    unreadable: 0,
    total: null,
    completeAt: null,
    plan: noPlan,
    failure: null,
  },
  queue: noUpdates,
  stocktakeChanges: 0,
  watchList: { watched: 0, below: 0, unknown: 0, absent: 0 },
  scannerDevice: null,
  companion: null,
  localApi: null,
  rateLimit: { limit: 60, used: 0, pausedUntil: null },
  lock: {
    kinds: ['coupons', 'users', 'settings', 'discarding'],
    opensForMinutes: 2,
    hasPin: false,
    openKinds: [],
    openUntil: null,
    waitUntil: null,
    newestEntry: 0,
  },
  cashiers: { lockedEmail: null, users: [] },
  isSafeMode: false,
  notices: [],
};

/** Handlers that answer `notReady` on every channel but `terminal:read`, and those that the test brings. */
export function createFakeHandlers(own: Partial<Handlers> = {}): Handlers {
  const all = Object.fromEntries(
    Object.keys(invokes).map((channel) => [channel, () => Promise.resolve(fail({ kind: 'notReady' }))]),
  ) as unknown as Handlers;
  return { ...all, 'terminal:read': () => Promise.resolve(succeed(firstRunState)), ...own };
}

/** A source of events that the test fires by hand. */
export function createFakeEvents(): {
  readonly subscribe: (listener: EventListener) => () => void;
  readonly fire: EventListener;
} {
  const listeners = new Set<EventListener>();
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    fire: (name, payload) => {
      for (const listener of listeners) {
        listener(name, payload);
      }
    },
  };
}
