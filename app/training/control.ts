import { randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { panelChangeSchema, type PanelAction, type PanelState } from '../contract/training-panel.ts';
import { parseJson } from '../domain/json.ts';
import { answerJson, errorCodes, type PlatformAnswer, type PlatformRequest } from '../service/answers.ts';
import type { TrainingService } from './service.ts';
import { applications, stocks, users } from './data/world.ts';
import { conditionTable, defaultConditions } from './options/network-conditions.ts';
import type { PracticeHub } from './hub.ts';
import { readOptions } from '../service/option.ts';
import { defaultVariants, variantTable } from './options/variants.ts';

const shownArrivals = 60;
const maxBodyLength = 64 * 1024;

const faultSchema = z.strictObject({
  kind: z.enum([
    'dropBeforeEffect',
    'dropAfterEffect',
    'hangBeforeEffect',
    'hangAfterEffect',
    'answer',
    'captivePortal',
    'proxyPage',
    'truncate',
  ]),
  status: z.literal([400, 401, 403, 404, 405, 409, 413, 422, 429, 500, 502, 503, 504]).exactOptional(),
  code: z.enum(errorCodes).exactOptional(),
  field: z.string().min(1).max(100).exactOptional(),
  isEffectApplied: z.boolean().exactOptional(),
  retryAfterSeconds: z.number().int().min(0).max(86_400).exactOptional(),
  method: z.enum(['GET', 'POST', 'PUT']).exactOptional(),
  path: z.string().max(500).exactOptional(),
  times: z.number().int().min(1).max(1_000_000).exactOptional(),
});

const changeSchema = panelChangeSchema.extend({ faults: z.array(faultSchema).max(100).optional() });

/** The built page of the panel, with what it loads. */
export interface PanelFiles {
  read(
    pathname: string,
  ): Readonly<{ status: number; headers: Readonly<Record<string, string>>; body: Buffer | string }>;
}
type ControlAnswer = ReturnType<PanelFiles['read']>;

export interface Control {
  /** The key of this run, for `Authorization: Bearer`. */
  readonly key: string;
  /** Answers a request whose path `isControlPath`. */
  handle(request: PlatformRequest): Promise<ControlAnswer>;
}

/** Where the page lies. */
export const panelPath = '/control/';

/** True for the paths that this file answers. */
export function isControlPath(target: string): boolean {
  return target.startsWith(panelPath);
}

/** The page brings its own policy. */
const guardingHeaders = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
} as const;

function guard({ status, headers, body }: ControlAnswer): ControlAnswer {
  const guarded: Record<string, string> = { ...guardingHeaders };
  for (const [name, value] of Object.entries(headers)) {
    guarded[name.toLowerCase()] = value;
  }
  return { status, headers: guarded, body };
}

function refuseControl(status: number, message: string): PlatformAnswer {
  return answerJson(status, { message });
}

function readState(service: TrainingService, platformUrl: string): PanelState {
  return {
    platformUrl,
    applications: applications.filter((application) => !application.isDeactivated),
    companies: service.users.companies(),
    stocks: stocks.map(({ id: stockId, name, companyId }) => ({ id: stockId, name, companyId })),
    users: users.map((user) => ({
      id: user.id,
      email: user.email,
      password: user.password,
      isActive: service.users.isActive(user.id),
      canBeDeleted: user.isDeleted,
    })),
    productCount: service.products.count,
    firstProductId: service.products.count === 0 ? null : String(service.products.idAt(0)),
    variants: service.variants,
    variantTable,
    conditions: service.conditions.values,
    conditionTable,
    arrivals: service.arrivals.slice(-shownArrivals),
    arrivalCount: service.arrivals.length,
    effects: service.effects.slice(-shownArrivals),
  };
}

