import type { QuietHours } from '../../contract/catalogue-plan.ts';
import type { ShownField } from '../../contract/fields.ts';
import type { ExpiryAsking } from '../../contract/expiring.ts';
import type { Id } from '../../domain/int64.ts';
import type { ScaleLayout } from '../../domain/codes/scale-label.ts';
import type { HubTarget } from '../../hub/open-hub.ts';
import type { TokenKeys } from '../../platform/token-keys.ts';
import type { RequestToken } from '../../platform/tokens.ts';
import type { QueueLimits } from '../../queue/limits.ts';
import type { SteadyOffsets } from '../../queue/steady-time.ts';
import type { RateLimitRules } from '../../rate-limit/rules.ts';
import type { SessionPorts } from '../../session/session.ts';

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
  /** Outlive this store, as a renewal's answer may. */
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
  readonly expiryAsking: () => ExpiryAsking;
  readonly scaleLayouts: () => readonly ScaleLayout[];
  readonly shownFields: () => readonly ShownField[];
}
