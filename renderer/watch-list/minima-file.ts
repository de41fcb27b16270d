// Reads a shop's file of minimums, line by line, before anything is looked up or set.
import type { Language } from '../../app/contract/basics.ts';
import { maxMinimum } from '../../app/contract/limits/watch-list.ts';
import type { CodeLine, UnreadLine } from '../files/match-lines.ts';
import {
  codeHeadings,
  readCode,
  readColumns,
  stockIdHeadings,
  type FileFault,
  type ReadFile,
} from '../files/read-columns.ts';
import { decimalMarkOf, isOfTwoAmounts, readAmount, type DecimalMark } from '../formats/typed-numbers.ts';

/** A line of the file: what it names, and its minimum, which is null where the product is not to be watched. */
export interface FileLine extends CodeLine {
  readonly minimum: number | null;
  /** The stock that the line is of, as Tillside's own files say; empty where the file says none. */
  readonly stockId: string;
}

export interface MinimaFile {
  readonly lines: readonly FileLine[];
  readonly unread: readonly UnreadLine[];
}

const columns = [
  ['code', codeHeadings],
  [
    'minimum',
    [
      ['minimum', 'minimum stock', 'reorder point', 'minimo', 'min', 'estoque minimo', 'ponto de reposicao'],
      ['stock minimo', 'existencia minima', 'punto de reposicion', 'punto de pedido'],
    ].flat(),
  ],
] as const;

/**
 * How the file may write decimals, the likeliest first: a number of a workbook with a point, a text of one as people of
 * either language do, CSV as its separator or this language has it.
 */
function marksOf(
  separator: ReadFile<string>['separator'],
  isNumber: boolean,
  language: Language,
): readonly [DecimalMark, ...DecimalMark[]] {
  const own = decimalMarkOf(language);
  if (separator === null) {
    return isNumber ? ['.'] : [own, '.', ','];
  }
  return separator === '\t' ? [own] : [separator === ';' ? ',' : '.', own];
}

/** Reads the file. */
export async function readMinimaFile(bytes: Uint8Array, language: Language): Promise<MinimaFile | FileFault> {
  const file = await readColumns<'code' | 'minimum' | 'stockId'>(bytes, columns, [['stockId', stockIdHeadings]]);
  if (typeof file === 'string') {
    return file;
  }
  const lines: FileLine[] = [];
  const unread: UnreadLine[] = [];
  for (const { line, text, fields, numbers, isWider } of file.rows) {
    const code = readCode(fields.code);
    const marks = marksOf(file.separator, numbers.includes('minimum'), language);
    const isOfTwo = marks.some((one) => isOfTwoAmounts(fields.minimum, one));
    const read = isOfTwo ? null : readAmount(fields.minimum, marks[0], maxMinimum);
    const minimum = fields.minimum === '' ? 0 : read;
    if (code === null) {
      unread.push({ line, text, why: 'noCode' });
    } else if (isWider) {
      unread.push({ line, text, why: 'moreFields' });
    } else if (minimum === null) {
      unread.push({ line, text, why: isOfTwo ? 'twoAmounts' : 'noAmount' });
    } else {
      lines.push({ line, code, minimum: minimum === 0 ? null : minimum, stockId: fields.stockId });
    }
  }
  return { lines, unread };
}
