import type { Handlers } from '../../app/contract/bridge.ts';
import type { Channel, EventName, InvokeInput } from '../../app/contract/contract.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { fail as no, succeed as ok } from '../../app/domain/result.ts';
import type { Scene } from './fake-bridge.ts';

/** What answers the calls of some channels, as Results; what they are is looked at by the contract alone. */
export type Answers = { readonly [Name in Channel]?: (input: InvokeInput<Name>) => unknown };

/** The terminal of a scene. */
export interface SceneTerminal {
  state(): TerminalState;
  change(part: Partial<TerminalState>): unknown;
  emit(name: EventName, payload: unknown): unknown;
  /** Asks the real queue and its coupons. */
  switchCoupon: Handlers['coupon:switch'];
  /** What the page's clock says. */
  now(): number;
}

/** The pretended answers to what depends on what was done before. */
export function createFakeAnswers({ nowMs }: Scene, { state, change }: SceneTerminal): Answers {
  let hub: Record<string, unknown> | null = null;
  const settingsOf = (input: InvokeInput<'settings:update'>): Partial<TerminalState> => {
    const { language, scannerDevice, companion, localApi, ...same } = input;
    return {
      ...same,
      ...(language !== undefined && { language: language ?? 'en', languageChosen: language !== null }),
      ...(companion !== undefined && { companion: { ...companion, isShortcutHeld: true } }),
      ...(localApi !== undefined && {
        localApi: { ...localApi, status: localApi.isOn ? 'open' : 'off', openPort: localApi.isOn ? 17_863 : null },
      }),
      ...(scannerDevice !== undefined && {
        scannerDevice: { choice: scannerDevice, connection: scannerDevice === null ? 'off' : 'connecting' },
      }),
    } as Partial<TerminalState>;
  };
  return {
    'notice:dismiss': ({ id }) => {
      change({ notices: state().notices.filter((notice) => notice.id !== id) });
      return ok({});
    },
    'settings:update': (input) => {
      change(settingsOf(input));
      return ok({});
    },
    'hub:read': () => ok({ hub, readAt: nowMs }),
    'hub:join': (input) => {
      if (!input.address.startsWith('tillside-hub://')) {
        return ok({ wrongPart: 'protocol', failure: null });
      }
      hub = {
        terminalName: input.name,
        host: '192.168.0.10',
        port: 5432,
        database: 'tillside',
        isPractice: false,
        fingerprint: 'ab'.repeat(32),
        state: null,
      };
      return ok({ wrongPart: null, failure: null });
    },
    'hub:leave': () => {
      hub = null;
      return ok({});
    },
    'hub:remove': () => ok({ wrongPart: null, failure: null }),
    'hub:test': () => ok({ wrongPart: null, failure: null }),
    'practice:start': () => {
      change({ phase: 'ready', mode: 'practice', practice: { isNetworkDown: false, hasPanel: true } });
      return ok({});
    },
    'session:signIn': (input) => {
      if (input.password !== 'right') {
        return no({
          kind: 'credentialsRejected',
          status: 401,
          code: 'unauthorized',
          message: 'The user credentials were incorrect.',
        });
      }
      change({ phase: 'ready', session: { state: 'signedIn', email: input.email, keptIn: 'keychain', failure: null } });
      return ok({ passed: true, steps: [] });
    },
    'session:keep': () => ok({ outcome: 'kept' }),
    'session:signOut': () => {
      change({ phase: 'signIn', session: { state: 'signedOut', email: null, keptIn: null, failure: null } });
      return ok({});
    },
  };
}
