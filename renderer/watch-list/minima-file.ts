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
  /** So many lines name a code without a minimum, and so say nothing of it. */
  readonly blank: number;
  readonly unread: readonly UnreadLine[];
}

const columns = [
  ['code', codeHeadings],
  [
    'minimum',
    [
      ['minimum', 'minimum stock', 'reorder point', 'minimo', 'min', 'min.', 'estoque minimo', 'ponto de reposicao'],
      ['stock minimo', 'existencia minima', 'punto de reposicion', 'punto de pedido'],
    ].flat(),
  ],
] as const;

/**
 * By which decimal marks the file's numbers may be meant: those of a workbook by a point, its texts by either, CSV as its
 * separator and this language have it.
 */
function marksOf(
  separator: ReadFile<string>['separator'],
  isNumber: boolean,
  language: Language,
): readonly DecimalMark[] {
  if (separator === null) {
    return isNumber ? ['.'] : ['.', ','];
  }
  return [
    ...(separator === '\t' ? [] : [separator === ';' ? (',' as const) : ('.' as const)]),
    decimalMarkOf(language),
  ];
}

/** The decimal marks that the file itself shows: other than three digits stand behind one, or groups have the other mark. */
function marksIn(fields: readonly string[]): readonly DecimalMark[] {
  return (['.', ','] as const).filter((mark) => {
    const other = mark === '.' ? ',' : '.';
    const shown = new RegExp(`^\\d+\\${mark}(?!\\d{3}$)\\d{1,6}$|^\\d{1,3}\\${other}\\d{3}[.,]`);
    return fields.some((field) => shown.test(field));
  });
}

/** The amount of a field; or why there is none. */
function amountOf(field: string, marks: readonly DecimalMark[]): number | 'noAmount' | 'twoAmounts' {
  if (marks.some((mark) => isOfTwoAmounts(field, mark))) {
    return 'twoAmounts';
  }
  return readAmount(field, '.', maxMinimum) ?? readAmount(field, ',', maxMinimum) ?? 'noAmount';
}

/** Reads the file. */
export async function readMinimaFile(bytes: Uint8Array, language: Language): Promise<MinimaFile | FileFault> {
  const file = await readColumns<'code' | 'minimum' | 'stockId'>(bytes, columns, [['stockId', stockIdHeadings]]);
  if (typeof file === 'string') {
    return file;
  }
  const shown = file.separator === null ? [] : marksIn(file.rows.map(({ fields }) => fields.minimum));
  const lines: FileLine[] = [];
  const unread: UnreadLine[] = [];
  let blank = 0;
  for (const { line, text, fields, numbers, leftOut } of file.rows) {
    const code = readCode(fields.code);
    const marks = marksOf(file.separator, numbers.includes('minimum'), language);
    const amount = amountOf(fields.minimum, [...marks, ...shown]);
    if (leftOut !== null) {
      unread.push({ line, text, why: leftOut });
    } else if (code === null) {
      unread.push({ line, text, why: 'noCode' });
    } else if (fields.minimum === '') {
      blank += 1;
    } else if (typeof amount === 'string') {
      unread.push({ line, text, why: amount });
    } else {
      lines.push({ line, code, minimum: amount === 0 ? null : amount, stockId: fields.stockId });
    }
  }
  return { lines, blank, unread };
}
