// How facts become the lines of a CSV file (RFC 4180) that a spreadsheet program opens without running anything in it.
import { writeDecimal } from './decimal.ts';

/** What the first line begins with: a byte order mark, by which spreadsheet programs know that the file is UTF-8. */
export const csvMark = '\uFEFF';

/**
 * What a spreadsheet program may take for the beginning of a formula, also in its full-width form (OWASP, "CSV
 * Injection").
 */
const formulaStart = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/**
 * One field of a line (RFC 4180 §2). A text that a spreadsheet program would take for a formula is led by an
 * apostrophe, so that it stays a text; a number stays a number, also below zero.
 */
export function csvField(value: string | number | null): string {
  if (typeof value === 'number') {
    return writeDecimal(value);
  }
  const text = value ?? '';
  const harmless = formulaStart.test(text) ? `'${text}` : text;
  return /["\r\n,;\t]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** One line, with its ending. */
export function csvLine(values: readonly (string | number | null)[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}
