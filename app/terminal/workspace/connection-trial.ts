import type { ConnectionReport } from '../../contract/connection.ts';
import { createPlatformClient, type PlatformClient } from '../../platform/client.ts';
import { createConnection } from '../../platform/connection.ts';
import { forAddress, testAddress, testStocks } from '../../platform/connection-test.ts';
import { createExchange, type Exchange } from '../../platform/exchange.ts';
import { createTokenRequest } from '../../platform/tokens.ts';
import type { RateLimit } from '../../rate-limit/rate-limit.ts';
import type { Ports } from '../../ports.ts';
import type { Session } from '../../session/session.ts';
import type { StateEvents } from '../state-events.ts';
import { createClosing, type WorkspaceTarget } from './context.ts';
import { openOwnRateLimit } from './rate-limit.ts';
import { openSession } from './platform-access.ts';
import { logRefusals } from './platform-log.ts';
import type { Workspace } from './workspace.ts';

/** The means with which a connection is tried. */
export interface ConnectionTrial {
  readonly target: WorkspaceTarget;
  readonly exchange: Exchange;
  readonly rateLimit: RateLimit;
  readonly client: PlatformClient;
  /** The open shop's own where that signs in at the same platform as the same client; else one to be restored. */
  readonly session: Session;
  readonly isSessionOpen: boolean;
  close(): Promise<void>;
}

/** The open real shop, and whether the tried connection has its sign-in. */
export interface OpenBeside {
  readonly workspace: Workspace;
  readonly sharesSignIn: boolean;
}

/**
 * Begins a trial, until `ending` or the end of the open shop, where its calls count. Throws StorageError when queue.db
 * cannot be opened.
 */
export async function openConnectionTrial(
  ports: Ports,
  target: WorkspaceTarget,
  open: OpenBeside | null,
  ending: AbortSignal,
  notify: StateEvents['notify'],
): Promise<ConnectionTrial> {
  // mutant: the request of a trial outlives the rate limit that it counts in
  const until = open === null ? ending : AbortSignal.any([ending, open.workspace.closing]);
  const { closing, onAbort, onClose, close } = createClosing(until);
  const counting = open?.workspace ?? (await openOwnRateLimit({ ports, target, onAbort, onClose }, notify));
  if (open !== null && open.workspace.target.account !== target.account) {
    onClose(counting.rateLimit.countAll());
  }
  const isOther = open !== null && open.workspace.target.platform !== target.platform;
  // A 429 counts at its own platform (B7): this one would pause the open shop, and all tills of its hub.
  const rateLimit = isOther ? { ...counting.rateLimit, slowDown: () => undefined } : counting.rateLimit;
  const { clock, random, http, shell } = ports;
  // Whether this address can be reached says nothing of the open shop's.
  const connection = createConnection({ clock, random }, () => undefined);
  onClose(() => connection.close());
  const exchange = logRefusals(
    createExchange(http, target.platformUrl, connection, closing, () => clock.now()),
    (...line) => shell.log(...line),
  );
  const session =
    open?.sharesSignIn === true
      ? open.workspace.session
      : openSession(ports, target, createTokenRequest(exchange, rateLimit, target.tokenKeys));
  return {
    target,
    exchange,
    rateLimit,
    session,
    isSessionOpen: open?.sharesSignIn === true,
    client: createPlatformClient({ exchange, rateLimit, tokens: session, companyId: target.companyId }),
    close,
  };
}

export interface TrialOutcome {
  /** Of the address. */
  readonly report: ConnectionReport;
  /** Why company or stock is refused to whoever is signed in, or could not be asked for; else null. */
  readonly refusal: ConnectionReport | null;
  /** Whoever is signed in goes on here. */
  readonly keepsSignIn: boolean;
}

/** Tests the address; where it passes, whoever `restore` says is signed in asks each stock for a product. */
export async function tryConnection(trial: ConnectionTrial, restore: () => Promise<boolean>): Promise<TrialOutcome> {
  const { target, exchange, rateLimit, client, session } = trial;
  const report = forAddress(target.platformUrl, await testAddress(exchange, rateLimit));
  if (!report.passed || !(await restore())) {
    return { report, refusal: null, keepsSignIn: false };
  }
  const ofStocks = forAddress(target.platformUrl, await testStocks(client, session, target.stockIds));
  const failed = ofStocks.steps.find(({ outcome }) => outcome === 'failed')?.step;
  // Whoever has to sign in anew can only do so once the connection is kept.
  const needsSignIn = failed === 'client' || failed === 'user';
  // Trouble on the way is no reason to end a sign-in that the platform has granted.
  return {
    report,
    refusal: failed === undefined || needsSignIn ? null : ofStocks,
    keepsSignIn: failed === undefined || failed === 'address' || failed === 'tls',
  };
}
