// The proof that no workbook takes more than its bounds, by what was unpacked and kept before it was refused.
import { createHash } from 'node:crypto';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import {
  maxCells,
  maxStrings,
  maxUnpackedBytes,
  readWorkbook,
} from '../../../../renderer/files/workbook/read-workbook.ts';
import { unused } from '../../../../renderer/files/workbook/use.ts';
import { relationsOf, workbookOf } from './workbook-parts.ts';

const limits = { rows: 100, columns: 20 };
const worksheetType = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet';

async function read(bytes: Uint8Array) {
  const use = unused();
  const rows = await readWorkbook(bytes, limits, use);
  return { rows: typeof rows === 'string' ? rows : rows.map(({ line, fields }) => [line, ...fields]), use };
}
const rowsOf = async (...workbook: Parameters<typeof workbookOf>) => (await read(workbookOf(...workbook))).rows;

const sheet = '<row r="1"><c r="A1"><v>7</v></c></row>';
/** The bytes to which one slice of an archive may unpack, and one more that waits behind it. */
const ahead = 2 * 4096 * 1032;

/** The places of a signature of 32 bits. */
function placesOf(bytes: Uint8Array, signature: number): readonly number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length - 4 }, (_, at) => at).filter((at) => view.getUint32(at, true) === signature);
}

/** Sets 16 or 32 bits behind the nth entry of the directory. */
function withEntry(bytes: Uint8Array, nth: number, offset: number, value: number, bits: 16 | 32 = 32): Uint8Array {
  const changed = new Uint8Array(bytes);
  const at = (placesOf(changed, 0x02_01_4b_50).at(nth) ?? 0) + offset;
  const view = new DataView(changed.buffer);
  if (bits === 16) {
    view.setUint16(at, value, true);
  } else {
    view.setUint32(at, value, true);
  }
  return changed;
}

