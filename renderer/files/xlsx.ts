// A list as a workbook of Excel's (ECMA-376), written while its rows are read.
import { writeXlsxStream } from 'hucre/xlsx';
import type { Language } from '../../app/contract/basics.ts';
import { cellOf, type Cell, type Column, type FileList } from './columns.ts';

/** Excel calls a file damaged that has more in a cell. */
const maxCellLength = 32_767;

const momentFormats: Readonly<Record<Language, string>> = {
  en: 'yyyy-mm-dd hh:mm:ss',
  'pt-BR': 'dd/mm/yyyy hh:mm:ss',
  es: 'dd/mm/yyyy hh:mm:ss',
};

function formatOf<Row>({ kind }: Column<Row>, language: Language): { readonly numFmt?: string } {
  switch (kind) {
    case 'text':
      return { numFmt: '@' };
    case 'moment':
      return { numFmt: momentFormats[language] };
    case 'number':
    case 'mixed':
      return {};
  }
}

/** Without what XML cannot hold, with the line breaks of a cell, and no longer than a cell. */
function textOf(text: string): string {
  const written = text.replaceAll(/\r\n?/g, '\n').replaceAll(/(?![\t\n])\p{Cc}|[\uFFFE\uFFFF]/gu, '');
  const whole = written.length <= maxCellLength ? written : `${written.slice(0, maxCellLength - 1)}…`;
  // Excel would read such a sequence as the character of this number.
  return whole.toWellFormed().replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_');
}

/** A spreadsheet's dates have no time zone: the local time is written as if it were UTC's. */
function localOf(moment: Date): Date {
  return new Date(
    Date.UTC(
      moment.getFullYear(),
      moment.getMonth(),
      moment.getDate(),
      moment.getHours(),
      moment.getMinutes(),
      moment.getSeconds(),
    ),
  );
}

function write(cell: Cell): Cell {
  if (typeof cell === 'string') {
    return textOf(cell);
  }
  return cell instanceof Date ? localOf(cell) : cell;
}

async function* cellsOf<Row>(
  columns: readonly Column<Row>[],
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Cell[]> {
  for await (const rows of pages) {
    for (const row of rows) {
      yield columns.map((column) => write(cellOf(column, row)));
    }
  }
}

/** The file's parts in their order: one sheet with a frozen head, and further ones where Excel has room for no more rows. */
export function writeXlsx<Row>(
  { title, columns }: FileList<Row>,
  pages: AsyncIterable<readonly Row[]>,
  language: Language,
): AsyncIterable<Uint8Array<ArrayBuffer>> {
  return writeXlsxStream(cellsOf(columns, pages), {
    name: title,
    columns: columns.map((column) => ({
      header: column.heading,
      width: Math.max(column.width, column.heading.length + 2),
      ...formatOf(column, language),
    })),
    freezePane: { rows: 1 },
  }) as ReadableStream<Uint8Array<ArrayBuffer>>;
}
