import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { deflateRawSync } from 'node:zlib';
import type { TFunction } from 'i18next';
import type { ExportedProduct } from '../../app/contract/browse.ts';
import { everyProduct } from '../../app/contract/every-product.ts';
import { maxExported } from '../../app/contract/basics.ts';
import type { Id } from '../../app/domain/int64.ts';
import { succeed } from '../../app/domain/result.ts';
import type { Bridge } from '../../renderer/bridge/bridge.ts';
import { cellOf, type Cell, type FileList } from '../../renderer/files/columns.ts';
import { writeList } from '../../renderer/files/write-list.ts';
import { stockFile } from '../../renderer/stock/stock-file.ts';
import { median } from './statistics.ts';
import type { Figure } from './table.ts';

const rowCount = 100_000;
const aimMs = 10_000;
const kinds = ['xlsx', 'csv'] as const;
const megabyte = 1_000_000;
/** Of the rows, two pages are kept at a time. */
const aimMegabytes = 20;

function productAt(number: number): ExportedProduct {
  const asOf = Date.UTC(2026, 10, 22, 8) - number * 1000;
  return {
    hit: {
      stockId: '11' as Id,
      stockName: 'Loja',
      productId: String(9_007_199_254_740_993n + BigInt(number)) as Id,
      code: `A-${number}`,
      name: `Produto de exemplo ${number}, pacote econômico`,
      unit: 'PACOTE',
      balance: { amount: number / 4, asOf, source: 'listing' },
    },
    barcodes: [String(7_890_000_000_000 + number)],
    minimum: number % 20 === 0 ? 12 : null,
    updatedAt: asOf,
    updatedBy: 'platform',
  };
}

/** The stock table of so many products, read page by page; `onPage` is called before each. */
function openFile(count: number, onPage: () => void = () => undefined): FileList<ExportedProduct> {
  let after = 0;
  const call = () => {
    onPage();
    const from = after;
    after = Math.min(count, from + maxExported);
    const rows = Array.from({ length: after - from }, (_, place) => productAt(from + place));
    return Promise.resolve(
      succeed({ view: 1, total: count, found: count, isWhole: true, rows, next: after === count ? null : after }),
    );
  };
  const t = ((key: string) => key) as TFunction;
  return stockFile({ call } as unknown as Bridge, everyProduct, t);
}

async function write(kind: (typeof kinds)[number], count: number, onPage?: () => void) {
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
  const written = await writeList(openFile(count, onPage), {
    kind,
    language: 'en',
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  if (!written.ok) {
    throw new Error(`the file was not written: ${written.failure.kind}`);
  }
  const { user, system } = process.cpuUsage(cpu);
  return { tookMs: performance.now() - startedAt, cpuMs: (user + system) / 1000 };
}

const escaped = (cell: Cell): string =>
  String(cell ?? '').replaceAll(/[&<>"]/g, (character) => `&#${String(character.codePointAt(0))};`);

/** The same cells by the shortest way: one text, for a workbook one sheet that is packed at once. */
function writeBare(kind: (typeof kinds)[number]): number {
  const { columns } = openFile(rowCount);
  const startedAt = performance.now();
  const lines = Array.from({ length: rowCount }, (_, number) => {
    const product = productAt(number);
    const cells = columns.map((column) => cellOf(column, product));
    return kind === 'csv'
      ? cells.map((cell) => `"${String(cell ?? '').replaceAll('"', '""')}"`).join(',')
      : `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`).join('')}</row>`;
  });
  const bytes = Buffer.from(lines.join('\n'));
  if (kind === 'xlsx') {
    deflateRawSync(bytes);
  }
  return performance.now() - startedAt;
}

/**
 * Measures the most that is in the script's memory while a file of so many rows is written, beyond what was there
 * before.
 */
async function measureMemory(kind: (typeof kinds)[number], count: number): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  let most = before;
  let page = 0;
  await write(kind, count, () => {
    page += 1;
    most = page % 10 === 0 ? Math.max(most, used()) : most;
  });
  return Math.max(0, most - before) / megabyte;
}

/** The stock table of a large copy as a file of each kind. */
export async function measureFiles(rounds: number): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  const rows = (count: number): string => `${count.toLocaleString('en-GB')} rows`;
  for (const kind of kinds) {
    const own: Awaited<ReturnType<typeof write>>[] = [];
    const bare: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      own.push(await write(kind, rowCount));
      bare.push(writeBare(kind));
    }
    figures.push(
      {
        name: `${rows(rowCount)} as ${kind}`,
        unit: 'ms',
        value: median(own.map(({ tookMs }) => tookMs)),
        peers: [
          { name: 'a bare writer of the same cells', value: median(bare) },
          { name: "of the processor's time alone", value: median(own.map(({ cpuMs }) => cpuMs)) },
        ],
        aim: aimMs,
      },
      {
        name: `memory of the script at most while ${rows(rowCount)} become ${kind}`,
        unit: 'MB',
        value: await measureMemory(kind, rowCount),
        peers: [{ name: rows(rowCount / 10), value: await measureMemory(kind, rowCount / 10) }],
        aim: aimMegabytes,
      },
    );
  }
  return figures;
}
