import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Id } from '../domain/int64.ts';
import { isOwnName, oneAtATime } from '../domain/loopback-server.ts';
import type { PracticePlatform } from '../ports.ts';
import { answerJson, refuse, type PlatformAnswer } from '../service/answers.ts';
import { SimulatedActivity } from './simulated-activity.ts';
import { conditionTable, type ConditionValues } from './options/network-conditions.ts';
import { createControl, isControlPath, panelPath, type Control, type PanelFiles } from './control.ts';
import type { CouponEffect } from './coupons.ts';
import { createPracticeHub } from './hub.ts';
import { readOptions } from '../service/option.ts';
import type { FaultPlan } from './options/faults.ts';
import { variantTable, type Variants } from './options/variants.ts';
import { readRequest, sendAnswer, startListening, type WireAnswer } from '../service/http.ts';
import { describeInterface } from '../service/openapi/openapi.ts';
import { Products } from './data/products.ts';
import { TrainingService, type Arrival, type Delivery } from './service.ts';
import { openTrainingRepository, type TrainingRepository } from './data/repository.ts';
import { applications, places, users } from './data/world.ts';

const loopback = '127.0.0.1';
const maxConnections = 200;
const defaultProductCount = 5000;
/** Copied within seconds, and by few requests: the rest of the minute's are for whoever tries things out. */
export const practiceProducts = 1_000;
const defaultSeed = 1;
const portFact = 'port';
const activityEveryMs = 1000;
const descriptionPath = '/openapi.json';

export interface TrainingOptions extends Partial<Variants> {
  /** An existing folder for what survives a restart; null keeps it all in memory. */
  readonly directory: string | null;
  /** 0 lets the system choose. When absent: the port of the last run in this folder if it is free, else as 0. */
  readonly port?: number;
  /** 0 to 1,000,000; 5,000 when absent. */
  readonly productCount?: number;
  /** The same seed makes the same products. */
  readonly seed?: number;
  /** The network conditions at the start; all is well when absent. */
  readonly conditions?: Partial<ConditionValues>;
  /** The built control panel; without it, only programs can change how the platform behaves. */
  readonly panel?: PanelFiles;
  /** Milliseconds since 1970; the machine's clock when absent. */
  readonly now?: () => number;
}

/** A running training platform: what a terminal needs to use it, and what a test needs to trouble it. */
export interface TrainingPlatform extends PracticePlatform {
  readonly otherClient: { readonly clientId: string; readonly clientSecret: string };
  readonly otherUser: { readonly email: string; readonly password: string };
  /** A second company, which has coupons where its variant says so, and its stock, whose id is beyond 2^53. */
  readonly secondCompanyId: Id;
  readonly kioskStockId: Id;
  /** A company that the users may not use. */
  readonly forbiddenCompanyId: Id;
  readonly products: Products;
  setFaults(plan: FaultPlan): void;
  setVariants(variants: Partial<Variants>): void;
  /** Changes some of the conditions; the others stay. */
  change(conditions: Partial<ConditionValues>): void;
  /** Does at once what others do in so many milliseconds at the present rates; it also happens by itself. */
  letPass(elapsedMs: number): void;
  expireAccessTokens(): void;
  revokeRefreshTokens(): void;
  changeCouponSetting(productId: string, isEnabled: boolean): void;
  changeBalance(stockId: string, productId: string, amount: number): void;
  renameProduct(productId: string, name: string): void;
  removeProduct(productId: string, isRemoved?: boolean): void;
  /** Deletes a restored user again. Throws RangeError for any other. */
  deleteUser(userId: string): void;
  couponSettings(companyId?: Id): ReadonlyMap<string, boolean>;
  arrivals(): readonly Arrival[];
  effects(): readonly CouponEffect[];
}

interface Sent {
  readonly answer: WireAnswer;
  readonly wire: Delivery['wire'];
}

function send(response: ServerResponse, { answer, wire }: Sent): void {
  if (wire === 'dropped') {
    response.socket?.destroy();
  }
  if (wire === 'whole' || wire === 'truncated') {
    sendAnswer(response, answer, wire === 'whole' ? 1 : 0.5);
  }
}

function delay(milliseconds: number): Promise<void> {
  return milliseconds <= 0
    ? Promise.resolve()
    : new Promise((resolve) => void setTimeout(resolve, milliseconds).unref());
}

interface Ends {
  readonly service: TrainingService;
  readonly control: Control;
  readonly describe: () => PlatformAnswer;
}

