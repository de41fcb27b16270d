// The main process of scenes, as far as it is the real one: the contract and the handlers of counts and of the queue, over
// databases of each scene and a scripted copy of the listing. The page's pretended bridge asks it over the page's own
// host, and hears with the answer what it has changed.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import type { Handlers } from '../../app/contract/bridge.ts';
import type { ProductCard } from '../../app/contract/products.ts';
import type { StocktakeLine } from '../../app/contract/stocktakes.ts';
import type { Catalogue } from '../../app/catalogue/catalogue.ts';
import type { Id } from '../../app/domain/int64.ts';
import { succeed } from '../../app/domain/result.ts';
import { dispatch } from '../../app/hosts/dispatch.ts';
import { createNodeClock } from '../../app/hosts/node/node-ports.ts';
import { createStocktakeHandlers } from '../../app/stocktakes/calls.ts';
import type { Subject } from '../../app/stocktakes/lines.ts';
import { stocktakeMigrations } from '../../app/stocktakes/migrations.ts';
import { openStocktakeRepository, type StocktakeRepository } from '../../app/stocktakes/repository.ts';
import { createStocktakes } from '../../app/stocktakes/stocktakes.ts';
import { Database } from '../../app/storage/database.ts';
import type { Clock } from '../../app/ports.ts';
import type { HostAnswer, Scene } from './fake-bridge.ts';
import { openSceneQueue, type ScenePart } from './scene-queue.ts';

type CopyPort = Pick<Catalogue, 'read' | 'nameOf' | 'identify' | 'exportPage' | 'state'>;
type Product = Omit<ProductCard, 'coupon' | 'minimum'>;

const shop = { platform: 'https://platform.example.com', companyId: '7' as Id, stockIds: ['11' as Id] };
/** The folder in which a page asks. */
const hostPath = '/host/';

/** A copy with four products, in one stock each. */
function scriptedCopy({ nowMs, state }: Scene): CopyPort {
  const productOf = (number: string, name: string, unit: string, amount: number | null): Product => ({
    stockId: '11' as Id,
    stockName: 'Loja',
    productId: number as Id,
    code: `A-${number}`,
    name,
    unit,
    barcodes: [`78900000${number.padStart(5, '0')}`],
    balance: { amount, asOf: amount === null ? null : nowMs - 23 * 60_000, source: amount === null ? null : 'listing' },
    options: [],
    extra: [],
  });
  const products = [
    productOf('101', 'Café torrado e moído Serra Clara 500 g', 'PACOTE', 148),
    productOf('102', 'Queijo minas frescal', 'KG', 3.475),
    productOf('103', 'Camiseta básica de algodão', 'UNID', 24),
    productOf('106', 'Açaí com guaraná 200 ml', 'POTE', null),
  ];
  const find = (productId: Id): Product | undefined => products.find((one) => one.productId === productId);
  const hitOf = ({ barcodes: _barcodes, options: _options, extra: _extra, ...hit }: Product) => hit;
  const plain = { ofCase: null, layout: null, facts: [], fault: null };
  return {
    read: (_stockId, productId) => find(productId) ?? null,
    nameOf: (productId) => find(productId) ?? null,
    identify: (text, source) => {
      const exact = products.filter(({ code, barcodes }) => code === text || barcodes.includes(text));
      const named = products.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
      const found = source === 'scan' || exact.length > 0 ? exact : named;
      if (found.length > 1) {
        return { kind: 'several', text, read: { ...plain, as: 'search' }, hits: found.map(hitOf) };
      }
      return found.length === 1
        ? { kind: 'found', text, read: { ...plain, as: 'barcode' }, cards: found }
        : { kind: 'unknown', text, asked: false };
    },
    exportPage: ({ query }) => {
      const hits = products.filter(({ name }) => name.toLowerCase().includes(query.term)).map(hitOf);
      const rest = { turnedAt: null, minimum: null, updatedAt: null, updatedBy: 'platform' as const, barcodes: [] };
      const rows = hits.map((hit) => ({ ...rest, hit }));
      return Promise.resolve(
        succeed({ view: 1, total: rows.length, found: rows.length, isWhole: true, rows }),
      ) as ReturnType<CopyPort['exportPage']>;
    },
    state: () => state.catalogue,
  };
}

/** Counts that line, and once before against another figure where that has moved since. */
function addLine({ lines }: StocktakeRepository, id: number, line: StocktakeLine): void {
  const { productId, code, name, unit, miss, quantity, figure, figureAsOf, countedAt, countedBy } = line;
  const subject: Subject =
    productId === null
      ? { productId, code: code ?? '', miss: miss ?? 'unknown' }
      : { productId, code, name: name ?? '', unit };
  const shown = { amount: figure, asOf: figureAsOf };
  if (quantity === null) {
    lines.expect(id, [{ subject, figure: shown }]);
    return;
  }
  const entry = { at: countedAt ?? 0, email: countedBy, text: code ?? '' };
  if (line.hasFigureMoved) {
    lines.add(id, subject, { ...entry, quantity: 0, figure: { ...shown, amount: (figure ?? 0) + 1 } });
  }
  lines.add(id, subject, { ...entry, quantity, figure: shown });
}

