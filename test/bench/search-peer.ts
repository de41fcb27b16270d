import { readFileSync } from 'node:fs';
import { Index } from 'flexsearch';
import MiniSearch from 'minisearch';
import { foldText } from '../../app/catalogue/search/words.ts';
import type { ProductCard } from '../../app/contract/products.ts';
import { linesOf } from './lines.ts';
import { percentile } from './statistics.ts';

interface Engine {
  add(id: number, name: string, code: string): void;
  search(text: string): unknown;
}

const hits = 20;
/** A letter that a million names have keeps some libraries busy for seconds: what was measured by then counts. */
const maxSearchingMs = 60_000;

function openEngine(library: string): Engine {
  if (library === 'MiniSearch') {
    const index = new MiniSearch({
      fields: ['name', 'code'],
      processTerm: foldText,
      searchOptions: { prefix: true, combineWith: 'AND' },
    });
    return {
      add: (id, name, code) => {
        index.add({ id, name, code });
      },
      search: (text) => index.search(text).slice(0, hits),
    };
  }
  if (library === 'FlexSearch') {
    const index = new Index({ tokenize: 'forward' });
    return {
      add: (id, name, code) => {
        index.add(id, foldText(`${name} ${code}`));
      },
      search: (text) => index.search(foldText(text), { limit: hits }),
    };
  }
  return { add: () => undefined, search: () => null };
}

const [library = '', cardsPath = '', textsPath = ''] = process.argv.slice(2);
const engine = openEngine(library);
const startedAt = performance.now();
let count = 0;
for await (const line of linesOf(cardsPath)) {
  for (const { name, code } of JSON.parse(line) as ProductCard[]) {
    engine.add(count, name, code ?? '');
    count += 1;
  }
}
const buildMs = performance.now() - startedAt;
const times: number[] = [];
const searchingSince = performance.now();
for (const text of JSON.parse(readFileSync(textsPath, 'utf8')) as string[]) {
  const from = performance.now();
  if (from - searchingSince > maxSearchingMs) {
    break;
  }
  engine.search(text);
  times.push(performance.now() - from);
}
globalThis.gc?.();
console.log(`measured ${JSON.stringify({ buildMs, p50: percentile(times, 0.5), p99: percentile(times, 0.99) })}`);
// Only its end is waited for now.
setInterval(() => engine.search(''), 60_000);
