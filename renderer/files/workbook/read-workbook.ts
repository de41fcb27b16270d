// The first shown sheet of a workbook (ECMA-376), row by row, within bounds that hold whatever somebody has made it of: only
// the parts that are needed are unpacked, nothing in them is evaluated, and only what is kept is in memory.
import { withoutBinaryNoise } from '../../../app/domain/decimal.ts';
import { openArchive, unpack, type Archive } from './archive.ts';
import { dateStyles, writeSerialDate } from './dates.ts';
import { Refusal, type WorkbookFault } from './refusal.ts';
import { unused, type WorkbookUse } from './use.ts';
import { attribute, decodeText, scanXml, type Tag, type XmlListener } from './xml.ts';

/** Of all parts that are read. */
export const maxUnpackedBytes = 20_000_000;
/** Ten texts in every row that a list may have. */
export const maxStrings = 500_000;
/** Forty cells in every such row. */
export const maxCells = 2_000_000;
/** Far more than any code or amount has; a longer text is cut, and is neither. */
const maxFieldLength = 1000;
/** The longest way to write one character: &#1114111; or &#x10FFFF;. */
const maxEntityLength = 10;

export interface WorkbookRow {
  /** As Excel counts. */
  readonly line: number;
  readonly fields: readonly string[];
  /** The places of the fields that are numbers; the others are texts, dates and the like. */
  readonly numbers: readonly number[];
}

export interface WorkbookLimits {
  /** Rows with something in them; of more, one more is read. */
  readonly rows: number;
  /** Cells to the right of so many columns are left alone. */
  readonly columns: number;
}

interface Source {
  readonly bytes: Uint8Array;
  readonly archive: Archive;
  readonly use: WorkbookUse;
}

/** Whether a tag is of the namespace of a part's root, which all that is read here has under the root's own prefix. */
function namespaceOfRoot(root: Tag): (tag: Tag) => boolean {
  const { prefix } = root;
  const declaredBy = attribute(prefix === '' ? 'xmlns' : `xmlns:${prefix.replaceAll('.', String.raw`\.`)}`);
  const namespace = declaredBy(root);
  return (tag) =>
    tag.prefix === prefix && (!tag.text.includes('xmlns') || (declaredBy(tag) ?? namespace) === namespace);
}

/** What is read of a part, and in what it stands (§18; part 2, §6.5). Readings (`rPh`) and extensions are not. */
const contents: ReadonlyMap<string, readonly string[]> = new Map([
  ['Relationships', ['Relationship']],
  ['workbook', ['workbookPr', 'sheets', 'calcPr']],
  ['sheets', ['sheet']],
  ['sst', ['si']],
  ['si', ['t', 'r']],
  ['r', ['t']],
  ['styleSheet', ['numFmts', 'cellXfs']],
  ['numFmts', ['numFmt']],
  ['cellXfs', ['xf']],
  ['worksheet', ['sheetData']],
  ['sheetData', ['row']],
  ['row', ['c']],
  ['c', ['f', 'v', 'is']],
  ['is', ['t', 'r']],
]);

/**
 * Without what stands elsewhere than the standard has it, or in another namespace: spreadsheet programs pass over it. Of
 * alternatives each shows the one that it knows (part 3, §7.5): none that is read of a part may be among them.
 */
async function scanPart({ bytes, archive, use }: Source, path: string, listener: XmlListener): Promise<void> {
  const entry = archive.get(path);
  if (entry === undefined) {
    throw new Refusal('unreadable');
  }
  let isOwn: ((tag: Tag) => boolean) | null = null;
  const within: string[] = [];
  let [depth, isAlternative] = [0, false];
  const isRead = (tag: Tag, own: (tag: Tag) => boolean): boolean => {
    const parent = within.at(-1);
    if (parent !== undefined && ['t', 'v', 'f'].includes(parent)) {
      // Programs differ in what they show of a text with an element in it.
      throw new Refusal('unreadable');
    }
    return own(tag) && (parent === undefined || contents.get(parent)?.includes(tag.name) === true);
  };
  await scanXml(unpack(bytes, entry, use, maxUnpackedBytes), {
    onTag: (tag) => {
      isOwn ??= namespaceOfRoot(tag);
      const isContent = tag.kind !== 'close' && isRead(tag, isOwn);
      if (depth > 0 && isAlternative && isContent) {
        throw new Refusal('unreadable');
      }
      if (depth > 0 || (tag.kind !== 'close' && !isContent)) {
        isAlternative = depth > 0 ? isAlternative : tag.name === 'AlternateContent';
        depth += { open: 1, close: -1, empty: 0 }[tag.kind];
        return;
      }
      if (tag.kind === 'open') {
        within.push(tag.name);
      } else if (tag.kind === 'close' && within.pop() !== tag.name) {
        throw new Refusal('unreadable');
      }
      listener.onTag(tag);
    },
    onText: (text) => {
      if (depth === 0) {
        listener.onText(text);
      }
    },
  });
}

