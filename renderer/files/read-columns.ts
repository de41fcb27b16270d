// Reads a shop's file, row by row: a workbook of Excel's, or CSV as the spreadsheet programs of any language save it.
import { maxCodeLength } from '../../app/contract/limits/codes.ts';
import { textOfFile, wideEncodingOf } from '../../app/domain/file-text.ts';
import { foldText } from '../../app/domain/fold.ts';
import { later } from '../dom/clock.ts';
import { withoutGuard } from './csv.ts';
import { Refusal } from './workbook/refusal.ts';
import { maxCells, readWorkbook } from './workbook/read-workbook.ts';

/** A row that is not empty. */
export interface FileRow<Name extends string> {
  /** As a spreadsheet program, or a text editor, counts. */
  readonly line: number;
  /** All of it, cut short. */
  readonly text: string;
  /** Without blanks around; empty where the row has none. */
  readonly fields: Readonly<Record<Name, string>>;
  /** Those that a workbook has as numbers, not as texts. */
  readonly numbers: readonly Name[];
  /**
   * Why it is not to be read: it stands above the headings; or of CSV, has more fields than they are, also empty ones, for
   * a comma in one of its fields may part two; or has a field that may end in another row, between marks that were no
   * quotation.
   */
  readonly leftOut: 'aboveHeadings' | 'moreFields' | 'severalLines' | null;
}

export interface ReadFile<Name extends string> {
  /** Separator of a CSV file's fields; null for a workbook. */
  readonly separator: ';' | ',' | '\t' | null;
  /** The heading by which a column was known; none in a file without. */
  readonly headings: ReadonlyMap<Name, string>;
  readonly rows: readonly FileRow<Name>[];
}

/** The columns in the order in which a file without headings has them, and the headings by which each is known. */
export type Headings<Name extends string> = readonly (readonly [name: Name, headings: readonly string[]])[];

interface Columns<Name extends string> {
  readonly headings: Headings<Name>;
  readonly extra: Headings<Name>;
}

interface RawRow {
  readonly line: number;
  readonly fields: readonly string[];
  readonly numbers?: readonly number[];
  /**
   * Of CSV where a quoted field has line ends and separators in it, as rows have: so many fields its lines but the
   * first would have at most as rows of their own; else nought.
   */
  readonly innerWidth?: number;
}

/**
 * Headings of a column of codes, the most telling first, without accents and capitals, in every language that a file may
 * come from.
 */
export const codeHeadings: readonly string[] = [
  ['code', 'cod', 'cod.', 'codigo', 'sku', 'barcode', 'codigo de barras', 'ean', 'gtin'],
  ['reference', 'referencia', 'ref', 'ref.'],
].flat();
/** The same of a column of product ids. */
export const productIdHeadings: readonly string[] = [
  'productid',
  'product id',
  'id do produto',
  'id del producto',
  'id de producto',
];

/** Why nothing of a file can be used. */
export type FileFault = 'tooLarge' | 'unreadable' | 'empty' | 'columnMissing';

/** The same of a column of stock ids. */
export const stockIdHeadings: readonly string[] = ['stock id', 'stockid', 'id do estoque', 'id del stock'];

/** Far more than a shop has. */
export const maxRows = 50_000;
export const maxFileBytes = 5_000_000;
/** So many rows may stand above the headings, such as a title. */
const maxAbove = 10;
/** Far more than anybody needs; what stands to the right of them is left alone. */
const maxColumns = 200;
/** The page gets a turn after so many cells of CSV, which take some milliseconds. */
const cellsAtOnce = 20_000;
const maxTextLength = 200;

const nextTurn = (): Promise<void> => new Promise((resolve) => void later(0, resolve));

/** A heading may be broken into lines. */
const fold = (text: string): string => foldText(text.slice(0, maxTextLength)).trim().replaceAll(/\s+/g, ' ');

