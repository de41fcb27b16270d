import { codeForms } from '../../domain/codes/barcode.ts';
import { foldText } from '../../service/fold.ts';
import type { Listing } from '../../service/ports.ts';
import type { Database, SqlValue } from '../../storage/database.ts';

interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Of a term; more narrow nothing down. */
const maxWords = 20;
/** More of them narrow little down. */
const maxParts = 64;
/** Products of one code; more are found by what it begins alone. */
const maxExact = 200;
const signs = { positive: '> 0', negative: '< 0', zero: '= 0' } as const;
const largestPrefix = '\u{10FFFF}';

/** Each three letters of the words, as an expression of FTS5; null where no word has so many. */
function partsOf(words: readonly string[]): string | null {
  const parts = words.flatMap((word) => {
    const letters = [...word];
    return letters.slice(2).map((_, place) => letters.slice(place, place + 3).join(''));
  });
  // FTS5 ends an expression at the character 0. What is left out here narrows less, and finds the same.
  const readable = [...new Set(parts)].filter((part) => !part.includes('\0'));
  const quoted = readable.slice(0, maxParts).map((part) => `"${part.replaceAll('"', '""')}"`);
  return quoted.length === 0 ? null : quoted.join(' AND ');
}

/** Opens what turns the filters of a listing into conditions on the products, for a stock by the source's name. */
export function createConditions(database: Database) {
  const isForm = 'IN (SELECT value FROM json_each(?1))';
  const byCode = database.prepare<{ id: number }>(
    `SELECT id FROM product WHERE code ${isForm} UNION SELECT product_id FROM barcode WHERE barcode ${isForm} LIMIT ${maxExact}`,
  );
  /** The one product that bears the term as code or barcode, in whatever form, else those that it begins, or whose names hold its words. */
  const termCondition = (term: string): Condition => {
    const exact = byCode.all(JSON.stringify(codeForms(term))).map(({ id }) => id);
    const [only] = exact;
    if (only !== undefined && exact.length === 1) {
      return { sql: 'id = ?', values: [only] };
    }
    const words = foldText(term)
      .split(/\s+/)
      .filter((word) => word !== '')
      .slice(0, maxWords);
    const end = term + largestPrefix;
    const parts = partsOf(words);
    const narrowed = parts === null ? '' : 'id IN (SELECT rowid FROM name_part WHERE name_part MATCH ?) AND ';
    const named = words.length === 0 ? 'false' : words.map(() => 'instr(folded, ?) > 0').join(' AND ');
    return {
      sql: `((${narrowed}${named}) OR (code >= ? AND code < ?)
        OR id IN (SELECT product_id FROM barcode WHERE barcode >= ? AND barcode < ?)
        OR id IN (SELECT value FROM json_each(?)))`,
      values: [...(parts === null ? [] : [parts]), ...words, term, end, term, end, JSON.stringify(exact)],
    };
  };
  return (stock: string, listing: Listing): readonly Condition[] => {
    const { productIds, amount, updatedFrom, term } = listing;
    const conditions: Condition[] = [];
    if (productIds !== null) {
      const ids = [...productIds].filter((id) => id <= BigInt(Number.MAX_SAFE_INTEGER)).map(Number);
      conditions.push({ sql: 'id IN (SELECT value FROM json_each(?))', values: [JSON.stringify(ids)] });
    }
    if (amount !== null && amount !== 'all') {
      const own = '(SELECT amount FROM amount WHERE stock = ? AND product_id = product.id)';
      conditions.push({ sql: `coalesce(${own}, 0) ${signs[amount]}`, values: [stock] });
    }
    if (updatedFrom !== null) {
      conditions.push({
        sql: `id IN (SELECT id FROM product WHERE changed_at >= ?
          UNION ALL SELECT product_id FROM amount WHERE stock = ? AND changed_at >= ?)`,
        values: [updatedFrom, stock, updatedFrom],
      });
    }
    return term === null ? conditions : [...conditions, termCondition(term)];
  };
}