function act(service: TrainingService, action: PanelAction): void {
  switch (action.do) {
    case 'expireAccessTokens':
      service.expireAccessTokens();
      break;
    case 'revokeRefreshTokens':
      service.revokeRefreshTokens();
      break;
    case 'reset':
      service.setVariants(defaultVariants);
      service.conditions.change(defaultConditions);
      service.faults.set({});
      break;
    case 'changeCoupon':
      service.changeCouponSetting(action.productId, action.isEnabled);
      break;
    case 'changeBalance':
      service.changeBalance(action.stockId, action.productId, action.amount);
      break;
    case 'renameProduct':
      service.renameProduct(action.productId, action.name);
      break;
    case 'removeProduct':
      service.removeProduct(action.productId, action.isRemoved);
      break;
    case 'deleteUser':
      service.users.delete(action.userId);
      break;
  }
}

/** Makes the control of the service; `host` is the platform's own name and port, `panel` null where none was built. */
export function createControl(
  service: TrainingService,
  host: () => string,
  panel: PanelFiles | null,
  hub: PracticeHub,
): Control {
  const key = randomBytes(24).toString('base64url');
  const origin = (): string => `http://${host()}`;

  const isKnown = ({ headers }: PlatformRequest): boolean => {
    const given = Buffer.from(/^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? '');
    const expected = Buffer.from(key);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };

  const isFromOwnPage = ({ headers }: PlatformRequest): boolean => {
    const site = headers['sec-fetch-site'];
    return (
      (headers['origin'] ?? origin()) === origin() && (site === undefined || site === 'same-origin' || site === 'none')
    );
  };

  const change = (body: string): PlatformAnswer => {
    const parsed = changeSchema.safeParse(parseJson(body));
    if (!parsed.success) {
      return refuseControl(422, z.prettifyError(parsed.error).slice(0, 1000));
    }
    try {
      // All names and values are read before anything is changed.
      const variants = readOptions(variantTable, parsed.data.variants ?? {});
      const conditions = readOptions(conditionTable, parsed.data.conditions ?? {});
      service.setVariants(variants);
      service.conditions.change(conditions);
      if (parsed.data.faults !== undefined) {
        service.faults.set({ faults: parsed.data.faults });
      }
      for (const action of parsed.data.actions ?? []) {
        act(service, action);
      }
    } catch (error) {
      if (error instanceof RangeError) {
        return refuseControl(422, error.message);
      }
      throw error;
    }
    return answerJson(200, readState(service, origin()));
  };

  const readPanel = (pathname: string): ControlAnswer =>
    panel?.read(pathname) ?? refuseControl(503, 'the control panel has not been built: run "npm run build"');

  const answer = async (request: PlatformRequest): Promise<ControlAnswer> => {
    const { method, target } = request;
    const path = target.replace(/\?.*$/, '');
    const route = `${method} ${path}`;
    // The page itself, which holds nothing, may be reached by a link.
    if (route !== `GET ${panelPath}` && !isFromOwnPage(request)) {
      return refuseControl(403, 'the control panel answers its own page and programs on this machine alone');
    }
    switch (route) {
      case `GET ${panelPath}`:
        return readPanel('/panel.html');
      case 'GET /control/state':
        return isKnown(request)
          ? answerJson(200, readState(service, origin()))
          : refuseControl(401, 'the key of this run is missing or wrong');
      case 'POST /control/change':
        if (!isKnown(request)) {
          return refuseControl(401, 'the key of this run is missing or wrong');
        }
        return request.body === null || request.body.length > maxBodyLength
          ? refuseControl(413, 'too long')
          : change(request.body);
      case 'POST /control/hub':
        return isKnown(request)
          ? hub.answer(parseJson(request.body ?? ''))
          : refuseControl(401, 'the key of this run is missing or wrong');
      default:
        return method === 'GET' && path.startsWith(`${panelPath}assets/`)
          ? readPanel(path.slice(panelPath.length - 1))
          : refuseControl(404, 'there is nothing here');
    }
  };

  return { key, handle: async (request) => guard(await answer(request)) };
}