/** The text of the file: UTF-8, UTF-16 by its mark, or else what Excel writes in a Western system. */
function decode(bytes: Uint8Array): string {
  if (wideEncodingOf(bytes) !== null) {
    return textOfFile(bytes);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Excel's own first line, which only says the separator. */
const separatorLine = /^sep=([;,\t])(?:\r\n|\r|\n|$)/i;

type Separator = NonNullable<ReadFile<string>['separator']>;

const separators = ['\t', ';', ','] as const;

/** The one of which `count` tells most; of several the first, for a comma may be in a number. */
const mostBy = (count: (separator: Separator) => number): Separator =>
  separators.toSorted((one, other) => count(other) - count(one))[0] ?? ',';

/** The separator that the first line says, or by which headings are known, or else that most of the first lines have most of. */
function separatorOf(text: string, headings: Headings<string>): Separator {
  const said = separatorLine.exec(text)?.[1];
  if (said !== undefined) {
    return said as Separator;
  }
  const lines = text
    .slice(0, 10_000)
    .replaceAll(/"([^"\r\n]*)"/g, (_whole, quoted: string) => quoted.replaceAll(/[;,\t]/g, ' '))
    .split(/[\r\n]+/)
    .filter((line) => /[;,\t]/.test(line))
    .slice(0, maxAbove + 1);
  const known = lines.flatMap((line) => separators.filter((one) => columnsOf(line.split(one), headings) !== null));
  const each = lines.map((line) => mostBy((one) => line.split(one).length));
  return known[0] ?? mostBy((one) => each.filter((other) => other === one).length);
}

/**
 * The records of a CSV text (RFC 4180 §2), each with the line that it begins at. Marks that do not quote a whole field are
 * text: read as quotes, those of two rows would make one of both. Refuses more cells than any list has.
 */
async function* recordsOf(text: string, separator: string): AsyncGenerator<RawRow> {
  const field = new RegExp(`(?:"((?:[^"]|"")*)" *|([^${separator}\\r\\n]*))(${separator}|\\r\\n|\\r|\\n|$)`, 'y');
  field.lastIndex = separatorLine.exec(text)?.[0].length ?? 0;
  let [line, cells] = [field.lastIndex === 0 ? 1 : 2, 0];
  let [begins, fields, mayHoldRows, innerWidth, width] = [line, [] as string[], false, 0, -Infinity];
  while (field.lastIndex < text.length) {
    const [whole = '', quoted, plain = '', end = ''] = field.exec(text) ?? [];
    cells += 1;
    if (cells > maxCells) {
      throw new Refusal('tooLarge');
    }
    if (cells % cellsAtOnce === 0) {
      await nextTurn();
    }
    if (fields.length < maxColumns) {
      fields.push(quoted?.replaceAll('""', '"') ?? plain);
    }
    const widths = (quoted ?? '').split(/[\r\n]/).map((one) => one.split(separator).length);
    mayHoldRows ||= widths.length > 1 && quoted?.includes(separator) === true;
    for (const [order, one] of widths.entries()) {
      width = order === 0 ? width + one : one;
      innerWidth = Math.max(innerWidth, width);
    }
    line += whole.match(/\r\n|\r|\n/g)?.length ?? 0;
    if (end === separator && field.lastIndex >= text.length) {
      fields.push('');
    }
    if (end !== separator || field.lastIndex >= text.length) {
      yield { line: begins, fields, innerWidth: mayHoldRows ? innerWidth : 0 };
      [begins, fields, mayHoldRows, innerWidth, width] = [line, [], false, 0, -Infinity];
    }
  }
}

/**
 * Where each column is, by the first of its headings that is there; null unless all columns are. Where several are looked
 * for, none is chosen of two that are called the same, as of two lists side by side.
 */
function columnsOf<Name extends string>(
  fields: readonly string[],
  headings: Headings<Name>,
): ReadonlyMap<Name, { readonly place: number; readonly heading: string }> | null {
  const named = fields.map(fold);
  const columns = headings.flatMap(([name, known]) => {
    const heading = known.find((one) => named.includes(one));
    const place = heading === undefined ? -1 : named.indexOf(heading);
    const isChoice = headings.length > 1 && place !== -1 && place !== named.lastIndexOf(named[place] ?? '');
    return heading === undefined || isChoice ? [] : [[name, { place, heading }] as const];
  });
  return columns.length === headings.length ? new Map(columns) : null;
}

/**
 * Whether the row may be one of a file without headings: it has these columns and no other, all but the first of amounts,
 * and is not the heading of the first.
 */
function mayBeRow(fields: readonly string[], headings: Headings<string>): boolean {
  const amounts = fields.slice(1, headings.length);
  return (
    fields.slice(headings.length).every((field) => field.trim() === '') &&
    amounts.every((field) => /^[\s\d.,+-]*$/.test(field)) &&
    columnsOf(fields, headings.slice(0, 1)) === null
  );
}

const moreThan = (widest: number, { length }: readonly string[]): 'moreFields' | null =>
  length > widest ? 'moreFields' : null;

/** The text of a field that is a formula, ="0012", lest a spreadsheet program reads it as a number. */
const withoutFormula = (field: string): string => field.replace(/^="([^"]*)"$/, '$1');

/** All of a row, cut short; no more of it is joined than is kept. */
function joinShort(fields: readonly string[], separator: string): string {
  let text = '';
  for (const [place, field] of fields.entries()) {
    if (text.length >= maxTextLength) {
      break;
    }
    text += (place === 0 ? '' : separator) + field.slice(0, maxTextLength);
  }
  return text.slice(0, maxTextLength);
}

/**
 * The rows below the headings, which may have a title above. Without headings which of several columns is which is never
 * guessed: each row must be one of such a file. One column alone is the first one, whatever else the file has. The `extra`
 * columns are read where a heading names them, and are empty elsewhere.
 *
 * Where each row but the headings ends with a separator, nothing is parted, unless that is a comma, for of "A-1,4,99," in
 * each row the price may be 4,99 and the minimum empty, or there is but one row.
 */
