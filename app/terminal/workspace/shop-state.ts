import { idleState } from '../../catalogue/catalogue.ts';
import { doesAnswerNobody, type Person, type ShopFacts } from '../../contract/access.ts';
import { noUpdates, signedOut, type TerminalState } from '../../contract/terminal-state.ts';
import type { PracticeState } from '../../contract/practice.ts';
import type { Ports, PracticePlatform, Shell } from '../../ports.ts';
import type { OpenShop } from './open-shop.ts';
import { connectionStateOf, queueBeside } from './connection-state.ts';
import type { Workspace } from './workspace.ts';

export type ShopState = Pick<
  TerminalState,
  | 'practice'
  | 'session'
  | 'connection'
  | 'clockAheadMs'
  | 'catalogue'
  | 'queue'
  | 'stocktakeChanges'
  | 'watchList'
  | 'rateLimit'
>;

/** A browser beside a window that fills the screen is a way out of it. */
export const hasPanel = (device: Shell['device']): boolean => device?.isKiosk !== true;

/** The state of the practice store for screens; null while a real one, or none, is open. */
export function practiceStateOf(
  practice: PracticePlatform | null,
  { device }: Pick<Shell, 'device'>,
): PracticeState | null {
  return practice === null ? null : { isNetworkDown: practice.isNetworkDown(), hasPanel: hasPanel(device) };
}

/** Where the open shop, or none, leads to. */
export function phaseOf(shop: OpenShop): TerminalState['phase'] {
  const workspace = shop.workspace();
  if (workspace === null) {
    return 'firstRun';
  }
  return workspace.session.state().state === 'signedOut' && shop.practice() === null ? 'signIn' : 'ready';
}

/** Who stands there, and at which shop. */
export interface AccessFacts {
  readonly person: Person;
  readonly shop: ShopFacts;
}

/** While a shop is changed the screen stays in its phase, but nobody is signed in at what is opened meanwhile. */
export function accessFactsOf(
  shop: OpenShop,
  phase: TerminalState['phase'],
  profiles: number,
  lookupNeedsSignIn: boolean,
): AccessFacts {
  const workspace = shop.workspace();
  const own = shop.practice() === null ? 'profile' : 'practice';
  const isHere = phase === 'ready' && (workspace === null || phaseOf(shop) === 'ready');
  const copied = isHere ? 0 : (workspace?.catalogue.state().copied ?? 0);
  return {
    person: isHere ? 'signedIn' : 'nobody',
    shop: {
      open: workspace === null ? 'none' : own,
      profiles,
      answersNobody: doesAnswerNobody(lookupNeedsSignIn, copied),
    },
  };
}

const hourMs = 3_600_000;

/** To the nearest hour, so that an answer's way and the platform's whole seconds change nothing; null without one. */
function clockAheadOf(workspace: Workspace | null): number | null {
  const hours = Math.round((workspace?.platformClock()?.aheadMs ?? 0) / hourMs);
  return hours === 0 ? null : hours * hourMs;
}

/** The state of the open shop, or of none, for screens. */
export function shopStateOf(shop: OpenShop, { clock, shell }: Pick<Ports, 'clock' | 'shell'>): ShopState {
  const [workspace, practice] = [shop.workspace(), shop.practice()];
  const { limit, used, pausedForMs } = workspace?.rateLimit.state() ?? { limit: 0, used: 0, pausedForMs: 0 };
  const session = workspace?.session.state() ?? signedOut;
  const connection = connectionStateOf(
    workspace === null
      ? null
      : {
          way: workspace.connection.way(),
          session,
          isPractice: practice !== null,
          isSafeMode: shell.isSafeMode === true,
        },
  );
  return {
    practice: workspace === null ? null : practiceStateOf(practice, shell),
    session: practice === null ? session : { ...session, keptIn: null },
    clockAheadMs: clockAheadOf(workspace),
    connection,
    catalogue: workspace?.catalogue.state() ?? idleState,
    queue: queueBeside(workspace?.queue.state() ?? noUpdates, connection),
    stocktakeChanges: workspace?.stocktakes.changes() ?? 0,
    watchList: workspace?.watchList.state() ?? null,
    rateLimit: { limit, used, pausedUntil: pausedForMs > 0 ? Math.round(clock.now() + pausedForMs) : null },
  };
}