const anyPrefix = String.raw`[\w.-]+:`;
const [idOf, lastIdOf] = [attribute('id', anyPrefix), attribute('id', anyPrefix, '*')];
const [relationIdOf, typeOf, targetOf] = [attribute('Id'), attribute('Type'), attribute('Target')];
const stateOf = attribute('state');
const [referenceOf, kindOf, styleOf] = [attribute('r'), attribute('t'), attribute('s')];
const [epochOf, staleOf] = [attribute('date1904'), attribute('fullCalcOnLoad')];
const [rangeOf, spillOf] = [attribute('ref'), attribute('cm')];
const isTrue = (value: string | null): boolean => value === '1' || value === 'true';

interface Relation {
  readonly id: string;
  readonly type: string;
  readonly path: string;
}

/** A relation of ECMA-376, transitional or strict; another's may be called as anything. */
const ownType =
  /^http:\/\/(?:schemas\.openxmlformats\.org\/officeDocument\/2006|purl\.oclc\.org\/ooxml\/officeDocument)\/relationships\/(\w+)$/;

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** Where a part's relations lead (ECMA-376 part 2, §6.5). */
async function readRelations(source: Source, path: string): Promise<readonly Relation[]> {
  const relations: Relation[] = [];
  const folder = folderOf(path);
  await scanPart(source, `${folder}_rels/${path.slice(folder.length)}.rels`, {
    onTag: (tag) => {
      const target = tag.name === 'Relationship' ? targetOf(tag) : null;
      if (target !== null && URL.canParse(target, `file:///${folder}`)) {
        relations.push({
          id: relationIdOf(tag) ?? '',
          type: ownType.exec(typeOf(tag) ?? '')?.[1] ?? '',
          path: new URL(target, `file:///${folder}`).pathname.slice(1),
        });
      }
    },
    onText: () => undefined,
  });
  return relations;
}

interface Sheets {
  /** Of the sheets' relations, those that are shown first, in their order. */
  readonly ids: readonly string[];
  /** From when days are counted. */
  readonly isFrom1904: boolean;
  /** Formulas are computed when it is opened (§18.2.2): what is stored as their results, as XlsxWriter's 0, is none. */
  readonly isStale: boolean;
}

async function readSheets(source: Source, path: string): Promise<Sheets> {
  const [shown, hidden]: [string[], string[]] = [[], []];
  let [isFrom1904, isStale] = [false, false];
  await scanPart(source, path, {
    onTag: (tag) => {
      if (tag.name === 'sheet') {
        if (idOf(tag) !== lastIdOf(tag)) {
          // One of the two is another's.
          throw new Refusal('unreadable');
        }
        ((stateOf(tag) ?? 'visible') === 'visible' ? shown : hidden).push(idOf(tag) ?? '');
      } else if (tag.name === 'workbookPr') {
        isFrom1904 = isTrue(epochOf(tag));
      } else if (tag.name === 'calcPr') {
        isStale = isTrue(staleOf(tag));
      }
    },
    onText: () => undefined,
  });
  return { ids: [...shown, ...hidden], isFrom1904, isStale };
}

