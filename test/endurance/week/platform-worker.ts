// The training platform of a simulated week, in a thread of its own: what it keeps is no part of the terminal's heap.
// It also keeps all evidence, and judges it.
import { workerData, type MessagePort } from 'node:worker_threads';
import type { Id } from '../../../app/domain/int64.ts';
import type { HttpResponse } from '../../../app/ports.ts';
import { TrainingService } from '../../../app/training/service.ts';
import { Products } from '../../../app/training/data/products.ts';
import { openTrainingRepository } from '../../../app/training/data/repository.ts';
import { places } from '../../../app/training/data/world.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { judge, maxInWindow, type BookRow, type Intent } from '../judge.ts';

export interface PlatformOptions {
  readonly port: MessagePort;
  /** Its first element is set to 1 when an answer is in the port. */
  readonly signal: SharedArrayBuffer;
  readonly products: number;
  readonly seed: string;
  readonly startedAt: number;
}

interface SentRequest {
  readonly method: string;
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PlatformProduct {
  readonly id: Id;
  readonly barcode: string | null;
  readonly code: string;
  readonly name: string;
}

interface Conclusion {
  readonly violations: readonly string[];
  readonly requests: number;
  readonly maxInWindow: number;
}

/** Questions of the terminal's side, and their answers. */
export interface PlatformCalls {
  /** A request arrives. */
  arrive(at: number, request: SentRequest): Promise<HttpResponse>;
  /** A request leaves the terminal, whatever becomes of it. */
  leave(uptimeMs: number, key: string | null, body: string): null;
  /** Somebody sells and restocks so many products, and renames one in fifty of these. */
  restock(at: number, count: number): null;
  listProducts(): readonly PlatformProduct[];
  noteIntent(intent: Intent): null;
  noteBooks(rows: readonly BookRow[]): null;
  conclude(): Conclusion;
}

const { port, signal, products: productCount, seed, startedAt } = workerData as PlatformOptions;
const flag = new Int32Array(signal);
const random = createSeededRandom(`${seed}/platform`);
const products = new Products(productCount, 1);
let now = startedAt;
const service = new TrainingService(await openTrainingRepository(null, startedAt), products, () => now);
const settingsBefore = new Map(service.couponSettings());
const intents: Intent[] = [];
const rows: BookRow[] = [];
const leftAtMs: number[] = [];
const arrivedAtMs: number[] = [];
const keyed: { readonly idempotencyKey: string; readonly body: string }[] = [];
let refused = 0;

const calls: PlatformCalls = {
  arrive: async (at, request) => {
    now = at;
    arrivedAtMs.push(at);
    const { answer } = await service.handle(request);
    refused += answer.status === 429 ? 1 : 0;
    return answer;
  },
  leave: (uptimeMs, key, body) => {
    leftAtMs.push(uptimeMs);
    if (key !== null) {
      keyed.push({ idempotencyKey: key, body });
    }
    return null;
  },
  restock: (at, count) => {
    now = at;
    for (let place = 0; place < count; place += 1) {
      const product = String(products.idAt(random.integer(0, productCount - 1)));
      service.changeBalance(places.stockIds[0], product, random.integer(0, 200));
      if (place % 50 === 0) {
        service.renameProduct(product, `Sample ${random.integer(1, 9_999)}`);
      }
    }
    return null;
  },
  listProducts: () =>
    Array.from({ length: productCount }, (_, index) => ({
      id: String(products.idAt(index)) as Id,
      barcode: products.barcodesAt(index)[0] ?? null,
      code: products.codeAt(index),
      name: products.nameAt(index),
    })),
  noteIntent: (intent) => (intents.push(intent), null),
  noteBooks: (newRows) => (rows.push(...newRows), null),
  conclude: () => ({
    violations: [
      ...judge({
        intents,
        restorations: [],
        books: { switches: rows, restorations: [] },
        effects: service.effects,
        keyed,
        leftAtMs,
        settingsBefore,
        settingsAfter: service.couponSettings(),
      }).map(({ rule, what }) => `${rule} ${what}`),
      ...(refused > 0 ? [`K6 the platform refused ${refused} requests for its limit`] : []),
    ],
    requests: arrivedAtMs.length,
    maxInWindow: maxInWindow(arrivedAtMs),
  }),
};

interface Call {
  readonly name: keyof PlatformCalls;
  readonly parameters: never[];
}

async function answerCall({ name, parameters }: Call): Promise<void> {
  port.postMessage(await (calls[name] as (...given: unknown[]) => unknown)(...parameters));
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
}

port.on('message', (call: Call) => void answerCall(call));
