import type { ConnectionReport, ConnectionStep } from '../contract/connection.ts';
import { stockRefusals } from '../contract/terminal-state.ts';
import type { RateLimit } from '../rate-limit/rate-limit.ts';
import type { Failure } from '../domain/failure.ts';
import type { Id } from '../domain/int64.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import { failureOf, isPage } from './answer.ts';
import type { PlatformClient, TokenSource } from './client.ts';
import type { Exchange } from './exchange.ts';
import { isOfClient } from './token-answer.ts';

type StepName = ConnectionStep['step'];

const maxDetailLength = 500;

const stepNames: readonly StepName[] = ['address', 'tls', 'client', 'user', 'company', 'stock'];

/**
 * Asks the platform for something that needs a sign-in, without one: a 401 proves that it is there (API v3 §5 rule 6).
 * Fails as the network did, or as an answer that the platform would not give. A 429 slows nothing down: without a token
 * it tells of strangers' requests as well, and what leaves with one learns of its own limit (API v3 §8).
 */
export async function probePlatform(
  exchange: Exchange,
  rateLimit: Pick<RateLimit, 'take'>,
  lane: 'person' | 'catalogue',
): Promise<Result<void, Failure>> {
  const slot = await rateLimit.take(lane);
  if (!slot.ok) {
    return slot;
  }
  const answer = await exchange({ slot: slot.value, method: 'GET', path: '/api/v3/products/consumption-coupons' });
  if (!answer.ok) {
    return answer;
  }
  const { status } = answer.value;
  // With a 5xx it is the page of the platform's own gateway as often as that of a machine in between.
  if (isPage(answer.value) && status !== 401 && status < 500) {
    return fail({ kind: 'notThePlatform', status });
  }
  return status < 300 || [400, 401, 403, 422, 429].includes(status)
    ? succeed(undefined)
    : fail(failureOf(answer.value));
}

/** Which step a failure of a call for a stock's products speaks of. */
function stepOf(failure: Failure): StepName {
  // A scope is the client's (API v3 §5 rule 6).
  if (failure.code === 'invalid_scope') {
    return 'client';
  }
  switch (failure.kind) {
    case 'tlsRejected':
      return 'tls';
    case 'unauthorized':
    case 'signInNeeded':
    case 'credentialsRejected':
      return isOfClient(failure) ? 'client' : 'user';
    case 'forbidden':
    case 'badRequest':
      return 'company';
    case 'notFound':
    case 'unprocessable':
      return 'stock';
    default:
      return 'address';
  }
}

/** A report in which the steps before the failed one have passed and those after it were skipped. */
export function reportOf(
  failure: Failure | null,
  failedStep: StepName | null,
  detail: string | null,
  lastStep: StepName,
): ConnectionReport {
  const failed = failedStep === null ? stepNames.length : stepNames.indexOf(failedStep);
  const passed = Math.min(failed, stepNames.indexOf(lastStep) + 1);
  return {
    passed: failure === null,
    steps: stepNames.map((step, place) =>
      place === failed
        ? { step, outcome: 'failed', detail, failure }
        : { step, outcome: place < passed ? 'passed' : 'skipped', detail: null, failure: null },
    ),
  };
}

/**
 * The report as it is for an address without TLS, which this app takes for loopback alone: there was nothing to test.
 */
export function forAddress(platformUrl: string, report: ConnectionReport): ConnectionReport {
  const isPlain = platformUrl.startsWith('http:');
  return {
    ...report,
    steps: report.steps.map((step) =>
      isPlain && step.step === 'tls' && step.outcome === 'passed' ? { ...step, outcome: 'skipped' } : step,
    ),
  };
}

/** Tests what can be tested without a sign-in: address and TLS. */
export async function testAddress(exchange: Exchange, rateLimit: RateLimit): Promise<ConnectionReport> {
  const probed = await probePlatform(exchange, rateLimit, 'person');
  return probed.ok
    ? reportOf(null, null, null, 'tls')
    : reportOf(probed.failure, stepOf(probed.failure) === 'tls' ? 'tls' : 'address', null, 'tls');
}

/** The report of a sign-in that was refused or did not get through; it asks for no company or stock yet. */
function reportOfSignIn(failure: Failure): ConnectionReport {
  const step = stepOf(failure);
  return reportOf(failure, step === 'company' || step === 'stock' ? 'address' : step, null, 'stock');
}

/**
 * Tests the present sign-in against the stocks, one request each, of one product: all of them, or until one answers where
 * `isOneEnough`. Of several that are refused the first is told.
 */
export async function testStocks(
  client: PlatformClient,
  tokens: TokenSource,
  stockIds: readonly Id[],
  isOneEnough = false,
): Promise<ConnectionReport> {
  const token = await tokens.accessToken();
  if (!token.ok) {
    return reportOfSignIn(token.failure);
  }
  let refused: ConnectionReport | null = null;
  for (const stockId of stockIds) {
    const page = await client.listStockProducts(
      { stockId, page: 1, perPage: 1, orderByField: 'code', orderByType: 'asc' },
      { lane: 'person' },
    );
    if (page.ok && isOneEnough) {
      return reportOf(null, null, null, 'stock');
    }
    if (!page.ok) {
      const { kind } = page.failure;
      const failed = reportOf(page.failure, stepOf(page.failure), stockId, 'stock');
      // Of trouble on the way nobody knows whether this stock is allowed.
      if (!isOneEnough || !stockRefusals.some((refusal) => refusal === kind)) {
        return failed;
      }
      refused ??= failed;
    }
  }
  return refused ?? reportOf(null, null, null, 'stock');
}

/**
 * The report with the scopes that the platform offers, as the client's detail (API v3 §4.2): what an administrator
 * needs to know when it answers `invalid_scope`. One request; a platform that does not tell them changes nothing, for
 * its document does not show how to ask.
 */
export async function withScopes(
  report: ConnectionReport,
  client: Pick<PlatformClient, 'listScopes'>,
): Promise<ConnectionReport> {
  const scopes = await client.listScopes({ lane: 'person' });
  if (!scopes.ok) {
    return report;
  }
  const detail = scopes.value.join(', ').slice(0, maxDetailLength).toWellFormed();
  return { ...report, steps: report.steps.map((step) => (step.step === 'client' ? { ...step, detail } : step)) };
}
