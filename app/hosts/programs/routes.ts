// The routes below /v1, the same whichever way a program has come in.
import type { IncomingMessage } from 'node:http';
import type { Failure, FailureKind } from '../../domain/failure.ts';
import { parseJson } from '../../domain/json.ts';
import type { Result } from '../../domain/result.ts';
import type { Clock } from '../../ports.ts';
import { couponChoiceSchema, type ProgramCalls } from './answers.ts';
import { describePrograms } from './openapi.ts';
import { createPace, readBody, refuse, type Answer } from './quick-server.ts';

export interface RoutesParts {
  readonly calls: ProgramCalls;
  readonly clock: Clock;
  /** Whether who has sent this may switch coupons now. */
  readonly mayChangeCoupons: (request: IncomingMessage) => boolean;
  /** How fast programs may ask. */
  readonly pace: { readonly perSecond: number; readonly atOnce: number };
}

export type Routes = ReturnType<typeof createRoutes>;

/** So many switches are more than any till needs, and do not fill the queue in an afternoon. */
const switches = { perSecond: 1, atOnce: 60 };

const statusOf: Partial<Record<FailureKind, number>> = {
  inputInvalid: 400,
  locked: 403,
  signInNeeded: 403,
  notInPractice: 403,
  notFoundHere: 404,
  notReady: 503,
  queueFull: 503,
};

const couponPath = /^\/v1\/coupons\/(\d{1,19})$/;
const readPaths = ['/v1/lookup', '/v1/queue', '/v1/status', '/v1/openapi.json', '/v1/events'];

function answerOf(result: Result<object, Failure>): Answer {
  return result.ok
    ? { status: 200, body: result.value }
    : refuse(statusOf[result.failure.kind] ?? 500, result.failure.kind);
}

/** Whether both lists of a request's address name nothing that is not asked here. */
export function addressOf({ url = '' }: Pick<IncomingMessage, 'url'>): URL | null {
  // Joined, not resolved: "//other" is a path here, not the name of another host.
  return url.startsWith('/') ? URL.parse(`http://tillside${url}`) : null;
}

/** Makes what answers. */
export function createRoutes({ calls, clock, mayChangeCoupons, pace }: RoutesParts) {
  const wait = createPace(clock, pace.perSecond, pace.atOnce);
  const waitToSwitch = createPace(clock, switches.perSecond, switches.atOnce);
  const slowDown = (seconds: number): Answer | null =>
    seconds === 0 ? null : refuse(429, 'tooMany', { 'Retry-After': String(seconds) });

  async function switchCoupon(request: IncomingMessage, productId: string): Promise<Answer> {
    if (!mayChangeCoupons(request)) {
      return refuse(403, 'notAllowed');
    }
    if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
      return refuse(415, 'notJson');
    }
    const body = await readBody(request);
    if (body === null) {
      return refuse(413, 'tooLarge');
    }
    const choice = couponChoiceSchema.safeParse(parseJson(body));
    if (!choice.success) {
      return refuse(400, 'inputInvalid');
    }
    const { isOn, shop } = choice.data;
    const tooMany = slowDown(waitToSwitch());
    if (tooMany !== null) {
      return tooMany;
    }
    // While the body came, the token may have become another, or practice have ended.
    if (!mayChangeCoupons(request)) {
      return refuse(403, 'notAllowed');
    }
    // mutant: a program switches a coupon of another shop
    if (shop !== undefined && shop !== (await calls.shop())) {
      return refuse(409, 'otherShop');
    }
    return answerOf(await calls.switchCoupon(productId, isOn, shop));
  }

  async function read(path: string, query: URLSearchParams): Promise<Answer> {
    switch (path) {
      case '/v1/lookup':
        return answerOf(await calls.lookUp(query.get('code') ?? ''));
      case '/v1/queue':
        return answerOf(await calls.queue());
      case '/v1/status':
        return answerOf(await calls.status(clock.now()));
      case '/v1/openapi.json':
        return { status: 200, body: describePrograms() };
      default:
        return refuse(426, 'webSocketNeeded', { Upgrade: 'websocket' });
    }
  }

  return {
    /** Null where one more may be answered now. */
    tooMany: (): Answer | null => slowDown(wait()),
    /** Answers a request whose sender has shown the token. */
    answer: async (request: IncomingMessage): Promise<Answer> => {
      const address = addressOf(request);
      const path = address?.pathname ?? '';
      const productId = couponPath.exec(path)?.[1];
      if (address === null || (productId === undefined && !readPaths.includes(path))) {
        return refuse(404, 'noSuchPath');
      }
      const method = productId === undefined ? 'GET' : 'PUT';
      if (request.method !== method) {
        return refuse(405, 'noSuchMethod', { Allow: method });
      }
      const tooMany = slowDown(wait());
      if (tooMany !== null) {
        return tooMany;
      }
      return productId === undefined ? read(path, address.searchParams) : switchCoupon(request, productId);
    },
  };
}
