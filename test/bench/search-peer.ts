import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Index } from 'flexsearch';
import MiniSearch from 'minisearch';
import { foldText } from '../../app/domain/fold.ts';
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

/** As the documentation has it: trigrams find words of three letters and more, the others are compared by LIKE. */
function openTrigrams(path: string): Engine {
  const database = new DatabaseSync(path);
  database.exec("CREATE VIRTUAL TABLE cards USING fts5 (text, tokenize = 'trigram')");
  const insert = database.prepare('INSERT INTO cards (rowid, text) VALUES (?, ?)');
  const statements = new Map<number, ReturnType<DatabaseSync['prepare']>>();
  database.exec('BEGIN');
  return {
    add: (id, name, code) => {
      insert.run(id, foldText(`${name} ${code}`));
    },
    search: (text) => {
      if (database.isTransaction) {
        database.exec('COMMIT');
      }
      const words = foldText(text)
        .split(/[^\p{L}\p{N}]+/u)
        .filter((word) => word !== '');
      const long = words.filter((word) => word.length >= 3);
      const short = words.filter((word) => word.length < 3);
      const key = 100 * short.length + Math.min(1, long.length);
      const conditions = [...(long.length === 0 ? [] : ['cards MATCH ?']), ...short.map(() => 'text LIKE ?')];
      const statement =
        statements.get(key) ??
        database.prepare(
          `SELECT rowid FROM cards ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`} LIMIT ${hits}`,
        );
      statements.set(key, statement);
      const match = long.length === 0 ? [] : [long.map((word) => `"${word}"`).join(' AND ')];
      return statement.all(...match, ...short.map((word) => `%${word}%`));
    },
  };
}

function openEngine(library: string, indexPath: string): Engine {
  if (library === 'SQLite FTS5') {
    return openTrigrams(indexPath);
  }
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
const engine = openEngine(library, `${textsPath}.fts5`);
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
