// A bridge over a shop's SQLite database, asked as tills ask, beside a server that does nothing but send the same bytes.
import { Agent } from 'node:http';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { projectDirectory } from '../../../build/project.ts';
import { startChild, type Child } from '../../support/child.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { readTree } from '../process-tree.ts';
import { median, percentile } from '../statistics.ts';
import type { Figure } from '../table.ts';
import { send, sendAtPace, type Wanted } from './service-load.ts';

const perSecond = 500;
const secondsEach = 10;
const listingsPerSecond = 20;
const applications = 200;
const readTimeoutMs = 600_000;
const megabyte = 1_000_000;
const barcodeOf = (place: number): string => String(9_520_000_000_000 + place);
const queries = {
  products: 'SELECT id, title AS name, sku AS code, unit, price FROM item',
  barcodes: 'SELECT id AS product, ean AS barcode FROM item',
  stock: "SELECT id AS product, 'store' AS stock, qty AS amount FROM item",
  amount: "SELECT qty AS amount FROM item WHERE id = :product AND :stock = 'store'",
};

function makeShop(path: string, products: number): void {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
    CREATE TABLE item (id INTEGER PRIMARY KEY, title TEXT, sku TEXT, unit TEXT, price REAL, ean TEXT, qty REAL)`);
  const insert = database.prepare('INSERT INTO item VALUES (?, ?, ?, ?, ?, ?, ?)');
  const random = createSeededRandom('shop');
  const words = ['Arroz', 'Feijão', 'Café', 'Açúcar', 'Biscoito', 'Sabão', 'Leite', 'Óleo', 'Farinha', 'Macarrão'];
  database.exec('BEGIN');
  for (let place = 1; place <= products; place += 1) {
    const title = `${random.pick(words)} ${random.pick(words)} ${place} g`;
    insert.run(place, title, `SKU-${place}`, 'UN', random.integer(0, 9000) / 100, barcodeOf(place), place % 97);
  }
  database.exec('COMMIT');
  database.close();
}

function writeConfig(directory: string): string {
  const path = join(directory, 'shop.json');
  writeFileSync(join(directory, 'secret'), 'a-secret-for-benches', { mode: 0o600 });
  writeFileSync(
    path,
    JSON.stringify({
      listen: { port: 0 },
      folder: 'bridge',
      timeZone: 'America/Sao_Paulo',
      // The pace of all is what is measured, not whom it belongs to.
      requestsPerMinute: 600,
      company: { id: '1', name: 'Mercearia de Exemplo' },
      stocks: [{ id: '1', name: 'Loja', source: 'store' }],
      applications: Array.from({ length: applications }, (_, place) => ({
        clientId: `till-${place}`,
        secret: { file: 'secret' },
      })),
      users: [{ id: '7', email: 'caixa@example.com', password: { file: 'secret' } }],
      source: { kind: 'sql', database: 'sqlite:shop.db', queries, everySeconds: 86_400 },
    }),
  );
  return path;
}

/** The headers of each application, signed in. */
async function signInAll(origin: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const shared = {
    username: 'caixa@example.com',
    password: 'a-secret-for-benches',
    client_secret: 'a-secret-for-benches',
  };
  return Promise.all(
    Array.from({ length: applications }, async (_, place) => {
      const answer = await fetch(`${origin}/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ grant_type: 'password', client_id: `till-${place}`, scope: '*', ...shared }),
      });
      const { access_token: token } = (await answer.json()) as { readonly access_token: string };
      return {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json',
        'service-company-id': '1',
      };
    }),
  );
}

/** Requests as tills send them: live figures of scans, codes that are not in a copy yet, and a page of the listing now and then. */
function draw(
  count: number,
  products: number,
  headers: readonly Readonly<Record<string, string>>[],
): readonly Wanted[] {
  const random = createSeededRandom('requests');
  const product = (): number => random.integer(1, products);
  const pathOf = (): string => {
    const kind = random.fraction();
    if (kind < 0.7) {
      return `/api/v3/stocks/1/products/${product()}/balance`;
    }
    return kind < 0.95
      ? `/api/v3/stocks/1/products?term=${barcodeOf(product())}&per_page=30`
      : `/api/v3/stocks/1/products?page=${random.integer(1, 50)}&per_page=100`;
  };
  return Array.from({ length: count }, (_, place) => ({
    path: pathOf(),
    headers: headers[place % applications] ?? {},
  }));
}

/** Pages of the whole listing, from its first to its last. */
function drawPages(
  count: number,
  products: number,
  headers: readonly Readonly<Record<string, string>>[],
): readonly Wanted[] {
  const pages = Math.ceil(products / 100);
  return Array.from({ length: count }, (_, place) => ({
    path: `/api/v3/stocks/1/products?page=${1 + Math.floor((place * pages) / count)}&per_page=100`,
    headers: headers[place % applications] ?? {},
  }));
}

