// How rows become the lines of a CSV file (RFC 4180) that a spreadsheet program of the language opens as a table, without
// running anything in it.
import type { Language } from '../../app/contract/basics.ts';
import { writeDecimal } from '../../app/domain/decimal.ts';
import { cellOf, type Cell, type FileList } from './columns.ts';

/** A byte order mark at the file's beginning, by which spreadsheet programs know that it is UTF-8. */
const csvMark = '\uFEFF';

/** As spreadsheet programs of each language write it. */
const forms: Readonly<Record<Language, { readonly separator: ',' | ';'; readonly point: '.' | ',' }>> = {
  en: { separator: ',', point: '.' },
  'pt-BR': { separator: ';', point: ',' },
  es: { separator: ';', point: ',' },
};

/**
 * Where a spreadsheet program may see a formula begin, also in its full-width form (OWASP, "CSV Injection"): at the
 * beginning of a text, and behind whatever parts fields or lines where another separator is the system's, for then a
 * quotation mark within a field quotes nothing.
 */
const formulaStart = /(^|[;,\t\r\n])(?="*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
const guard = /(^|[;,\t\r\n])'(?="*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

const guarded = (text: string): string => text.replaceAll(formulaStart, "$1'").replace(/^(?=[\t\r\n])/, "'");

/** A text of Tillside's own files without the apostrophes that keep it from being a formula. */
export const withoutGuard = (field: string): string => field.replaceAll(guard, '$1');

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** The local date and time, such that spreadsheet programs of the language read it as one. */
function writeMoment(moment: Date, language: Language): string {
  const day = [moment.getFullYear(), twoDigits(moment.getMonth() + 1), twoDigits(moment.getDate())];
  const time = [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(twoDigits).join(':');
  return `${language === 'en' ? day.join('-') : day.toReversed().join('/')} ${time}`;
}

/**
 * One field of a line (RFC 4180 §2). What a spreadsheet program would take for a formula, whichever separator it reads
 * by, is led by an apostrophe, so that it stays a text; a number stays a number, also below zero.
 */
export function csvField(value: Cell, language: Language): string {
  if (typeof value === 'number') {
    // A decimal comma separates nothing where the language has one.
    return writeDecimal(value).replace('.', forms[language].point);
  }
  if (value instanceof Date) {
    return writeMoment(value, language);
  }
  const harmless = guarded(value ?? '');
  return /["\r\n,;\t]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** One line, with its ending. */
export function csvLine(values: readonly Cell[], language: Language): string {
  return `${values.map((value) => csvField(value, language)).join(forms[language].separator)}\r\n`;
}

/** The file's parts in their order. */
export async function* writeCsv<Row>(
  { columns }: FileList<Row>,
  pages: AsyncIterable<readonly Row[]>,
  language: Language,
): AsyncGenerator<string> {
  const headings = columns.map(({ heading }) => heading);
  yield csvMark + csvLine(headings, language);
  for await (const rows of pages) {
    yield rows
      .map((row) =>
        csvLine(
          columns.map((column) => cellOf(column, row)),
          language,
        ),
      )
      .join('');
  }
}
