// What a shop's file of minimums says, line by line, before anything is looked up or set.
import type { Language } from '../../app/contract/basics.ts';
import { maxMinimum } from '../../app/contract/limits.ts';
import { decimalMarkOf, readAmount, type DecimalMark } from '../formats/typed-numbers.ts';

/** A line of the file: what it names, and its minimum, which is null where the product is not to be watched. */
export interface FileLine {
  /** As a text editor counts. */
  readonly line: number;
  readonly code: string;
  readonly minimum: number | null;
}

/** A line that says nothing that could be set. */
export interface UnreadLine {
  readonly line: number;
  readonly text: string;
  readonly why: 'noCode' | 'noAmount';
}

export interface MinimaFile {
  readonly lines: readonly FileLine[];
  readonly unread: readonly UnreadLine[];
}

const maxCodeLength = 100;
/** Far more than a shop has; a larger file is none of minimums. */
const maxLines = 50_000;
const maxBytes = 5_000_000;

/** Headings by which a column is known, without accents and capitals, in every language that a file may come from. */
const headings = {
  code: ['code', 'codigo', 'sku', 'barcode', 'codigo de barras', 'ean'],
  minimum: ['minimum', 'minimo', 'min', 'minimum stock', 'estoque minimo', 'stock minimo', 'existencia minima'],
} as const;

const fold = (text: string): string => text.trim().normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** The text of the file: UTF-8, UTF-16 by its mark, or else what Excel writes in a Western system. */
function decode(bytes: Uint8Array): string {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** What parts the fields: whichever of the three the first line has most of; a comma may be in a number. */
function separatorOf(text: string): ';' | ',' | '\t' {
  const [first = ''] = /[^\r\n]+/.exec(text) ?? [];
  const count = (separator: string): number => first.split(separator).length;
  return (['\t', ';', ','] as const).toSorted((one, other) => count(other) - count(one))[0] ?? ',';
}

/** The records of a CSV text (RFC 4180 §2), each with the line that it begins at. */
function* recordsOf(text: string, separator: string): Generator<{ readonly line: number; readonly fields: string[] }> {
  const field = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^${separator}\\r\\n]*))[^${separator}\\r\\n]*(${separator}|\\r\\n|\\r|\\n|$)`,
    'y',
  );
  let line = 1;
  let [begins, fields] = [1, [] as string[]];
  while (field.lastIndex < text.length) {
    const [whole = '', quoted, plain = '', end = ''] = field.exec(text) ?? [];
    fields.push(quoted?.replaceAll('""', '"') ?? plain);
    line += whole.match(/\r\n|\r|\n/g)?.length ?? 0;
    if (end !== separator || field.lastIndex >= text.length) {
      yield { line: begins, fields };
      [begins, fields] = [line, []];
    }
  }
}

/** Which columns hold code and minimum: by their headings; without any, the first two. */
function columnsOf(fields: readonly string[]): { readonly code: number; readonly minimum: number } | null {
  const named = fields.map(fold);
  const [code, minimum] = [headings.code, headings.minimum].map((names: readonly string[]) =>
    named.findIndex((name) => names.includes(name)),
  ) as [number, number];
  return code < 0 || minimum < 0 ? null : { code, minimum };
}

function markOf(separator: ';' | ',' | '\t', language: Language): DecimalMark {
  if (separator === '\t') {
    return decimalMarkOf(language);
  }
  return separator === ';' ? ',' : '.';
}

/** Reads the file; null for one that is too large to be a list of minimums. */
export function readMinimaFile(bytes: Uint8Array, language: Language): MinimaFile | null {
  if (bytes.length > maxBytes) {
    return null;
  }
  const text = decode(bytes).replace(/^\uFEFF/, '');
  const separator = separatorOf(text);
  const mark = markOf(separator, language);
  const lines: FileLine[] = [];
  const unread: UnreadLine[] = [];
  let columns = { code: 0, minimum: 1 };
  let isFirst = true;
  for (const { line, fields } of recordsOf(text, separator)) {
    if (lines.length + unread.length >= maxLines) {
      return null;
    }
    const named = isFirst ? columnsOf(fields) : null;
    isFirst = false;
    if (named !== null) {
      columns = named;
      continue;
    }
    if (fields.every((field) => field.trim() === '')) {
      continue;
    }
    // What Tillside's own files lead with an apostrophe is a text.
    const code = (fields[columns.code] ?? '').trim().replace(/^'(?=[=+\-@])/, '');
    const amount = (fields[columns.minimum] ?? '').trim();
    const minimum = amount === '' ? 0 : readAmount(amount, mark);
    if (code === '' || code.length > maxCodeLength || minimum === null || minimum > maxMinimum) {
      const why = code === '' || code.length > maxCodeLength ? 'noCode' : 'noAmount';
      unread.push({ line, text: fields.join(separator).slice(0, 200), why });
    } else {
      lines.push({ line, code, minimum: minimum === 0 ? null : minimum });
    }
  }
  return { lines, unread };
}