describe('a workbook that is too much is refused', () => {
  test('with seven million empty shared strings, before they are unpacked', async () => {
    const strings = `<sst>${'<si/>'.repeat(7_000_000)}</sst>`;
    const honest = workbookOf(sheet, { 'xl/sharedStrings.xml': strings });
    expect(honest.length).toBeLessThan(400_000);
    const refused = await read(honest);
    expect(refused.rows).toBe('tooLarge');
    // The size in its directory is more than may be unpacked.
    expect([refused.use.strings, refused.use.bytes < 2000]).toEqual([0, true]);
    const lying = await read(withEntry(honest, -1, 24, 1_000_000));
    expect(lying.rows).toBe('unreadable');
    expect(lying.use.bytes).toBeLessThanOrEqual(1_000_000 + ahead);
  });

  test('with more shared strings than any list has, once they are counted', async () => {
    const { rows, use } = await read(
      workbookOf(sheet, { 'xl/sharedStrings.xml': '<si/>'.repeat(maxStrings + 100_000) }),
    );
    expect([rows, use.strings, use.rows]).toEqual(['tooLarge', maxStrings + 1, 0]);
  });

  test('with parts that are too large together, though none is alone', async () => {
    const blanks = ' '.repeat(11_000_000);
    const { rows, use } = await read(
      workbookOf(`${blanks}${sheet}`, { 'xl/sharedStrings.xml': `<sst>${blanks}<si><t>A</t></si></sst>` }),
    );
    expect([rows, use.bytes <= maxUnpackedBytes]).toEqual(['tooLarge', true]);
  });

  test('with cells without end, once they are counted', async () => {
    const { rows, use } = await read(workbookOf(`<row>${'<c/>'.repeat(maxCells + 1000)}</row>`));
    expect([rows, use.cells, use.rows]).toEqual(['tooLarge', maxCells + 1, 0]);
  });

  test('while rows of nothing are not kept', async () => {
    const { rows, use } = await read(
      workbookOf(`${'<row/><row><c/></row>'.repeat(200_000)}<row><c><v>7</v></c></row>`),
    );
    expect([rows, use.rows]).toEqual([[[400_001, '7']], 1]);
  });

  test('with formats without end, or with more parts than any has', async () => {
    const styles = `<styleSheet><cellXfs>${'<xf/>'.repeat(70_000)}</cellXfs></styleSheet>`;
    expect(await rowsOf(sheet, { 'xl/styles.xml': styles })).toBe('tooLarge');
    const parts = Object.fromEntries(Array.from({ length: 2000 }, (_, place) => [`xl/media/${place}.png`, '']));
    expect(await rowsOf(sheet, parts)).toBe('tooLarge');
  });

  const many = (piece: (place: number) => string): string =>
    Array.from({ length: 40_000 }, (_, at) => piece(at)).join('');
  test.each<[string, string, Parameters<typeof workbookOf>[1], string[]?]>([
    [
      'formats of open brackets',
      '<row><c s="0"><v>7</v></c></row>',
      {
        'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(60_000)}"/></numFmts></styleSheet>`,
      },
    ],
    [
      'sheets that lead nowhere',
      sheet,
      {
        'xl/workbook.xml': `<workbook><sheets>${many((at) => `<sheet r:id="q${at}"/>`)}<sheet r:id="r7"/></sheets></workbook>`,
        'xl/_rels/workbook.xml.rels': `<Relationships>${many((at) => `<Relationship Id="r${at}" Type="${worksheetType}" Target="worksheets/sheet1.xml"/>`)}</Relationships>`,
      },
    ],
    ['a tag of one long name', `<${'a'.repeat(60_000)}/>${sheet}`, {}],
    [
      'entities',
      `<row r="1"><c r="A1" t="inlineStr"><is><t>7</t></is></c><c t="inlineStr"><is><t>${'&amp;'.repeat(2_000_000)}</t></is></c></row>`,
      {},
      ['&'.repeat(1000)],
    ],
  ])('by nothing that takes the page’s time: %s', async (_what, rows, parts, more = []) => {
    const workbook = workbookOf(rows, parts);
    const begun = process.cpuUsage();
    expect((await read(workbook)).rows).toEqual([[1, '7', ...more]]);
    expect(process.cpuUsage(begun).user).toBeLessThan(1_500_000);
  });

  test('slice by slice: of a part that says too little, no more is unpacked than shows it', async () => {
    // Hashes do not pack well.
    const hashes = Array.from({ length: 50_000 }, (_, place) =>
      createHash('sha256').update(String(place)).digest('hex'),
    );
    const bytes = workbookOf(`<row><c><v>${hashes.join('')}</v></c></row>`);
    expect(bytes.length).toBeGreaterThan(1_500_000);
    const { rows, use } = await read(withEntry(bytes, -1, 24, 5000));
    expect([rows, use.bytes < 100_000, use.packedBytes < 200_000]).toEqual(['unreadable', true, true]);
  });
});

describe('a workbook whose directory lies is refused', () => {
  const good = workbookOf(sheet);
  const end = placesOf(good, 0x06_05_4b_50).at(-1) ?? 0;
  test.each([
    ['that a part is larger', withEntry(good, -1, 24, 4000)],
    ['that a part is smaller', withEntry(good, -1, 24, 10)],
    ['where a part lies', withEntry(good, -1, 42, 3)],
    ['that it lies behind the end', withEntry(good, -1, 42, 0xff_ff_ff_00)],
    ['how much of the file it takes', withEntry(good, -1, 20, 0xff_ff_ff)],
    ['as ZIP64 does', withEntry(good, -1, 20, 0xff_ff_ff_ff)],
    ['that it is packed in a way that we do not know', withEntry(good, -1, 10, 14, 16)],
    ['that it is encrypted', withEntry(good, -1, 8, 1, 16)],
    ['how long a name is', withEntry(good, 0, 28, 0xff_ff, 16)],
  ])('%s', async (_what, bytes) => {
    expect((await read(bytes)).rows).toBe('unreadable');
  });

  test('how many parts there are, and where it begins', async () => {
    for (const [offset, value] of [
      [10, 1999],
      [16, 0xff_ff],
    ] as const) {
      const changed = new Uint8Array(good);
      new DataView(changed.buffer).setUint16(end + offset, value, true);
      expect((await read(changed)).rows).toBe('unreadable');
    }
  });

  test('by having two parts of one name', async () => {
    const twice = workbookOf(sheet, { 'xl/worksheets/sheet2.xml': '<worksheet/>' });
    const name = new TextEncoder().encode('sheet2.xml');
    const changed = new Uint8Array(twice);
    for (let at = 0; at < changed.length; at += 1) {
      if (name.every((byte, place) => changed[at + place] === byte)) {
        changed[at + 5] = 0x31;
      }
    }
    expect((await read(twice)).rows).toEqual([[1, '7']]);
    expect((await read(changed)).rows).toBe('unreadable');
  });

  test('by no byte of it can anything be thrown', async () => {
    for (let at = 0; at < good.length; at += 1) {
      const changed = new Uint8Array(good);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      const { rows } = await read(changed);
      expect(Array.isArray(rows) || rows === 'unreadable' || rows === 'tooLarge').toBe(true);
    }
  });
});

