import { succeed } from '../../app/domain/result.ts';
import type { HttpRequest, HttpResponse } from '../../app/ports.ts';
import { places } from '../../app/training/data/world.ts';
import { openBusyTerminal, platformDate, type Step } from './busy-terminal.ts';
import { stockId, type ProductData } from './fixtures.ts';
import { percentile } from './statistics.ts';

const pageSize = 100;
/** Pages that are read and counted, after as many that only warm up. */
const pagesCounted = 60;
const maxMs = 600_000;

interface CopyingFigures {
  /** The longest that any one happening kept the process busy, and the processor's time of the longest. */
  readonly maxBlockMs: number;
  readonly maxBlockCpuMs: number;
  readonly p99BlockMs: number;
  /** Of each hundred products, what storing them took of the processor. */
  readonly pageCpuMs: number;
}

type Fields = Record<string, unknown>;

/** A page of the listing: every third as it was, every third changed in name and barcode, every third new. */
export function pageOf(productData: ProductData, page: number): string[] {
  const first = ((page * 7_919) % Math.max(1, Math.floor(productData.count / pageSize))) * pageSize;
  return productData.textsAt(first, pageSize).map((text, place) => {
    if (page % 3 === 0) {
      return text;
    }
    const element = JSON.parse(text) as { product: Fields };
    const number = page * pageSize + place;
    element.product['name'] = `${String(element.product['name'])} Nova ${number}`;
    element.product['barcode'] = String(2_000_000_000_000 + number);
    if (page % 3 === 1) {
      // Ids beyond 2^53 are written by the digits, which no number holds.
      return JSON.stringify(element).replace(/"id":\d+/, /"id":\d+/.exec(text)?.[0] ?? '');
    }
    element.product['id'] = 5_000_000_000 + number;
    element.product['sku'] = `N${String(number).padStart(8, '0')}`;
    return JSON.stringify(element);
  });
}

/**
 * Reads some pages over the full copy in this data directory, as the terminal for the platform at this address would.
 */
export async function measureCopying(
  directory: string,
  platformUrl: string,
  productData: ProductData,
): Promise<CopyingFigures> {
  let pages = 0;
  const send = ({ url }: HttpRequest): HttpResponse => {
    const { pathname, searchParams } = new URL(url);
    const answer = (body: string): HttpResponse => ({
      status: 200,
      headers: { 'content-type': 'application/json', date: platformDate() },
      body,
    });
    if (pathname === '/oauth/token') {
      return answer(JSON.stringify({ access_token: 'access', refresh_token: 'refresh', expires_in: 86_400 }));
    }
    if (!/\/stocks\/\d+\/products$/.test(pathname)) {
      return answer('{"items":[]}');
    }
    const page = Number(searchParams.get('page') ?? '1');
    const isListing = !searchParams.has('updated_from') && !searchParams.has('product_ids');
    pages += isListing ? 1 : 0;
    const total = isListing ? 1_000_000 : 0;
    const meta = JSON.stringify({
      current_page: page,
      last_page: Math.max(1, total / pageSize),
      per_page: pageSize,
      total,
    });
    return answer(
      `{"data":{"stock_products":[${isListing ? pageOf(productData, page).join(',') : ''}]},"meta":${meta}}`,
    );
  };
  const terminal = await openBusyTerminal({
    directory,
    platformUrl,
    companyId: places.companyId,
    stockId,
    send: (request) => succeed(send(request)),
  });
  try {
    void terminal.call('session:signIn', { email: 'till@example.com', password: 'password' });
    void terminal.call('catalogue:copy', {});
    await terminal.until(() => pages >= pagesCounted, maxMs);
    terminal.forget();
    await terminal.until(() => pages >= 2 * pagesCounted, maxMs);
    const steps: readonly Step[] = terminal.steps();
    return {
      maxBlockMs: Math.max(...steps.map((step) => step.wallMs)),
      maxBlockCpuMs: Math.max(...steps.map((step) => step.cpuMs)),
      p99BlockMs: percentile(
        steps.map((step) => step.wallMs),
        0.99,
      ),
      pageCpuMs: steps.reduce((sum, step) => sum + step.cpuMs, 0) / pagesCounted,
    };
  } finally {
    await terminal.close();
  }
}