/** The text of a cell: without the numbers of characters, and cut. */
function fieldOf(written: string): string {
  const text = decodeText(written.slice(0, maxEntityLength * (maxFieldLength + 1))).slice(0, maxFieldLength);
  return text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Collects what stands in the elements of these names. */
function createTextCollector(names: readonly string[]): {
  readonly onTag: (tag: Tag) => void;
  readonly onText: (text: string) => void;
  readonly take: () => string;
} {
  let [text, isOpen] = ['', false];
  return {
    onTag: ({ name, kind }) => {
      if (names.includes(name)) {
        isOpen = kind === 'open';
      }
    },
    onText: (piece) => {
      text += isOpen ? piece : '';
    },
    take: () => {
      const taken = text;
      [text, isOpen] = ['', false];
      return taken;
    },
  };
}

/** The texts that cells name by their place (§18.4). */
async function readStrings(source: Source, path: string): Promise<readonly string[]> {
  const strings: string[] = [];
  const collector = createTextCollector(['t']);
  await scanPart(source, path, {
    onTag: (tag) => {
      collector.onTag(tag);
      if (tag.name === 'si' && tag.kind !== 'open') {
        source.use.strings += 1;
        if (source.use.strings > maxStrings) {
          throw new Refusal('tooLarge');
        }
        strings.push(fieldOf(collector.take()));
      }
    },
    onText: collector.onText,
  });
  return strings;
}

interface Meanings extends Omit<Sheets, 'ids'> {
  readonly strings: readonly string[];
  /** By the places of the cells' formats: whether a number in it is a date. */
  readonly dates: readonly boolean[];
}

/** A number as XML Schema has it. */
const numberPattern = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[Ee][+-]?\d+)?\s*$/;

/** The value of a cell (§18.3.1.4): a number is one, all else is text. */
function valueOf(cell: Tag, written: string, { strings, dates, isFrom1904 }: Meanings): string | number {
  switch (kindOf(cell)) {
    case 's':
      return /^\s*\d+\s*$/.test(written) ? (strings[Number(written)] ?? '') : '';
    case 'b':
      return String(isTrue(written));
    case 'str':
    case 'inlineStr':
    case 'e':
    case 'd':
      return fieldOf(written);
    default: {
      if (!numberPattern.test(written)) {
        return fieldOf(written);
      }
      const number = Number(written);
      return dates[Number(styleOf(cell) ?? '-1')] === true
        ? writeSerialDate(number, isFrom1904)
        : withoutBinaryNoise(number);
    }
  }
}