describe('the XML of a part', () => {
  test('defines no entities, and knows XML’s own alone', async () => {
    const entities = '<!DOCTYPE a [<!ENTITY b "1"><!ENTITY c "&b;&b;&b;&b;">]>';
    expect(await rowsOf(sheet, { 'xl/sharedStrings.xml': `${entities}<sst><si><t>&c;</t></si></sst>` })).toBe(
      'unreadable',
    );
    const texts = '<row><c t="str"><v>&amp;lt;&#65;&#x42;&c;&#x110000;</v></c></row>';
    expect(await rowsOf(texts)).toEqual([[1, '&lt;AB&c;\uFFFD']]);
  });

  test('may be nested without end: no depth is kept', async () => {
    expect(await rowsOf(`${sheet}${'<a>'.repeat(1_000_000)}${sheet.replaceAll('1', '2')}`)).toEqual([[1, '7']]);
  });

  test('with a tag without end, or one that is none, is refused', async () => {
    for (const part of [
      `<c r="${'1'.repeat(200_000)}"/>`,
      `<c ${'a="b" '.repeat(30_000)}/>`,
      '< c>',
      '<c',
      '<c a=">',
    ]) {
      const { rows, use } = await read(workbookOf(`<row>${part}${' '.repeat(5_000_000)}</row>`));
      expect([part.slice(0, 8), rows]).toEqual([part.slice(0, 8), 'unreadable']);
      expect(use.bytes).toBeLessThanOrEqual(300_000 + ahead);
    }
  });

  test('that is no UTF-8 is refused', async () => {
    expect(await rowsOf(sheet, { 'xl/sharedStrings.xml': Uint8Array.of(0xff, 0xfe, 0x3c, 0) })).toBe('unreadable');
  });
});