async function waitUntilRead(origin: string): Promise<void> {
  const until = performance.now() + readTimeoutMs;
  while (performance.now() < until) {
    const { status } = await fetch(`${origin}/health`);
    if (status === 200) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the bridge did not read its source');
}

/** The answers that the server gives to these, by path. */
async function answersOf(origin: string, wanted: readonly Wanted[]): Promise<Readonly<Record<string, string>>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const answers: Record<string, string> = {};
  for (const one of wanted) {
    const [status, body] = await send(origin, one, agent);
    if (status !== 200) {
      throw new Error(`${one.path} was answered ${status}: ${body}`);
    }
    answers[one.path] = body;
  }
  agent.destroy();
  return answers;
}

interface Round {
  readonly p50: number;
  readonly p99: number;
  /** Of the processor, for one request. */
  readonly processorMs: number;
}

async function measure(child: Child, origin: string, wanted: readonly Wanted[], pace: number): Promise<Round> {
  const processId = child.process.pid ?? 0;
  const before = readTree(processId).processorMs;
  const { tookMs, failed } = await sendAtPace(origin, wanted, pace);
  if (failed > 0) {
    throw new Error(`${failed} of ${wanted.length} requests were not answered`);
  }
  return {
    p50: percentile(tookMs, 0.5),
    p99: percentile(tookMs, 0.99),
    processorMs: (readTree(processId).processorMs - before) / wanted.length,
  };
}

/** Measures a bridge over so many products, in the folder. */
export async function measureService(directory: string, products: number, rounds: number): Promise<readonly Figure[]> {
  mkdirSync(directory, { recursive: true });
  makeShop(join(directory, 'shop.db'), products);
  const startedMs = performance.now();
  const bridge = startChild(process.execPath, [
    `--import=${join(projectDirectory, 'build/command.mjs')}`,
    join(projectDirectory, 'build/bridge.ts'),
    '--config',
    writeConfig(directory),
  ]);
  const [, origin = ''] = await bridge.waitForLine(/"address":"([^"]+)"/);
  await waitUntilRead(origin);
  const readMs = performance.now() - startedMs;
  const headers = await signInAll(origin);
  const mixed = draw(perSecond * secondsEach, products, headers);
  const pages = drawPages(listingsPerSecond * secondsEach, products, headers);
  const answersFile = join(directory, 'answers.json');
  // Before it is measured, each page and product is read once: both servers answer what they know.
  const answers = await answersOf(origin, [...mixed, ...pages]);
  writeFileSync(answersFile, JSON.stringify(answers));
  const bare = startChild(process.execPath, [join(import.meta.dirname, 'bare-server.ts'), answersFile]);
  const [bareOrigin] = await bare.waitForLine(/^http.*$/);
  const found: { readonly own: Round; readonly ownPages: Round; readonly peer: Round; readonly peerPages: Round }[] =
    [];
  for (let round = 0; round < rounds; round += 1) {
    found.push({
      own: await measure(bridge, origin, mixed, perSecond),
      peer: await measure(bare, bareOrigin, mixed, perSecond),
      ownPages: await measure(bridge, origin, pages, listingsPerSecond),
      peerPages: await measure(bare, bareOrigin, pages, listingsPerSecond),
    });
  }
  const [residentBytes, peerBytes] = [bridge, bare].map(({ process: { pid } }) => readTree(pid ?? 0).residentBytes);
  await bridge.stop();
  await bare.stop();
  const figure = (name: string, own: 'own' | 'ownPages', key: keyof Round, aim?: number): Figure => ({
    name,
    unit: 'ms',
    value: median(found.map((round) => round[own][key])),
    peers: [
      {
        name: 'a bare server with the same bytes',
        value: median(found.map((round) => round[own === 'own' ? 'peer' : 'peerPages'][key])),
      },
    ],
    ...(aim === undefined ? {} : { aim }),
  });
  const mix = `${perSecond} requests a second`;
  return [
    figure(`${mix}, p50`, 'own', 'p50'),
    figure(`${mix}, p99`, 'own', 'p99', 20),
    figure(`${mix}: processor for each`, 'own', 'processorMs'),
    figure('a page of 100 anywhere in the listing, p50', 'ownPages', 'p50'),
    figure('a page of 100 anywhere in the listing, p99', 'ownPages', 'p99', 50),
    {
      name: 'memory after that',
      unit: 'MB',
      value: (residentBytes ?? Number.NaN) / megabyte,
      peers: [{ name: 'a bare server with the same bytes', value: (peerBytes ?? Number.NaN) / megabyte }],
      aim: 150,
    },
    { name: 'until the source was read', unit: 'ms', value: readMs, peers: [] },
  ];
}
