// The client with the app's own HTTP, before a platform that answers as it is told.
import { randomUUID } from 'node:crypto';
import { openRateLimit } from '../../../app/rate-limit/rate-limit.ts';
import { openSendLog } from '../../../app/rate-limit/send-log.ts';
import type { Failure } from '../../../app/domain/failure.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed, type Result } from '../../../app/domain/result.ts';
import { createNodeClock, createNodeRandom } from '../../../app/hosts/node/node-ports.ts';
import { createPlatformClient } from '../../../app/platform/client.ts';
import { createConnection } from '../../../app/platform/connection.ts';
import { createExchange } from '../../../app/platform/exchange.ts';
import { createAxiosHttp } from '../../../app/platform/http-axios.ts';
import { createTokenKeys } from '../../../app/platform/token-keys.ts';
import { createTokenRequest } from '../../../app/platform/tokens.ts';
import { openQueueDatabase } from '../../support/queue-database.ts';
import { startScriptedPlatform } from '../../support/scripted-platform.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { tokenOf, tokenUser } from '../../support/tokens.ts';
import type { AccessToken } from '../../../app/platform/access-token.ts';

const companyId = '42' as Id;

/** A captive portal's page. */
export const portalPage = '<!doctype html><html><body>Sign in to the guest network</body></html>';
export const htmlHeaders = { 'Content-Type': 'text/html' };
export const emptyListing = {
  data: { stock_products: [] },
  meta: { current_page: 1, last_page: 1, per_page: 30, total: 0 },
};

/** A client, and the parts it is made of, with a platform that answers with what its `answer` says. */
export async function openClient(base?: string) {
  const platform = await startScriptedPlatform();
  const clock = createNodeClock();
  const database = await openQueueDatabase(temporaryDirectory());
  const slowDowns: (number | undefined)[] = [];
  const opened = openRateLimit(clock, openSendLog(database, 'https://platform.example.com'));
  const rateLimit = {
    ...opened,
    slowDown: (retryAfterMs?: number) => {
      slowDowns.push(retryAfterMs);
    },
  };
  const connection = createConnection({ clock, random: createNodeRandom() }, () => undefined);
  const exchange = createExchange(
    createAxiosHttp({ userAgent: 'Tillside/test' }),
    base ?? platform.url,
    connection,
    new AbortController().signal,
    () => clock.now(),
  );
  let token = 0;
  const renewals: string[] = [];
  const tokens = {
    refusal: null as Failure | null,
    signedIn: tokenUser as string | null,
    user: () => tokens.signedIn,
    accessToken: (): Promise<Result<AccessToken, Failure>> => Promise.resolve(succeed(tokenOf(`token-${token}`))),
    renew: (refused: string): Promise<Result<AccessToken, Failure>> => {
      renewals.push(refused);
      token += 1;
      return Promise.resolve(tokens.refusal === null ? succeed(tokenOf(`token-${token}`)) : fail(tokens.refusal));
    },
  };
  const client = createPlatformClient({ exchange, rateLimit, tokens, companyId });
  return {
    platform,
    rateLimit,
    connection,
    exchange,
    tokens,
    renewals,
    slowDowns,
    client,
    requestToken: createTokenRequest(exchange, rateLimit, createTokenKeys(randomUUID)),
  };
}