describe('what a sheet says is read', () => {
  test('whatever it says of its dimension, of merged cells and of other sheets', async () => {
    const dimension = '<dimension ref="A1:XFD1048576"/>';
    const merged = '<mergeCell ref="A1:XFD1048576"/>'.repeat(100_000);
    const sheets = Array.from(
      { length: 1000 },
      (_, place) => `<sheet name="${place}" sheetId="${place}" r:id="rId1"/>`,
    ).join('');
    const whole = `<worksheet>${dimension}<sheetData>${sheet}<row r="1048576"><c r="XFD1048576"><v>8</v></c></row></sheetData><mergeCells>${merged}</mergeCells></worksheet>`;
    const parts = {
      'xl/workbook.xml': `<workbook><sheets>${sheets}</sheets></workbook>`,
      'xl/worksheets/sheet1.xml': whole,
      'xl/worksheets/sheet2.xml': ' '.repeat(maxUnpackedBytes + 1),
    };
    const { rows, use } = await read(workbookOf('', parts));
    expect([rows, use.rows, use.cells]).toEqual([[[1, '7']], 1, 2]);
    expect(use.bytes).toBeLessThan(5_000_000);
  });

  test('texts within cells and beside the sheet, with runs, numbers of characters and pronunciations', async () => {
    const strings =
      '<sst><si><t>A&amp;1</t></si><si><r><t>B</t></r><r><rPr><b/></rPr><t xml:space="preserve"> 2</t></r><rPh><t>no</t></rPh></si><si/></sst>';
    const row =
      '<row r="3"><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="s"><v>9</v></c><c t="inlineStr"><is><r><t>C</t></r><r><t>3</t></r></is></c><c t="inlineStr"><is><t><![CDATA[<&amp;]]></t></is></c><c t="str"><f>1+1</f><v>_x0044_4</v></c></row>';
    expect(await rowsOf(row, { 'xl/sharedStrings.xml': strings })).toEqual([
      [3, 'A&1', 'B 2', '', '', 'C3', '<&amp;', 'D4'],
    ]);
  });

  test('numbers as they are, dates as dates, so that none passes for an amount', async () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="dd/mm"/><numFmt numFmtId="171" formatCode="0.0&quot;d&quot;[Red]"/><numFmt numFmtId="172" formatCode="[Red][h]:[mm]"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="172"/></cellXfs></styleSheet>';
    const row =
      '<row><c><v>7.890000000017E12</v></c><c s="1"><v>46027</v></c><c s="2"><v>46027.5</v></c><c s="3"><v>2.5</v></c><c s="4"><v>1.5</v></c><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c></row>';
    const [moment, hours] = ['2026-01-05T12:00:00.000Z', '1899-12-31T12:00:00.000Z'];
    expect(await rowsOf(row, { 'xl/styles.xml': styles })).toEqual([
      [1, '7890000000017', '2026-01-05', moment, '2.5', hours, 'true', '#N/A'],
    ]);
    const book = (epoch: string): string =>
      `<workbook><workbookPr date1904="${epoch}"/><sheets><sheet name="A" r:id="rId1"/></sheets></workbook>`;
    const day = '<row><c s="1"><v>44565</v></c></row>';
    for (const [epoch, date] of [
      ['0', '2022-01-04'],
      ['1', '2026-01-05'],
      ['true', '2026-01-05'],
    ] as const) {
      expect(await rowsOf(day, { 'xl/styles.xml': styles, 'xl/workbook.xml': book(epoch) })).toEqual([[1, date]]);
    }
  });

  test('figures without the noise of binary fractions, and nothing for one that is none', async () => {
    const row =
      '<row><c><v>0.30000000000000004</v></c><c><v>20.000000000000004</v></c><c><v>0x10</v></c><c><v>-2.5E-3</v></c></row>';
    expect(await rowsOf(row)).toEqual([[1, '0.3', '20', '0x10', '-0.0025']]);
  });

  test('as a spreadsheet program shows it, whatever another’s extensions or the values of attributes say', async () => {
    const row =
      '<row r="2" y:r="9"><c y:r="B2" y:t="s" y:note=" t=\'s\' r=\'C2\' " r="A2"><v>0</v></c><c><v>1</v><extLst><ext><y:v>5</y:v></ext></extLst></c></row>';
    const parts = {
      'xl/sharedStrings.xml': '<sst><si><t>500</t></si></sst>',
      'xl/workbook.xml': `<workbook><sheets><sheet name="A state='hidden' r:id='rId2'" sheetId="1" r:id="rId1"/><sheet name="B" r:id="rId2"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relationsOf(
        ['worksheet', 'worksheets/sheet1.xml'],
        ['worksheet', 'worksheets/sheet2.xml'],
        ['sharedStrings', 'sharedStrings.xml'],
      ),
      'xl/worksheets/sheet2.xml': sheet.replace('7', '8'),
    };
    expect(await rowsOf(row, parts)).toEqual([[2, '0', '1']]);
  });

  test.each([
    ['a cell', '<row><c><v>1</v>EXT</c></row>', '<y:v>5</y:v>'],
    ['a row', '<row><c><v>1</v></c>EXT</row>', '<y:c r="A1"><y:v>5</y:v></y:c>'],
    ['a sheet', '<row><c><v>1</v></c></row>EXT', '<y:row r="2"><y:c><y:v>5</y:v></y:c></y:row>'],
  ])('without the extensions of %s, however they are nested', async (_where, row, own) => {
    for (const before of ['', '<y:extLst></y:extLst>', '<y:rPh></y:rPh>', '<y:c></y:c>']) {
      const extensions = `<extLst><ext>${before}${own}</ext></extLst>`;
      expect(await rowsOf(row.replace('EXT', extensions)), before).toEqual([[1, '1']]);
    }
  });

  test.each([
    ['a prefix of its own', '<y:v>5</y:v>', '<y:c r="A1"><v>5</v></y:c>'],
    ['no prefix', '<v xmlns="urn:y">5</v>', '<c xmlns = "urn:y" r="A1"><v>5</v></c>'],
  ])('without elements of another namespace, which has %s', async (_how, value, cell) => {
    expect(await rowsOf(`<row><c><v>1</v>${value}</c>${cell}</row><y:row r="1"/>`)).toEqual([[1, '1']]);
  });

  test('of the root’s namespace, whatever its prefix is, and however often it is declared', async () => {
    const main = 'xmlns:x.1="urn:main"';
    const cells = `<x.1:c><x.1:v ${main}>1</x.1:v><x.1:v xmlns:x21="urn:main" xmlns:x.1="urn:y">5</x.1:v><v>5</v></x.1:c>`;
    const text = `<x.1:worksheet ${main}><x.1:sheetData><x.1:row>${cells}</x.1:row></x.1:sheetData></x.1:worksheet>`;
    expect(await rowsOf('', { 'xl/worksheets/sheet1.xml': text })).toEqual([[1, '1']]);
  });

  test('of several values of a cell, and of several cells of one place, the last, which is shown', async () => {
    const row =
      '<row><c><is><t>1</t></is><v>5</v></c><c><v>1</v><v>5</v></c><c t="inlineStr"><v>1</v><is><r><t>2</t></r><r><t>5</t></r></is></c><c t="s"><v> 0\n</v></c><c r="E1"><v>1</v></c><c r="E1" t="str"><v>1.500</v></c><c r="F1"><v>1</v></c><c r="F1"/><c r="A1"><v>7</v></c></row>';
    const book = workbookOf(row, { 'xl/sharedStrings.xml': '<sst><si><t>A1</t></si></sst>' });
    expect(await readWorkbook(book, limits)).toEqual([
      { line: 1, fields: ['7', '5', '25', 'A1', '1.500', ''], numbers: [1, 0] },
    ]);
  });

  test('a formula whose result is not stored as itself, so that it passes for no empty cell', async () => {
    const row =
      '<row><c><f>2+2</f></c><c><f>2+2</f><v/></c><c><f>2+2</f><v>4</v></c><c t="str"><f>"A"&amp;"1"</f></c><c t="str"><f>""</f><v></v></c><c><f t="shared" si="0"/></c><c><v/></c></row>';
    expect(await rowsOf(row)).toEqual([[1, '=2+2', '=2+2', '4', '="A"&"1"', '', '=']]);
  });

  test('a formula without its result where the workbook says that all are to be computed when it is opened', async () => {
    // XlsxWriter stores 0 for each, and in each cell of an array's.
    const book = (calculation: string) => ({
      'xl/workbook.xml': `<workbook><sheets><sheet name="A" r:id="rId1"/></sheets><calcPr ${calculation}/></workbook>`,
    });
    const row = '<row><c><v>7</v></c><c><f>6*2</f><v>0</v></c><c t="str"><f>"A"&amp;"1"</f><v></v></c></row>';
    const array = '<row><c><f t="array" ref="A1:B1">ROW(A1:A2)</f><v>0</v></c><c><v>0</v></c></row>';
    for (const calculation of ['fullCalcOnLoad="1"', 'calcId="1" fullCalcOnLoad="true"']) {
      expect(await rowsOf(row, book(calculation))).toEqual([[1, '7', '=6*2', '="A"&"1"']]);
      expect(await rowsOf(array, book(calculation))).toBe('unreadable');
    }
    // An array of one cell has no others; one that may spill over (`cm`) has those that it gets when it is computed.
    const alone = (cell: string, ref: string) =>
      `<row><c${cell}><f t="array" ref="${ref}">SUM(A1:A2)</f><v>0</v></c></row>`;
    for (const ref of ['A1', 'A1:A1']) {
      expect(await rowsOf(alone('', ref), book('fullCalcOnLoad="1"'))).toEqual([[1, '=SUM(A1:A2)']]);
      expect(await rowsOf(alone(' cm="1"', ref), book('fullCalcOnLoad="1"'))).toBe('unreadable');
    }
    expect(await rowsOf(row, book('fullCalcOnLoad="0"'))).toEqual([[1, '7', '0']]);
    expect(await rowsOf(array, book('calcId="1"'))).toEqual([[1, '0', '0']]);
  });

  test('the first sheet that is shown', async () => {
    const parts = (...states: readonly string[]) => ({
      'xl/workbook.xml': `<workbook><sheets>${states.map((state, place) => `<sheet name="${place}" r:id="rId${place + 1}"${state}/>`).join('')}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relationsOf(
        ...states.map((_state, place) => ['worksheet', `worksheets/sheet${place + 1}.xml`] as const),
      ),
      'xl/worksheets/sheet2.xml': sheet.replace('7', '8'),
      'xl/worksheets/sheet3.xml': sheet.replace('7', '9'),
    });
    const [hidden, veryHidden] = [' state="hidden"', ' state="veryHidden"'];
    expect(await rowsOf(sheet, parts(veryHidden, hidden, ''))).toEqual([[1, '9']]);
    expect(await rowsOf(sheet, parts(hidden, ' state="visible"', ''))).toEqual([[1, '8']]);
    // No spreadsheet program saves this.
    expect(await rowsOf(sheet, parts(hidden, hidden))).toEqual([[1, '7']]);
  });

  test('by relations of the types of its standard, whatever another’s are called', async () => {
    const types = [
      'http://schemas.openxmlformats.org/officeDocument/2006',
      'http://purl.oclc.org/ooxml/officeDocument',
    ];
    for (const type of types) {
      const lead = (kind: string, own: string, others: string): string =>
        `<Relationships><Relationship Id="rId1" Type="urn:y/${kind}" Target="${others}"/><Relationship Id="rId1" Type="${type}/relationships/${kind}" Target="${own}"/></Relationships>`;
      const parts = {
        '_rels/.rels': lead('officeDocument', 'xl/workbook.xml', 'y/workbook.xml'),
        'xl/_rels/workbook.xml.rels': lead('worksheet', 'worksheets/sheet1.xml', 'worksheets/sheet2.xml'),
        'xl/worksheets/sheet2.xml': sheet.replace('7', '8'),
      };
      expect(await rowsOf(sheet, parts), type).toEqual([[1, '7']]);
    }
  });

  test('not where a row or a cell names another place than its own, or a sheet two relations', async () => {
    const cells = ['<c r="A1"><v>11</v></c>', '<c r="B1"><v>500</v></c>', '<c r="B1"><v>0</v></c>'];
    const [code = '', high = '', zero = ''] = cells;
    const others = [
      `<row r="1">${code}${high.replace('B1', 'B2')}</row><row r="2">${code.replace('A1', 'A2')}${zero}</row>`,
      `<row r="1">${code}${high}</row><row r="1">${zero}</row>`,
      `<row r="2">${code.replace('A1', 'A2')}${high.replace('B1', 'B2')}</row><row>${code.replace('A1', 'A3')}</row><row r="2"/>`,
      `<row r="0">${code.replace('A1', 'A0')}</row>`,
    ];
    for (const rows of others) {
      expect(await rowsOf(rows), rows).toBe('unreadable');
    }
    const parts = (ids: string) => ({
      'xl/workbook.xml': `<workbook><sheets><sheet name=" x:id='rId2'" ${ids}/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relationsOf(
        ['worksheet', 'worksheets/sheet1.xml'],
        ['worksheet', 'worksheets/sheet2.xml'],
      ),
      'xl/worksheets/sheet2.xml': sheet.replace('7', '8'),
    });
    expect(await rowsOf(sheet, parts('id="rId2" r:id="rId1"'))).toEqual([[1, '7']]);
    for (const ids of ['x:id="rId2" r:id="rId1"', 'r:id="rId1" sheetId="1" x:id="rId2"']) {
      expect(await rowsOf(sheet, parts(ids)), ids).toBe('unreadable');
    }
  });

  test('not what stands elsewhere than the standard has it', async () => {
    const [code, zero, high] = ['A1"><v>11', 'B1"><v>0', 'B1"><v>500'].map((cell) => `<c r="${cell}</v></c>`);
    const shown = [[1, '11', '0']];
    for (const row of [
      `${code}${zero}</row>${high}<row r="2">`,
      `${code}${zero}<row r="2">${high?.replace('B1', 'B2')}</row>`,
      `${code}${zero}<other>${high}</other>`,
      `${code}<c r="B1"><v>0</v><other><v>500</v></other></c>`,
      `${code}<c r="B1"><v>0</v><t>500</t></c>`,
      `${code}<c r="B1"><c r="C1"><v>500</v></c><v>0</v></c>`,
    ]) {
      expect(await rowsOf(`<row r="1">${row}</row>`), row).toEqual(shown);
    }
    const styles = {
      'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="0"/></numFmts><cellXfs><xf numFmtId="170"/></cellXfs>
        <dxfs><dxf><numFmt numFmtId="170" formatCode="yyyy"/></dxf></dxfs><other><cellXfs><xf numFmtId="14"/></cellXfs></other></styleSheet>`,
    };
    expect(await rowsOf('<row r="1"><c r="A1" s="0"><v>7</v></c><c r="B1" s="1"><v>8</v></c></row>', styles)).toEqual([
      [1, '7', '8'],
    ]);
    for (const row of [
      '<row r="1"><c r="A1"><v>7</v></row></c>',
      `<row r="1">${code}<c r="B1"><v>0<v>500</v></v></c></row>`,
      `<row r="1">${code}<c r="B1"><v>0<o:v xmlns:o="urn:o">500</o:v></v></c></row>`,
    ]) {
      expect(await rowsOf(row), row).toBe('unreadable');
    }
  });

  test('not where it offers alternatives, of which programs show different ones', async () => {
    const alternatives = (content: string) =>
      `<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="other"><other/></mc:Choice><mc:Fallback>${content}</mc:Fallback></mc:AlternateContent>`;
    const other = '<c r="A1"><v>500</v></c>';
    for (const rows of [
      alternatives(`<row r="1">${other}</row>`),
      `${sheet}</sheetData>${alternatives(`<sheetData><row r="2">${other.replace('A1', 'A2')}</row></sheetData>`)}<sheetData>`,
      `<row r="1"><c r="A1"><v>7</v></c>${alternatives(other)}</row>`,
      `<row r="1"><c r="A1"><v>7</v>${alternatives('<v>500</v>')}</c></row>`,
    ]) {
      expect(await rowsOf(rows), rows).toBe('unreadable');
    }
    // As Excel writes them, beside the rows.
    const beside = alternatives('<controls><control shapeId="1"><v>500</v></control></controls>');
    expect(await rowsOf(`${sheet}</sheetData>${beside}<sheetData>`)).toEqual([[1, '7']]);
  });

  test('where its relations lead, also to a root or through prefixes', async () => {
    const parts = {
      '_rels/.rels': relationsOf(['officeDocument', '/book/main.xml']),
      'book/_rels/main.xml.rels': relationsOf(['chartsheet', 'x.xml'], ['worksheet', '../pages/./one.xml']),
      'book/main.xml':
        '<x:workbook><x:sheets><x:sheet name="Chart" r:id="rId1"/><x:sheet name="A" r:id="rId2"/></x:sheets></x:workbook>',
      'pages/one.xml': '<x:worksheet><x:sheetData><x:row><x:c><x:v>8</x:v></x:c></x:row></x:sheetData></x:worksheet>',
    };
    expect(await rowsOf('', parts)).toEqual([[1, '8']]);
    expect(await rowsOf('', { ...parts, 'book/main.xml': '<workbook/>' })).toBe('unreadable');
    expect((await read(zipSync({ 'a.txt': strToU8('no workbook') }))).rows).toBe('unreadable');
  });

  test('no further than one row beyond those that are wanted; texts no further than a field', async () => {
    const many = Array.from({ length: 5000 }, () => '<row><c><v>1</v></c></row><row/>').join('');
    const { rows, use } = await read(workbookOf(many));
    expect([rows.length, use.cells]).toEqual([101, 101]);
    const long = `<row><c t="str"><v>${'A'.repeat(2_000_000)}</v></c></row>`;
    expect(await rowsOf(long)).toEqual([[1, 'A'.repeat(1000)]]);
  });
});
