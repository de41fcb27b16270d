import { createPlatformClient } from '../../platform/client.ts';
import { createConnection } from '../../platform/connection.ts';
import { probePlatform } from '../../platform/connection-test.ts';
import { createExchange } from '../../platform/exchange.ts';
import { createTokenRequest, type RequestToken } from '../../platform/tokens.ts';
import type { Ports } from '../../ports.ts';
import type { RateLimit } from '../../rate-limit/rate-limit.ts';
import { createSession, type Session } from '../../session/session.ts';
import { logRefusals, logTokens } from './platform-log.ts';
import type { ShopContext, WorkspaceTarget } from './context.ts';

export interface PlatformClock {
  readonly aheadMs: number;
  /** When that was, by this machine's clock. */
  readonly at: number;
}

/** The way to the platform of one shop. */
export type PlatformAccess = ReturnType<typeof openPlatformAccess>;

/** The session of a target, whose calls for a token go this way. */
export function openSession(
  { clock, shell }: Pick<Ports, 'clock' | 'shell'>,
  target: WorkspaceTarget,
  requestToken: RequestToken,
): Session {
  const logged = logTokens(requestToken, (...line) => shell.log(...line));
  return createSession({ clock, requestToken: target.proving?.(logged) ?? logged, ...target.session });
}

/** Makes the way to the platform of a target; nothing is sent yet. */
export function openPlatformAccess({ ports, target, closing, onAbort, onClose }: ShopContext, rateLimit: RateLimit) {
  const { clock, random, http, shell } = ports;
  const connection = createConnection({ clock, random }, () => {
    if (shell.isSafeMode === true) {
      // In safe mode nothing is sent by itself; but whoever asks for something must not be told for ever that there is
      // no network.
      connection.doubt();
    } else {
      void probePlatform(exchange, rateLimit, 'catalogue');
    }
  });
  let platformClock: PlatformClock | null = null;
  const exchange = logRefusals(
    createExchange(
      http,
      target.platformUrl,
      connection,
      closing,
      () => clock.now(),
      (platformTime, receivedAt) => {
        platformClock = { aheadMs: receivedAt - platformTime, at: receivedAt };
      },
    ),
    (...line) => shell.log(...line),
  );
  const requestToken = createTokenRequest(exchange, rateLimit, target.tokenKeys);
  const session = openSession(ports, target, requestToken);
  onAbort(() => connection.close());
  // mutant: closing does not wait for the keychain (I12)
  onClose(() => session.settle());
  const client = createPlatformClient({ exchange, rateLimit, tokens: session, companyId: target.companyId });
  return {
    connection,
    exchange,
    session,
    client /**
     * By how much this machine's clock is ahead of the platform's, by its last answer that told its time, to about a
     * second; null before that.
     */,
    platformClock: (): PlatformClock | null => platformClock,
  };
}