async function listen(
  repository: TrainingRepository,
  wantedPort: number | undefined,
  { service, control, describe }: Ends,
) {
  const { listener } = oneAtATime((incoming: IncomingMessage, response: ServerResponse) => {
    // A caller that hangs up is no error of ours.
    response.on('error', () => {});
    const exchange = async (): Promise<void> => {
      // Before anything of it is looked at: no page of a browser may ask by a name that is led here (DNS rebinding).
      if (!isOwnName(incoming.headers.host, incoming.socket.localPort ?? 0)) {
        const answer = refuse(421, 'bad_request', 'this platform answers programs on this machine alone');
        send(response, { answer: { ...answer, headers: { ...answer.headers, connection: 'close' } }, wire: 'whole' });
        return;
      }
      const request = await readRequest(incoming);
      // A path beside the API has no bad days.
      if (isControlPath(request.target) || (request.method === 'GET' && request.target === descriptionPath)) {
        send(response, {
          answer: request.target === descriptionPath ? describe() : await control.handle(request),
          wire: 'whole',
        });
        return;
      }
      await delay(service.faults.latencyMs + service.conditions.values.latencyMs);
      const delivery = await service.handle(request);
      await delay(service.faults.answerLatencyMs + service.conditions.values.answerLatencyMs);
      send(response, delivery);
    };
    exchange().catch((error: unknown) => {
      // After close() the connection is gone; anything else is a bug that a tester should see.
      if (!response.headersSent && response.socket?.destroyed === false) {
        send(response, { answer: refuse(500, 'internal_server_error', String(error).slice(0, 500)), wire: 'whole' });
      }
    });
  });
  const server = createServer(listener);
  server.maxConnections = maxConnections;
  const tryPort = (port: number): Promise<number> => startListening(server, { host: loopback, port });
  const remembered = Number(repository.readFact(portFact) ?? 0);
  const wanted = wantedPort ?? remembered;
  const port = await tryPort(wanted).catch((error: unknown) => {
    if (wantedPort !== undefined || wanted === 0) {
      throw error;
    }
    return tryPort(0);
  });
  repository.writeFact(portFact, String(port));
  return { server, port };
}

/**
 * Starts the platform on loopback. Throws RangeError for a number of products, a variant or a condition that it cannot
 * have, StorageError when the folder cannot be used, and the system's error when the port is taken.
 */
export async function startTrainingPlatform(options: TrainingOptions): Promise<TrainingPlatform> {
  const {
    directory,
    port: wantedPort,
    productCount = defaultProductCount,
    seed = defaultSeed,
    now = Date.now,
    conditions = {},
    panel = null,
    ...variants
  } = options;
  const products = new Products(productCount, seed);
  const repository = await openTrainingRepository(directory, now());
  const service = new TrainingService(repository, products, now, readOptions(variantTable, variants), seed);
  service.conditions.change(readOptions(conditionTable, conditions));
  const activity = new SimulatedActivity(service, seed);
  let host = '';
  const control = createControl(service, () => host, panel, createPracticeHub(now));
  const describe = (): PlatformAnswer => answerJson(200, describeInterface(`http://${host}`));
  const { server, port } = await listen(repository, wantedPort, { service, control, describe }).catch(
    (error: unknown) => {
      repository.close();
      throw error;
    },
  );
  host = `${loopback}:${port}`;
  const others = setInterval(() => {
    activity.letPass(activityEveryMs);
  }, activityEveryMs);
  others.unref();
  const [application, otherClient] = applications;
  const [user, otherUser] = users;
  let closing: Promise<void> | null = null;

  return {
    platformUrl: `http://${host}`,
    controlUrl: `http://${host}${panelPath}#${control.key}`,
    isNetworkDown: () => service.conditions.values.isNetworkDown,
    setNetworkDown: (isNetworkDown) => {
      service.conditions.change({ isNetworkDown });
    },
    clientId: application.clientId,
    clientSecret: application.clientSecret,
    companyId: places.companyId,
    stockIds: places.stockIds,
    email: user.email,
    password: user.password,
    otherClient,
    otherUser: { email: otherUser.email, password: otherUser.password },
    secondCompanyId: places.secondCompanyId,
    kioskStockId: places.kioskStockId,
    forbiddenCompanyId: places.forbiddenCompanyId,
    products,
    setFaults: (plan) => {
      service.faults.set(plan);
    },
    setVariants: (changed) => {
      service.setVariants(changed);
    },
    change: (changed) => {
      service.conditions.change(changed);
    },
    letPass: (elapsedMs) => {
      activity.letPass(elapsedMs);
    },
    deleteUser: (userId) => {
      service.users.delete(userId);
    },
    expireAccessTokens: () => {
      service.expireAccessTokens();
    },
    revokeRefreshTokens: () => {
      service.revokeRefreshTokens();
    },
    changeCouponSetting: (productId, isEnabled) => {
      service.changeCouponSetting(productId, isEnabled);
    },
    changeBalance: (stockId, productId, amount) => {
      service.changeBalance(stockId, productId, amount);
    },
    renameProduct: (productId, name) => {
      service.renameProduct(productId, name);
    },
    removeProduct: (productId, isRemoved) => {
      service.removeProduct(productId, isRemoved);
    },
    couponSettings: (companyId) => service.couponSettings(companyId),
    arrivals: () => service.arrivals,
    effects: () => service.effects,
    close: () => {
      clearInterval(others);
      closing ??= new Promise((resolve) => {
        server.close(() => {
          repository.close();
          resolve();
        });
        server.closeAllConnections();
      });
      return closing;
    },
  };
}