/** The column that "AB12" is in, from 0 on. In another row than the one that it names no program writes a cell. */
function columnOf(reference: string, line: number): number {
  const [, letters, row] = /^([A-Z]{1,3})(\d{0,7})$/.exec(reference) ?? [];
  if (letters === undefined || (row !== '' && Number(row) !== line)) {
    throw new Refusal('unreadable');
  }
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Puts a cell's value in its place: of two in one, spreadsheet programs show the last. */
function put(fields: string[], numbers: Set<number>, column: number, value: string | number): void {
  if (value === '' && column >= fields.length) {
    return;
  }
  while (fields.length < column) {
    fields.push('');
  }
  fields[column] = String(value);
  numbers.delete(column);
  if (typeof value === 'number') {
    numbers.add(column);
  }
}

/** Whether an array's range is one cell, and it cannot spill over into others once it is computed (§18.3.1.4, `cm`). */
const isAlone = (range: string | null, cell: Tag | null): boolean =>
  range !== null && new Set(range.split(':')).size === 1 && cell !== null && spillOf(cell) === null;

/** Thrown to leave a sheet before its end. */
const enough = new Error('enough rows');

async function readRows(
  source: Source,
  path: string,
  meanings: Meanings,
  limits: WorkbookLimits,
): Promise<readonly WorkbookRow[]> {
  const { use } = source;
  const rows: WorkbookRow[] = [];
  const collector = createTextCollector(['t', 'v']);
  const formula = createTextCollector(['f']);
  let [isFormula, hasValue] = [false, false];
  let [line, column, fields, numbers] = [0, -1, [] as string[], new Set<number>()];
  let cell: Tag | null = null;
  const valueOfCell = (of: Tag): string | number => {
    const written = collector.take();
    // Of a text, nothing is a result; other programs than spreadsheets store no result, or nothing in its place.
    const isStored = !meanings.isStale && (written !== '' || (kindOf(of) === 'str' && hasValue));
    return isFormula && !isStored ? fieldOf(`=${formula.take()}`) : valueOf(of, written, meanings);
  };
  const endCell = (): void => {
    const value = cell === null ? '' : valueOfCell(cell);
    cell = null;
    if (column < limits.columns) {
      put(fields, numbers, column, value);
    }
  };
  const endRow = (): void => {
    if (fields.length > 0) {
      rows.push({ line, fields, numbers: [...numbers] });
      use.rows += 1;
      [fields, numbers] = [[], new Set()];
    }
    if (rows.length > limits.rows) {
      throw enough;
    }
  };
  const onTag = (tag: Tag): void => {
    if ((tag.name === 'v' || tag.name === 'is') && tag.kind !== 'close') {
      // And of two values.
      collector.take();
    }
    collector.onTag(tag);
    formula.onTag(tag);
    if (tag.name === 'f' && meanings.isStale && kindOf(tag) === 'array' && !isAlone(rangeOf(tag), cell)) {
      // Its other cells have no formula, and as little of a result.
      throw new Refusal('unreadable');
    }
    isFormula ||= tag.name === 'f';
    hasValue ||= tag.name === 'v';
    if (tag.name === 'row') {
      if (tag.kind !== 'close') {
        const number = referenceOf(tag) ?? '';
        const next = /^\d{1,7}$/.test(number) ? Number(number) : line + 1;
        if (next <= line) {
          // Spreadsheet programs would show what comes later in the place of what came before.
          throw new Refusal('unreadable');
        }
        [line, column] = [next, -1];
      }
      if (tag.kind !== 'open') {
        endRow();
      }
    } else if (tag.name === 'c') {
      if (tag.kind !== 'close') {
        const reference = referenceOf(tag);
        column = reference === null ? column + 1 : columnOf(reference, line);
        use.cells += 1;
        if (use.cells > maxCells) {
          throw new Refusal('tooLarge');
        }
        collector.take();
        formula.take();
        [isFormula, hasValue] = [false, false];
        cell = tag;
      }
      if (tag.kind !== 'open') {
        endCell();
      }
    }
  };
  try {
    const onText = (text: string): void => {
      collector.onText(text);
      formula.onText(text);
    };
    await scanPart(source, path, { onTag, onText });
  } catch (error) {
    if (error !== enough) {
      throw error;
    }
  }
  return rows;
}

async function readFirstSheet(source: Source, limits: WorkbookLimits): Promise<readonly WorkbookRow[]> {
  const root = await readRelations(source, '');
  const workbook = root.find(({ type }) => type === 'officeDocument')?.path;
  if (workbook === undefined) {
    throw new Refusal('unreadable');
  }
  const relations = await readRelations(source, workbook);
  const { ids, ...facts } = await readSheets(source, workbook);
  // The first of an id counts.
  const sheets = new Map(
    relations
      .filter(({ type }) => type === 'worksheet')
      .toReversed()
      .map((one) => [one.id, one] as const),
  );
  const sheet = ids.flatMap((id) => sheets.get(id) ?? []).at(0);
  if (sheet === undefined) {
    throw new Refusal('unreadable');
  }
  const pathOf = (wanted: string): string | undefined => relations.find(({ type }) => type === wanted)?.path;
  const [stringsPath, stylesPath] = [pathOf('sharedStrings'), pathOf('styles')];
  const strings = stringsPath === undefined ? [] : await readStrings(source, stringsPath);
  const styles = dateStyles();
  if (stylesPath !== undefined) {
    await scanPart(source, stylesPath, { onTag: styles.onTag, onText: () => undefined });
  }
  return readRows(source, sheet.path, { strings, dates: styles.dates, ...facts }, limits);
}

/** Reads the rows of a workbook's first shown sheet that are not empty; `use` counts what that takes. */
export async function readWorkbook(
  bytes: Uint8Array,
  limits: WorkbookLimits,
  use: WorkbookUse = unused(),
): Promise<readonly WorkbookRow[] | WorkbookFault> {
  try {
    return await readFirstSheet({ bytes, archive: openArchive(bytes), use }, limits);
  } catch (error) {
    // An error of the system's own streams means that a part is damaged.
    return error instanceof Refusal ? error.fault : 'unreadable';
  }
}
