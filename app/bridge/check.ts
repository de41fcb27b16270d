// What `--check` finds out. It asks for all that a bridge asks for later: else a till would meet the fault first.
import type { Config } from './config.ts';
import { openSharedLedger } from './ledger/shared-ledger.ts';
import { openSource } from './sources/open-source.ts';
import { reasonOf } from './reason.ts';
import type { ShopSource } from './sources/shop-source.ts';

/** So many products of each stock are asked about alone. */
const maxAsked = 5;
const maxNamed = 20;

/** What a source holds, a line each, and everything that is wrong with it. */
export interface Findings {
  readonly lines: readonly string[];
  readonly faults: readonly string[];
}

interface Stock {
  amounts: number;
  /** Some of the products that lie there. */
  readonly some: string[];
}

/** What belongs to products: how much there is, of that how much is of no product, and the first such id. */
class Belongings {
  count = 0;
  stray = 0;
  firstStray = '';

  add(sourceId: string, products: ReadonlySet<string>): void {
    this.count += 1;
    if (!products.has(sourceId)) {
      this.firstStray = this.stray === 0 ? sourceId : this.firstStray;
      this.stray += 1;
    }
  }

  /** What is wrong where nothing belongs to any product. */
  faults(what: string, [product = '']: ReadonlySet<string>): readonly string[] {
    const [stray, known] = [this.firstStray, product].map((id) => JSON.stringify(id));
    return this.count === 0 || this.stray < this.count
      ? []
      : [`no ${what} is of a product: it is said of ${stray}, and products have an id as ${known}`];
  }
}

/** A reading of the whole source, without keeping it. */
class Reading {
  readonly products = new Set<string>();
  readonly barcodes = new Belongings();
  readonly amounts = new Belongings();
  readonly stocks = new Map<string, Stock>();

  /** Throws what the source throws, and RangeError for what no bridge could serve. */
  async read(source: ShopSource): Promise<void> {
    for await (const { products = [], barcodes = [], amounts = [] } of source.read()) {
      for (const { sourceId, barcodes: own } of products) {
        if (this.products.has(sourceId)) {
          throw new RangeError(`the source answers the product ${sourceId} twice`);
        }
        this.products.add(sourceId);
        this.barcodes.count += own.length;
      }
      for (const { sourceId } of barcodes) {
        this.barcodes.add(sourceId, this.products);
      }
      for (const { sourceId, stock, amount } of amounts) {
        this.amounts.add(sourceId, this.products);
        this.#addAmount(sourceId, stock, amount);
      }
    }
    if (this.products.size === 0) {
      throw new RangeError('the source answers no product at all');
    }
  }

  #addAmount(sourceId: string, stock: string, amount: number): void {
    const known = this.stocks.get(stock) ?? { amounts: 0, some: [] };
    known.amounts += 1;
    if (amount !== 0 && known.some.length < maxAsked && this.products.has(sourceId)) {
      known.some.push(sourceId);
    }
    this.stocks.set(stock, known);
  }

  /** Products to ask about in the stock. */
  someOf(stock: string): readonly string[] {
    const some = this.stocks.get(stock)?.some ?? [];
    return some.length > 0 ? some : [...this.products].slice(0, 1);
  }

  faults(): readonly string[] {
    return [...this.barcodes.faults('barcode', this.products), ...this.amounts.faults('amount', this.products)];
  }

  lines(stocks: Config['stocks']): readonly string[] {
    const others = [...this.stocks.keys()].filter((one) => !stocks.some(({ source }) => source === one));
    const named = others.slice(0, maxNamed).map((one) => JSON.stringify(one));
    const { barcodes, amounts } = this;
    return [
      `${this.products.size} products, ${barcodes.count} barcodes`,
      ...stocks.map(
        ({ id, name, source }) => `stock ${id} (${name}): ${this.stocks.get(source)?.amounts ?? 0} amounts`,
      ),
      ...(barcodes.stray + amounts.stray > 0
        ? [`of no product, and not served: ${barcodes.stray} barcodes, ${amounts.stray} amounts`]
        : []),
      ...(others.length > 0 ? [`not served: ${named.join(', ')}`] : []),
    ];
  }
}

/** What goes wrong with the question first, about some products of each stock. */
async function ask(
  question: ((product: string, stock: string) => Promise<unknown>) | null,
  reading: Reading,
  stocks: Config['stocks'],
): Promise<readonly string[]> {
  try {
    for (const { source } of stocks) {
      for (const product of reading.someOf(source)) {
        await question?.(product, source);
      }
    }
    return [];
  } catch (error) {
    return [reasonOf(error)];
  }
}

async function askLedger(address: string): Promise<string> {
  const ledger = openSharedLedger(address);
  try {
    return `the ledger answers; coupons that wait for the source: ${await ledger.countPending()}`;
  } finally {
    await ledger.close();
  }
}

/** Asks ledger and source for everything once, and has it look at what would set a coupon without running it. */
export async function checkSource(config: Config): Promise<Findings> {
  const { stocks } = config;
  const reading = new Reading();
  const faults: string[] = [];
  const ofLedger: string[] = [];
  let source: ShopSource | null = null;
  try {
    if (config.ledger !== undefined) {
      ofLedger.push(await askLedger(config.ledger));
    }
  } catch (error) {
    faults.push(reasonOf(error));
  }
  try {
    source = openSource(config.source, config);
    await reading.read(source);
    faults.push(...reading.faults());
  } catch (error) {
    faults.push(reasonOf(error));
  }
  const lines = [...ofLedger, ...(faults.length === 0 ? reading.lines(stocks) : [])];
  if (source !== null) {
    const { readAmount, readMovements, listBatches, checkCoupon } = source;
    for (const question of [readAmount, readMovements, listBatches, checkCoupon ?? null]) {
      faults.push(...(await ask(question, reading, stocks)));
    }
    await source.close();
  }
  return { lines, faults };
}
