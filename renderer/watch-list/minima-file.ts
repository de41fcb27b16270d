// What a shop's file of minimums says, line by line, before anything is looked up or set.
import type { Language } from '../../app/contract/basics.ts';
import { maxMinimum } from '../../app/contract/limits.ts';
import type { CodeLine, UnreadLine } from '../files/match-lines.ts';
import { codeHeadings, readCode, readColumns, type ReadFile } from '../files/read-columns.ts';
import { decimalMarkOf, readAmount, type DecimalMark } from '../formats/typed-numbers.ts';

/** A line of the file: what it names, and its minimum, which is null where the product is not to be watched. */
export interface FileLine extends CodeLine {
  readonly minimum: number | null;
}

export interface MinimaFile {
  readonly lines: readonly FileLine[];
  readonly unread: readonly UnreadLine[];
}

const columns = [
  ['code', codeHeadings],
  ['minimum', ['minimum', 'minimo', 'min', 'minimum stock', 'estoque minimo', 'stock minimo', 'existencia minima']],
] as const;

function markOf(separator: ReadFile<string>['separator'], language: Language): DecimalMark {
  if (separator === '\t') {
    return decimalMarkOf(language);
  }
  return separator === ';' ? ',' : '.';
}

/** Reads the file; null for one that is too large to be a list of minimums, or damaged. */
export async function readMinimaFile(bytes: Uint8Array, language: Language): Promise<MinimaFile | null> {
  const file = await readColumns(bytes, columns);
  if (file === null) {
    return null;
  }
  const mark = markOf(file.separator, language);
  const lines: FileLine[] = [];
  const unread: UnreadLine[] = [];
  for (const { line, text, fields } of file.rows) {
    const code = readCode(fields.code);
    const minimum = fields.minimum === '' ? 0 : readAmount(fields.minimum, mark);
    if (code === null || minimum === null || minimum > maxMinimum) {
      unread.push({ line, text, why: code === null ? 'noCode' : 'noAmount' });
    } else {
      lines.push({ line, code, minimum: minimum === 0 ? null : minimum });
    }
  }
  return { lines, unread };
}
