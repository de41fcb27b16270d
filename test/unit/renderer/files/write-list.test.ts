// The proof that a list's file opens right: each kind, in each language, is read by other people's readers, cell by cell.
import { parse } from 'csv-parse/sync';
import { strFromU8, unzipSync } from 'fflate';
import readExcelFile from 'read-excel-file/node';
import { describe, expect, test } from 'vitest';
import type { AuditAction } from '../../../../app/contract/audit.ts';
import type { Language } from '../../../../app/contract/basics.ts';
import { languages } from '../../../../app/domain/language.ts';
import { succeed } from '../../../../app/domain/result.ts';
import { cellOf, type Cell, type FileList } from '../../../../renderer/files/columns.ts';
import { readRows, type FileProgress } from '../../../../renderer/files/write-list.ts';
import { auditFile } from '../../../../renderer/lock/audit-file.ts';
import { createEveryWord } from '../../../support/sentences.ts';
import { failed, id, ok } from '../stores/held-bridge.ts';
import { bridgeOf, readWorkbook, write } from './written-file.ts';

const moment = Date.UTC(2026, 10, 21, 19, 5, 44);

/** Texts that a platform, or whoever types there, may put into a name. */
const hostile = [
  'plain',
  '=HYPERLINK("http://example.com";"x")',
  '+1',
  '-1+1',
  '@SUM(A1)',
  'say "x"; and, more',
  'one\r\ntwo\nthree',
  ' led and followed by blanks ',
  'tab\tinside',
  '😀👩‍👩‍👧 emoji',
  'عصير البرتقال ‏500',
  '0007',
  '78910001001030000000',
  '1e5',
  '<b>&amp;</b> ]]>',
  '_x0041_ no letter A',
  'true',
  'x'.repeat(40_000),
  '\u0001control\u0000',
  '\uD800 half a pair',
];

interface Sample {
  readonly text: string | null;
  readonly number: number | null;
  readonly at: number | null;
}

const rows: readonly Sample[] = [
  ...hostile.map((text, place) => ({
    text,
    number: place % 2 === 0 ? -place - 0.25 : place * 1e15,
    at: moment + place,
  })),
  { text: null, number: null, at: null },
  { text: 'of another millennium', number: 0.1 + 0.2, at: Date.parse('0001-01-01T00:00:00Z') },
];

function listOf(all: readonly Sample[], rowsAtOnce: number): FileList<Sample> {
  let place = 0;
  return {
    title: 'Estoque',
    columns: [
      { kind: 'text', heading: 'Código; e "mais"', width: 20, of: ({ text }) => text },
      { kind: 'number', heading: 'Saldo', width: 4, of: ({ number }) => number },
      { kind: 'moment', heading: 'Quando', width: 20, of: ({ at }) => at },
    ],
    read: () => {
      const page = all.slice(place, place + rowsAtOnce);
      place += rowsAtOnce;
      return Promise.resolve({ ok: true, value: { rows: page, of: all.length, isLast: place >= all.length } } as const);
    },
  };
}