async function pickColumns<Name extends string>(
  records: Iterable<RawRow> | AsyncIterable<RawRow>,
  separator: ReadFile<Name>['separator'],
  { headings, extra }: Columns<Name>,
): Promise<ReadFile<Name> | FileFault> {
  const rows: FileRow<Name>[] = [];
  const isSeveral = headings.length > 1;
  let columns: ReturnType<typeof columnsOf<Name>> = null;
  let [above, isAbove, areRows, hasAmounts] = [0, true, true, false];
  let [needed, widest, below, areClosed] = [0, maxColumns, 0, separator !== ','];
  for await (const { line, fields, numbers = [], innerWidth = 0 } of records) {
    const filled = fields.filter((field) => field.trim() !== '').length;
    if (filled === 0) {
      continue;
    }
    const mayBeHeadings: boolean = columns === null && above <= maxAbove && (isAbove || isSeveral);
    const named: ReturnType<typeof columnsOf<Name>> = mayBeHeadings ? columnsOf(fields, headings) : null;
    const isClosed = fields.at(-1)?.trim() === '';
    areRows &&= mayBeRow(fields, headings);
    hasAmounts ||= fields.slice(1).some((field) => field.trim() !== '');
    above += 1;
    const isBelowTitle: boolean = isAbove;
    // A title is in one cell; below a row of one column, what names it alone may be a row as well.
    isAbove &&= filled === 1 && (isSeveral || fields.length > 1 || above === 1);
    if (named !== null) {
      const told = isBelowTitle ? [] : rows.map((row) => ({ ...row, leftOut: 'aboveHeadings' as const }));
      rows.splice(0, rows.length, ...told);
      const last = Math.max(...Array.from(named.values(), ({ place }) => place));
      needed = last + 1;
      // Nothing moves what comes first.
      widest = separator === null || last === 0 ? maxColumns : fields.length;
      areClosed &&= !isClosed;
      columns = new Map([...named, ...extra.flatMap((one) => [...(columnsOf(fields, [one]) ?? [])])]);
    } else if (rows.length >= maxRows) {
      return 'tooLarge';
    } else {
      const picked = [...headings, ...extra].map(([name], place) => {
        const at = columns?.get(name)?.place ?? (columns === null && place < headings.length ? place : -1);
        const field = (fields[at] ?? '').trim();
        return { name, field: separator === null ? field : withoutFormula(field), isNumber: numbers.includes(at) };
      });
      below += columns === null ? 0 : 1;
      areClosed &&= columns === null || (isClosed && fields.length === widest + 1);
      rows.push({
        line,
        text: joinShort(fields, separator ?? ' '),
        fields: Object.fromEntries(picked.map(({ name, field }) => [name, field])) as Record<Name, string>,
        numbers: picked.flatMap(({ name, isNumber }) => (isNumber ? [name] : [])),
        // A row has a code and something else.
        leftOut: innerWidth >= Math.max(needed, 2) ? 'severalLines' : moreThan(widest, fields),
      });
    }
  }
  if (columns === null && rows.length > 0 && isSeveral && !(areRows && hasAmounts)) {
    return 'columnMissing';
  }
  const areWhole = areClosed && below > 1;
  const found = [...(columns ?? [])].map(([name, { heading }]) => [name, heading] as const);
  return rows.length === 0
    ? 'empty'
    : {
        separator,
        headings: new Map(found),
        rows: rows.map((row) => (areWhole && row.leftOut === 'moreFields' ? { ...row, leftOut: null } : row)),
      };
}

/** Reads these columns of the file, and of the `extra` ones those that it names. */
export async function readColumns<Name extends string>(
  bytes: Uint8Array,
  headings: Headings<Name>,
  extra: Headings<Name> = [],
): Promise<ReadFile<Name> | FileFault> {
  if (bytes.length > maxFileBytes) {
    return 'tooLarge';
  }
  const columns = { headings, extra };
  // A ZIP archive begins so; no CSV file does.
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04) {
    // One more for the headings.
    const records = await readWorkbook(bytes, { rows: maxRows + 1, columns: maxColumns });
    return typeof records === 'string' ? records : pickColumns(records, null, columns);
  }
  const text = decode(bytes).replace(/^\uFEFF/, '');
  // No text has one: this is a picture, or a workbook of before 2007.
  if (text.includes('\0')) {
    return 'unreadable';
  }
  const separator = separatorOf(text, headings);
  try {
    return await pickColumns(recordsOf(text, separator), separator, columns);
  } catch (error) {
    if (error instanceof Refusal) {
      return error.fault;
    }
    throw error;
  }
}

/** The code that a field names; null where it is none. */
export function readCode(field: string): string | null {
  const code = withoutGuard(field);
  return code === '' || code.length > maxCodeLength ? null : code;
}