/** The first of them becomes the newest. */
async function keepCounts(path: string, { stocktakes = [], lines = [] }: Scene): Promise<void> {
  const database = await Database.open(path, { kind: 'precious', migrations: stocktakeMigrations });
  const repository = openStocktakeRepository(database, shop);
  database.transaction(() => {
    for (const count of stocktakes.toReversed()) {
      const { startedAt, startedBy, closedAt } = count;
      const prepared = repository.prepare({ ...count, at: startedAt, email: startedBy });
      if (!prepared.ok) {
        throw new Error(`more counts than can be kept: ${prepared.failure.kind}`);
      }
      const id = prepared.value;
      lines.toReversed().forEach((line) => addLine(repository, id, line));
      if (closedAt === null) {
        repository.open(id);
      } else {
        repository.close(id, closedAt);
      }
    }
  });
  database.close();
}

async function openCounts(
  folder: string,
  clock: Clock,
  scene: Scene,
  complain: (words: string) => void,
): Promise<ScenePart> {
  const path = join(folder, 'stocktakes.db');
  await keepCounts(path, scene);
  const stocktakes = createStocktakes({ path, shop, clock, pause: () => Promise.resolve(true), onSetAside: complain });
  const open = { stocktakes, catalogue: scriptedCopy(scene), session: { state: () => scene.state.session } };
  return {
    handlers: createStocktakeHandlers((action) => Promise.resolve(action(open)), clock),
    close: () => stocktakes.close(),
  };
}

interface SceneHost {
  /** Answers a call as a host does: the contract's input and output, and a bug in words. */
  answer(channel: string, input: unknown): Promise<HostAnswer>;
  close(): Promise<void>;
}

function openSceneHost(scene: Scene, complain: (words: string) => void): SceneHost {
  const folder = mkdtempSync(join(tmpdir(), 'tillside-scene-'));
  const clock = { ...createNodeClock(), now: () => scene.nowMs };
  const log = (_level: string, words: string, details?: unknown): void =>
    complain(`${words} ${JSON.stringify(details)}`);
  const opening = new Map<string, Promise<ScenePart>>();

  /** A part is opened when something is asked of it. */
  function partOf(channel: string): Promise<ScenePart> {
    const name = channel.startsWith('stocktake:') ? 'counts' : 'queue';
    const part =
      opening.get(name) ??
      (name === 'counts' ? openCounts(folder, clock, scene, complain) : openSceneQueue(folder, clock, scene));
    opening.set(name, part);
    return part;
  }

  return {
    answer: async (channel, input) => {
      const { handlers, changes } = await partOf(channel);
      const answer = await dispatch(handlers as Handlers, channel, input, log);
      return { answer, queue: changes?.() ?? null };
    },
    close: async () => {
      for (const part of opening.values()) {
        await (await part).close();
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The main processes of the scenes that are shown. */
export interface SceneHosts {
  /** Answers under which key the page of this scene asks. */
  add(scene: Scene): string;
  /** Answers a page's call; false for any other request. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  close(): Promise<void>;
}

/** Opens none before a page asks. `complain` hears of bugs and of what is not the contract's. */
export function createSceneHosts(complain: (words: string) => void): SceneHosts {
  const hosts = new Map<string, { readonly scene: Scene; host: SceneHost | null }>();

  async function answer(key: string, channel: string, body: string): Promise<HostAnswer> {
    const kept = hosts.get(key);
    if (kept === undefined) {
      throw new Error(`no scene ${key}`);
    }
    kept.host ??= openSceneHost(kept.scene, complain);
    return kept.host.answer(channel, JSON.parse(body));
  }

  return {
    add: (scene) => {
      const key = randomUUID();
      hosts.set(key, { scene, host: null });
      return key;
    },
    handle: (request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      if (!pathname.startsWith(hostPath)) {
        return false;
      }
      const [key = '', channel = ''] = pathname.slice(hostPath.length).split('/');
      readText(request)
        .then((body) => answer(key, channel, body))
        .then(
          (result) => response.setHeader('content-type', 'application/json').end(JSON.stringify(result)),
          (error: unknown) => {
            complain(String(error));
            response.writeHead(500).end();
          },
        );
      return true;
    },
    close: async () => {
      for (const { host } of hosts.values()) {
        await host?.close();
      }
    },
  };
}