/** A text as Excel shows it: one kind of line break, nothing that XML cannot hold, at most what a cell holds. */
function inWorkbook(cell: Cell): string | number | Date | null {
  if (cell instanceof Date) {
    // To the second, by the local clock, which a workbook calls UTC.
    return new Date(Math.floor(cell.getTime() / 1000) * 1000 - cell.getTimezoneOffset() * 60_000);
  }
  if (typeof cell !== 'string') {
    return cell;
  }
  const text = cell
    .replaceAll('\r\n', '\n')
    .replaceAll('\u0000', '')
    .replaceAll('\u0001', '')
    .replaceAll('\uD800', '\uFFFD');
  return text.length > 32_767 ? `${text.slice(0, 32_766)}…` : text;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

function inCsv(cell: Cell, language: Language): string {
  if (cell instanceof Date) {
    const day = `${cell.getFullYear()}-${twoDigits(cell.getMonth() + 1)}-${twoDigits(cell.getDate())}`;
    const time = `${twoDigits(cell.getHours())}:${twoDigits(cell.getMinutes())}:${twoDigits(cell.getSeconds())}`;
    return `${language === 'en' ? day : day.split('-').toReversed().join('/')} ${time}`;
  }
  if (typeof cell === 'number') {
    const plain = Number.isInteger(cell) ? BigInt(cell).toString() : String(cell);
    return language === 'en' ? plain : plain.replace('.', ',');
  }
  const text = (cell ?? '').replaceAll('\uD800', '\uFFFD');
  return /^[=+\-@]/.test(text) ? `'${text}` : text;
}

describe.each(languages)('in %s', (language) => {
  test('every cell of a workbook is what it was: texts texts, figures figures, moments dates', async () => {
    const list = listOf(rows, 3);
    const { result, bytes } = await write(list, 'xlsx', language);
    expect(result.ok).toBe(true);
    const read = await readWorkbook(bytes);
    expect(read).toEqual([
      list.columns.map(({ heading }) => heading),
      ...rows.map((row) => list.columns.map((column) => inWorkbook(cellOf(column, row)))),
    ]);
  });

  test('a workbook has a frozen head, widths, and texts that stay texts when they are edited', async () => {
    const { bytes } = await write(listOf(rows, 100), 'xlsx', language);
    const files = unzipSync(bytes);
    const part = (name: string): string => strFromU8(files[name] ?? new Uint8Array());
    const sheet = part('xl/worksheets/sheet1.xml');
    expect(sheet).toMatch(/<pane ySplit="1" topLeftCell="A2" state="frozen"/);
    expect([...sheet.matchAll(/<col [^>]*width="(\d+)"/g)].map(([, width]) => width)).toEqual(['20', '7', '20']);
    expect(part('xl/workbook.xml')).toContain('name="Estoque"');
    expect(part('xl/styles.xml')).toContain('formatCode="@"');
    expect(part('xl/styles.xml')).toContain(language === 'en' ? 'yyyy-mm-dd hh:mm:ss' : 'dd/mm/yyyy hh:mm:ss');
    // Nothing in it is a formula.
    expect(sheet).not.toContain('<f>');
  });

  test('every cell of a CSV file is what it was, in the form of the language', async () => {
    const list = listOf(rows, 3);
    const { bytes } = await write(list, 'csv', language);
    expect(bytes.slice(0, 3)).toEqual(Uint8Array.of(0xef, 0xbb, 0xbf));
    const read = parse(Buffer.from(bytes), {
      bom: true,
      delimiter: language === 'en' ? ',' : ';',
      record_delimiter: '\r\n',
    });
    expect(read).toEqual([
      list.columns.map(({ heading }) => heading),
      ...rows.map((row) => list.columns.map((column) => inCsv(cellOf(column, row), language))),
    ]);
  });

  test('the headings, the sheet and the words in the cells are of the language', async () => {
    const { t } = await createEveryWord(language);
    const entry = { id: 1, at: moment, email: null, companyId: id('7'), isPractice: false, isWithPin: true };
    const { bridge } = bridgeOf({
      'audit:export': [ok({ rows: [{ ...entry, action: { kind: 'pinWrong' } satisfies AuditAction }], next: null })],
    });
    const { bytes } = await write(auditFile(bridge, { group: 'all' }, 1, t, language), 'xlsx', language);
    const [sheet] = await readExcelFile(Buffer.from(bytes));
    const words = {
      en: ['Who did what', 'When', 'A wrong PIN was tried', 'no', 'yes'],
      'pt-BR': ['Quem fez o quê', 'Quando', 'Um PIN errado foi tentado', 'não', 'sim'],
      es: ['Quién hizo qué', 'Cuándo', 'Se intentó un PIN incorrecto', 'no', 'sí'],
    }[language];
    const [heads = [], cells = []] = sheet?.data ?? [];
    expect([sheet?.sheet, heads[1], cells[5], cells[4], cells[8]]).toEqual(words);
  });
});

test.each(['xlsx', 'csv'] as const)('a %s file of many rows is whole', async (kind) => {
  const count = 2_500;
  let place = 0;
  const list: FileList<Sample> = {
    ...listOf([], 1),
    read: () => {
      const page = Array.from({ length: 500 }, (_unused, row) => ({
        text: `C${place + row}`,
        number: row,
        at: moment,
      }));
      place += page.length;
      return Promise.resolve({ ok: true, value: { rows: page, of: count, isLast: place >= count } } as const);
    },
  };
  const { bytes, progress } = await write(list, kind, 'pt-BR');
  const read = kind === 'xlsx' ? await readWorkbook(bytes) : parse(Buffer.from(bytes), { bom: true, delimiter: ';' });
  expect(read).toHaveLength(count + 1);
  expect(read.map(([first]) => first).slice(1)).toEqual(Array.from({ length: count }, (_unused, row) => `C${row}`));
  expect(progress.at(-1)).toEqual({ done: count, of: count });
});

test.each(['xlsx', 'csv'] as const)('whoever stops a %s file reads no further page, and has no file', async (kind) => {
  const controller = new AbortController();
  const whole = listOf(rows, 2);
  let reads = 0;
  const list: FileList<Sample> = {
    ...whole,
    read: () => {
      reads += 1;
      if (reads === 3) {
        controller.abort();
      }
      return whole.read();
    },
  };
  const { result } = await write(list, kind, 'en', controller.signal);
  expect(result).toEqual({ ok: false, failure: { kind: 'cancelled' } });
  expect(reads).toBe(3);
});

test.each(['xlsx', 'csv'] as const)('a %s file whose reading fails is none', async (kind) => {
  const { bridge } = bridgeOf({ 'audit:export': [ok({ rows: [], next: 5 }), failed('storageFailed')] });
  const { t } = await createEveryWord('en');
  const { result } = await write(auditFile(bridge, { group: 'all' }, null, t, 'en'), kind, 'en');
  expect(result).toEqual({ ok: false, failure: { kind: 'storageFailed' } });
});

describe('all rows of a list', () => {
  const pagesOf = (pages: readonly (readonly number[])[]): Pick<FileList<number>, 'read'> => {
    let turn = 0;
    return {
      read: () => {
        const next = pages[turn] ?? [];
        turn += 1;
        return Promise.resolve(succeed({ rows: next, of: 4, isLast: turn === pages.length }));
      },
    };
  };

  test('come in their order, with counts', async () => {
    const progress: FileProgress[] = [];
    const { signal } = new AbortController();
    const read = await readRows(pagesOf([[1, 2], [3], [4]]), { onProgress: (now) => progress.push(now), signal });
    expect(read).toEqual(ok([1, 2, 3, 4]));
    expect(progress.map(({ done, of }) => [done, of])).toEqual([
      [2, 4],
      [3, 4],
      [4, 4],
    ]);
  });

  test('end where they are stopped', async () => {
    const controller = new AbortController();
    const read = await readRows(pagesOf([[1, 2], [3], [4]]), {
      onProgress: () => controller.abort(),
      signal: controller.signal,
    });
    expect(read).toEqual(failed('cancelled'));
  });
});
