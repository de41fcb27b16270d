import type { QuietHours } from '../../contract/catalogue-plan.ts';
import type { ShownField } from '../../contract/fields.ts';
import type { Notice } from '../../contract/terminal-state.ts';
import type { PlanMade } from '../../coupons/planner.ts';
import type { ScaleLayout } from '../../domain/codes/scale-label.ts';
import type { Id } from '../../domain/int64.ts';
import type { Asking } from '../../expiring/night.ts';
import type { HubMembership } from '../../hub/membership.ts';
import type { HubTarget } from '../../hub/open-hub.ts';
import type { TokenKeys } from '../../platform/token-keys.ts';
import type { RequestToken } from '../../platform/tokens.ts';
import type { Ports } from '../../ports.ts';
import type { QueueLimits } from '../../queue/repository.ts';
import type { SteadyOffsets } from '../../queue/steady-time.ts';
import type { RateLimitRules } from '../../rate-limit/rules.ts';
import type { ClientSecret } from '../../session/client-secret.ts';
import type { SignInMemory } from '../../session/memory.ts';
import type { SessionPorts } from '../../session/session.ts';
import type { KeptCashiers } from '../../settings/kept-cashiers.ts';
import type { Profiles } from '../../settings/profiles.ts';
import type { OpenSettings } from '../../settings/settings.ts';
import type { DiskState } from '../../storage/disk-watch.ts';
import { pause } from '../../storage/pause.ts';
import type { StateEvents } from '../state-events.ts';

/** The parts that are made once for the terminal, and outlive every shop. */
export interface TerminalContext {
  readonly ports: Ports;
  readonly settings: OpenSettings;
  readonly profiles: Profiles;
  readonly keptCashiers: KeptCashiers;
  readonly signIns: SignInMemory;
  readonly clientSecret: ClientSecret;
  readonly membership: HubMembership;
  readonly stateEvents: StateEvents;
}

/** Which shop to open. */
export interface WorkspaceTarget {
  /** Names the platform in the databases: its address, or "practice", whose address changes with every start. */
  readonly platform: string;
  readonly platformUrl: string;
  /** Names the account at which its requests count; null where all that is sent to the platform counts together. */
  readonly account: string | null;
  /** Names the OAuth client that sends: a platform may know an idempotency key of that one alone. */
  readonly client: string;
  readonly companyId: Id;
  /** Whether a profile names another company of this platform. */
  readonly hasOtherCompany: () => boolean;
  readonly stockIds: readonly Id[];
  /** The folder of its databases; made when it is missing. */
  readonly directory: string;
  /** The name of its copy of the listing in there; each profile has one of its own. */
  readonly catalogueFile: string;
  /** Outlive this shop, as a renewal's answer may. */
  readonly tokenKeys: TokenKeys;
  readonly steadyOffsets: SteadyOffsets;
  /** By what somebody signs in, and what is kept of it. */
  readonly session: Omit<SessionPorts, 'clock' | 'requestToken'>;
  /** Learns from the answers to calls for a token whether the client's secret is right. */
  readonly proving?: (requestToken: RequestToken) => RequestToken;
  /** How this terminal takes part in its shop's hub; absent where it has joined none. */
  readonly hub?: HubTarget | undefined;
  /** Asked anew each time, for they may be changed at any time. */
  readonly queueLimits: () => QueueLimits;
  readonly planGraceMinutes: () => number;
  readonly rateLimitRules: () => RateLimitRules;
  readonly quietHours: () => QuietHours;
  readonly expiryAsking: () => Asking;
  readonly scaleLayouts: () => readonly ScaleLayout[];
  readonly shownFields: () => readonly ShownField[];
}

export interface WorkspaceListeners {
  /** Anything that a screen may show has changed, but for the products' cards. */
  readonly onChange: () => void;
  /** A figure or a coupon on some card may have changed too. */
  readonly onCardsChange: () => void;
  /** The disk has begun to refuse what is written, or takes it again. */
  readonly onDisk: (state: DiskState) => void;
  readonly onPlanMade: (made: PlanMade) => void;
  /** Tells a person once. */
  readonly notify: (kind: Notice['kind'], detail: string) => void;
}

/** With what whatever has to be closed again is opened. */
export interface Closing {
  /** Abandons every call that is under way. */
  readonly closing: AbortSignal;
  /** Stops at once, and before anything is closed, what begins something by itself. */
  readonly onAbort: (stop: () => void) => void;
  /** Closes a part when all that were opened after it are closed. */
  readonly onClose: (close: () => void | Promise<void>) => void;
}

/** How that ends. */
export interface Opened extends Closing {
  /** `close` is then quick. */
  readonly abort: () => void;
  /** Aborts, and closes in turn: what was opened last first. */
  readonly close: () => Promise<void>;
}

/** Handed to every part of a shop that is opened. */
export interface ShopContext extends Closing {
  readonly ports: Ports;
  readonly target: WorkspaceTarget;
  readonly listeners: WorkspaceListeners;
  /** Lets everything else have its turn. Answers whether to go on: false once this shop is being closed. */
  readonly pause: () => Promise<boolean>;
  /** This machine's offset from UTC at a moment, in minutes. */
  readonly offsetMinutes: (at: number) => number;
  /** The log of a part. */
  readonly logOf: (part: string) => (message: string, details?: Readonly<Record<string, unknown>>) => void;
}

/** Begins with nothing opened; `ending` aborts it as well. */
export function createClosing(ending?: AbortSignal): Opened {
  const own = new AbortController();
  const closing = ending === undefined ? own.signal : AbortSignal.any([own.signal, ending]);
  const opened: (() => void | Promise<void>)[] = [];
  const abort = (): void => own.abort();
  return {
    closing,
    onAbort: (stop) => closing.addEventListener('abort', stop, { once: true }),
    onClose: (close) => {
      opened.push(close);
    },
    abort,
    close: async () => {
      abort();
      // mutant: what a shop opened first is closed first
      for (const close of opened.splice(0).toReversed()) {
        await close();
      }
    },
  };
}

/** The context of a shop whose parts are closed in turn by `closing`. */
export function createContext(
  ports: Ports,
  target: WorkspaceTarget,
  listeners: WorkspaceListeners,
  { closing, onAbort, onClose }: Closing,
): ShopContext {
  const { clock, shell } = ports;
  return {
    closing,
    onAbort,
    onClose,
    ports,
    target,
    listeners,
    pause: () => pause(clock, closing),
    offsetMinutes: (at) => shell.offsetMinutes(at),
    logOf: (part) => (message, details) => {
      shell.log('info', `${part}: ${message}`, details);
    },
  };
}
