import type { QuietHours } from '../../contract/catalogue-plan.ts';
import type { ShownField } from '../../contract/fields.ts';
import type { ExpiryAsking } from '../../contract/expiring.ts';
import type { Failure } from '../../domain/failure.ts';
import type { Id } from '../../domain/int64.ts';
import type { Result } from '../../domain/result.ts';
import type { ScaleLayout } from '../../domain/codes/scale-label.ts';
import type { HubTarget } from '../../hub/open-hub.ts';
import type { TokenKeys } from '../../platform/token-keys.ts';
import type { ClientCredentials, RequestToken } from '../../platform/tokens.ts';
import type { Vault } from '../../ports.ts';
import type { QueueLimits } from '../../queue/limits.ts';
import type { SteadyOffsets } from '../../queue/steady-time.ts';
import type { RateLimitRules } from '../../rate-limit/rules.ts';
import type { SignInSlot } from '../../session/memory.ts';
import type { SessionMark } from '../../session/session.ts';

/** Which store to open. */
export interface WorkspaceTarget {
  /** Names the platform in the databases: its address, or "practice", whose address changes with every start. */
  readonly platform: string;
  readonly platformUrl: string;
  readonly companyId: Id;
  /** Whether a profile names another company of this platform. */
  readonly hasOtherCompany: () => boolean;
  readonly stockIds: readonly Id[];
  /** The folder of its databases; made when it is missing. */
  readonly directory: string;
  /** The name of its copy of the listing in there; each profile has one of its own. */
  readonly catalogueFile: string;
  readonly vault: Vault;
  /** Outlive this store, as a renewal's answer may. */
  readonly tokenKeys: TokenKeys;
  readonly steadyOffsets: SteadyOffsets;
  /** Where a sign-in that no keychain keeps outlives this store, for as long as the app runs. */
  readonly signInSlot?: SignInSlot;
  readonly client: () => Promise<Result<ClientCredentials, Failure>>;
  /** Learns from the answers to calls for a token whether the client's secret is right. */
  readonly proving?: (requestToken: RequestToken) => RequestToken;
  readonly saveMark: (mark: SessionMark | null) => void;
  /** See session.ts. */
  readonly onTokenLeft?: (name: string) => void;
  readonly isKept?: (email: string) => boolean;
  readonly keptUsers?: () => readonly string[];
  readonly onOver?: (email: string) => void;
  /** How this terminal takes part in its shop's hub; absent where it has joined none. */
  readonly hub?: HubTarget | undefined;
  /** Asked anew each time, for they may be changed at any time. */
  readonly queueLimits: () => QueueLimits;
  readonly planGraceMinutes: () => number;
  readonly rateLimitRules: () => RateLimitRules;
  readonly quietHours: () => QuietHours;
  readonly expiryAsking: () => ExpiryAsking;
  readonly scaleLayouts: () => readonly ScaleLayout[];
  readonly shownFields: () => readonly ShownField[];
}
