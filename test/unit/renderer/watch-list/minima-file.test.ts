import fc from 'fast-check';
import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import type { Language } from '../../../../app/contract/basics.ts';
import { readMinimaFile } from '../../../../renderer/watch-list/minima-file.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const readBytes = async (file: Uint8Array, language: Language) => {
  const held = await readMinimaFile(file, language);
  return typeof held === 'string' ? { fault: held, lines: [], blank: 0, unread: [] } : held;
};
const read = (text: string, language: Language = 'en') => readBytes(bytes(text), language);
const linesOf = async (text: string, language: Language = 'en') =>
  (await read(text, language)).lines.map(({ line, code, minimum }) => [line, code, minimum]);

describe('a file of minimums', () => {
  it.each([
    [
      'two columns without headings',
      'A-1,12\r\nA-2,3.5\r\n',
      [
        [1, 'A-1', 12],
        [2, 'A-2', 3.5],
      ],
    ],
    [
      'a semicolon and a decimal comma',
      'A-1;12\nA-2;3,5',
      [
        [1, 'A-1', 12],
        [2, 'A-2', 3.5],
      ],
    ],
    ['a semicolon and thousands', 'A-1;1.250,5', [[1, 'A-1', 1250.5]]],
    ['a comma and thousands in quotes', 'A-1,"1,250.5"', [[1, 'A-1', 1250.5]]],
    ['a comma and another language’s thousands in quotes', 'A-1,"1.250,50"', [[1, 'A-1', 1250.5]]],
    [
      'an empty third field',
      'A-1;12;\nA-2;3,5;',
      [
        [1, 'A-1', 12],
        [2, 'A-2', 3.5],
      ],
    ],
    ['a reference and a reorder point', 'Ponto de reposição;Referência\n4;A-1', [[2, 'A-1', 4]]],
    ['short headings', 'Cód.;Mín\nA-1;4', [[2, 'A-1', 4]]],
    ['headings with a full stop', 'Ref.;Mín.\nA-1;4', [[2, 'A-1', 4]]],
    ['a heading broken into lines', '"Código";"Estoque\nmínimo"\nA-1;4', [[3, 'A-1', 4]]],
    ['codes that a spreadsheet program is to take for texts', 'Código;Mínimo\n="00012";4', [[2, '00012', 4]]],
    ['such codes in quotation marks', 'code,minimum\n"=""00012""",4', [[2, '00012', 4]]],
    [
      'a separator behind each row, but the headings',
      'Código;Mínimo\nA-1;4;\nA-2;;\nA-3;0;\n',
      [
        [2, 'A-1', 4],
        [4, 'A-3', null],
      ],
    ],
    ['headings in another order', 'Nome;Mínimo;Código\nCafé;4;A-1', [[2, 'A-1', 4]]],
    [
      'Tillside’s own export',
      '\uFEFFstockId,productId,code,name,minimum\r\n11,1,\'-A1,"Café, 500 g",7\r\n',
      [[2, '-A1', 7]],
    ],
    [
      'quotation marks that quote no field, of a name as it is spoken',
      'code;name;minimum\n1;"Best" milk;5\n2;"Old milk;6\n3;"New" ;7\n4;"Old cheese;8',
      [
        [2, '1', 5],
        [3, '2', 6],
        [4, '3', 7],
        [5, '4', 8],
      ],
    ],
    [
      'quotes, line breaks and quotes within quotes',
      'code,minimum\n"A ""1""\nb",2\nA-2,3',
      [
        [2, 'A "1"\nb', 2],
        [4, 'A-2', 3],
      ],
    ],
    [
      'empty lines and blanks around',
      '\n A-1 , 5 \n\n,\nA-2,6',
      [
        [2, 'A-1', 5],
        [5, 'A-2', 6],
      ],
    ],
    ['nought: not to be watched', 'A-1,0', [[1, 'A-1', null]]],
    ['codes with leading zeros', '00012,5', [[1, '00012', 5]]],
    [
      'old line ends',
      'A-1,1\rA-2,2\r',
      [
        [1, 'A-1', 1],
        [2, 'A-2', 2],
      ],
    ],
  ])('is read with %s', async (_what, text, lines) => {
    expect(await linesOf(text)).toEqual(lines);
    expect((await read(text)).unread).toEqual([]);
  });

  it('says which lines say nothing, and why', async () => {
    expect(await read('code,minimum\n,4\nA-1,many\nA-2,-3\nA-3,1e3\nA-4,12')).toEqual({
      lines: [{ line: 6, code: 'A-4', minimum: 12, stockId: '' }],
      blank: 0,
      unread: [
        { line: 2, text: ',4', why: 'noCode' },
        { line: 3, text: 'A-1,many', why: 'noAmount' },
        { line: 4, text: 'A-2,-3', why: 'noAmount' },
        { line: 5, text: 'A-3,1e3', why: 'noAmount' },
      ],
    });
  });

  it('reads a tab’s file by the numbers of the language', async () => {
    expect(await linesOf('A-1\t1,5', 'pt-BR')).toEqual([[1, 'A-1', 1.5]]);
    expect(await linesOf('A-1\t1.250,5', 'pt-BR')).toEqual([[1, 'A-1', 1250.5]]);
    expect(await linesOf('A-1\t1.250', 'en')).toEqual([[1, 'A-1', 1.25]]);
  });

  it.each<[string, Language]>([
    ['A-1,"1,234"', 'pt-BR'],
    ['A-1;1.250', 'en'],
    ['A-1\t1.250', 'pt-BR'],
    ['A-1\t1,250', 'en'],
    // As Google Sheets saves it in a language with a decimal comma, and a program of another language.
    ['A-1,1.250', 'pt-BR'],
    ['A-1;1,250', 'en'],
  ])('leaves out and tells what may be thousands or decimals: %j in %s', async (text, language) => {
    expect(await read(text, language)).toMatchObject({ lines: [], unread: [{ line: 1, why: 'twoAmounts' }] });
  });

  it.each<[string, Language]>([
    ['A-1\t1,250\nA-2\t3.5', 'es'],
    ['A-1;1,250\nA-2;1,250.5', 'pt-BR'],
    ['A-1,1.250\nA-2,"0,75"', 'en'],
  ])('and where another line shows the other mark: %j in %s', async (text, language) => {
    expect(await read(text, language)).toMatchObject({
      lines: [{ code: 'A-2' }],
      unread: [{ line: 1, why: 'twoAmounts' }],
    });
  });

  it('reads such a number where the language and the separator have the same mark', async () => {
    expect(await linesOf('A-1,1.250', 'en')).toEqual([[1, 'A-1', 1.25]]);
    expect(await linesOf('A-1;1,250', 'es')).toEqual([[1, 'A-1', 1.25]]);
  });

  it('leaves out a line with more in it than its headings name, as of a decimal comma between commas', async () => {
    const file = await read('code,name,price,minimum\nA-1,Tea,4,99,10\nA-2,Tea,4.99,10\nA-3,Tea,4.99,10,,\n');
    expect(file).toMatchObject({
      lines: [{ code: 'A-2', minimum: 10 }],
      unread: [
        { line: 2, why: 'moreFields' },
        { line: 4, why: 'moreFields' },
      ],
    });
    // Also where what the comma moved away was empty, at the end of the file as well.
    expect(await read('code,name,minimum,note\nA-2,Tea,4,\nA-1,Tea,3,5,')).toMatchObject({
      lines: [{ code: 'A-2', minimum: 4 }],
      unread: [{ line: 3, why: 'moreFields' }],
    });
    expect(await read('code,minimum\nA-1,3,5\nA-2,0,5\n')).toMatchObject({
      lines: [],
      unread: [
        { line: 2, text: 'A-1,3,5', why: 'moreFields' },
        { line: 3, text: 'A-2,0,5', why: 'moreFields' },
      ],
    });
  });

  it('counts a line without a minimum, which takes none off, as where a line end parts a row', async () => {
    expect(await read('A-1,\nA-2,0\nA-3')).toEqual({
      lines: [{ line: 2, code: 'A-2', minimum: null, stockId: '' }],
      blank: 2,
      unread: [],
    });
    const file = await read('Código;Nome;Mínimo\nA-1;Chá\n500;10\nA-2;Café;3\nA-3;Mate;\n', 'pt-BR');
    expect(file).toMatchObject({ lines: [{ code: 'A-2', minimum: 3 }], blank: 3, unread: [] });
    // What Excel leaves out behind rows whose last columns are empty is no fault of a line either.
    expect(await read('Code;Name;Minimum\nA-1;Tea\nA-2;Tea\nA-3;Tea;7\n')).toMatchObject({
      lines: [{ line: 4, code: 'A-3', minimum: 7 }],
      blank: 2,
      unread: [],
    });
  });

  it('takes no other row’s minimum where marks that quote nothing stand around two rows', async () => {
    const file = await read('code;name;minimum\n1;"Old milk;6\n2;Screen 5";7\n3;Tea;8\n');
    expect(file).toMatchObject({ lines: [{ code: '3', minimum: 8 }], unread: [{ line: 2, why: 'severalLines' }] });
    const withNote = await read('code,name,minimum,note\n1,"Old milk,6,\n2,Screen 5",7,"a, b\nc"\n3,Tea,8,\n');
    expect(withNote).toMatchObject({ lines: [{ code: '3', minimum: 8 }], unread: [{ line: 2, why: 'severalLines' }] });
  });

  it('reads a quoted name in two lines with separators in it, as LibreOffice saves it', async () => {
    const file = await read('code,name,minimum\r\nA-1,"Juice, grape\n1 l",5\r\nA-2,"Tea\nA, B",7\r\n');
    expect(file).toMatchObject({
      lines: [{ line: 2, code: 'A-1', minimum: 5 }],
      unread: [{ line: 4, why: 'severalLines' }],
    });
  });

  it('takes a separator behind some rows, or a comma behind each, for one that parts a field', async () => {
    expect(await read('Código;Nome;Mínimo\nA-1;Chá; 2;\nA-2;Café;3\n', 'pt-BR')).toMatchObject({
      lines: [{ code: 'A-2', minimum: 3 }],
      unread: [{ line: 2, why: 'moreFields' }],
    });
    const obs = 'Obs;Código;Nome;Mínimo';
    for (const text of [`${obs}\n5;A-1;Chá; 2;\n`, `${obs};\n5;A-1;Chá; 2;7;\n5;A-2;Mate; 3;8;\n`]) {
      expect(await read(text, 'pt-BR')).toMatchObject({ lines: [] });
    }
    expect(await read('code,price,minimum\nA-1,4,99,\nA-2,5,49,\n')).toMatchObject({
      lines: [],
      unread: [{ why: 'moreFields' }, { why: 'moreFields' }],
    });
  });

  it('leaves out and tells such a text of a workbook, and reads such a number of it', async () => {
    const rows = [
      ['Código', 'Mínimo'],
      ['A-1', '1,234'],
      ['A-2', 1.234],
      ['A-3', '0,500'],
      ['A-4', '1.500'],
      ['A-5', '1.250,5'],
    ];
    expect(await readMinimaFile(await writeXlsx({ sheets: [{ name: '1', rows }] }), 'pt-BR')).toMatchObject({
      lines: [
        { code: 'A-2', minimum: 1.234 },
        { code: 'A-3', minimum: 0.5 },
        { code: 'A-5', minimum: 1250.5 },
      ],
      unread: [
        { line: 2, why: 'twoAmounts' },
        { line: 5, why: 'twoAmounts' },
      ],
    });
  });

  it.each([
    'sep=;\r\nMínimo;Código\r\n5,5;A-1\r\n',
    '\uFEFFSEP=;\nMínimo;Código\n5,5;A-1',
    'sep=\t\nMínimo\tCódigo\n5,5\tA-1',
  ])('follows Excel’s own first line: %j', async (text) => {
    expect(await read(text, 'pt-BR')).toEqual({
      lines: [{ line: 3, code: 'A-1', minimum: 5.5, stockId: '' }],
      blank: 0,
      unread: [],
    });
  });

  it('reads what Excel saves in a Western system, and UTF-16', async () => {
    const western = Uint8Array.from('Código;Mínimo\nA-1;2', (character) => character.charCodeAt(0));
    expect((await readBytes(western, 'pt-BR')).lines).toMatchObject([{ line: 2, code: 'A-1', minimum: 2 }]);
    const wide = new Uint8Array(
      new Uint16Array([0xfeff, ...Array.from('A-1\t2', (character) => character.charCodeAt(0))]).buffer,
    );
    expect((await readBytes(wide, 'en')).lines).toMatchObject([{ line: 1, code: 'A-1', minimum: 2 }]);
  });

  it('reads the numbers of a workbook, whatever the language', async () => {
    const workbook = await writeXlsx({
      sheets: [
        {
          name: '1',
          rows: [
            ['Mínimo', 'Código'],
            [3.5, 'A-1'],
            [null, 'A-2'],
          ],
        },
      ],
    });
    expect(await readMinimaFile(workbook, 'pt-BR')).toEqual({
      lines: [{ line: 2, code: 'A-1', minimum: 3.5, stockId: '' }],
      blank: 1,
      unread: [],
    });
  });

  it('says of which stock each line is, where it is one of Tillside’s own lists', async () => {
    const own = '\uFEFFStock ID,Stock,Product ID,Code,Name,Minimum\n12,,1002,A-1,Chá,3\n13,,1002,A-1,Chá,4\n';
    expect((await read(own)).lines).toEqual([
      { line: 2, code: 'A-1', minimum: 3, stockId: '12' },
      { line: 3, code: 'A-1', minimum: 4, stockId: '13' },
    ]);
  });

  it.each([
    'Count,Stock,Product ID,Code,Name,Counted\nShelf 4,12,1002,A-1,Chá,3\n',
    'codigo;saldo\nA-1;3\n',
    'Código;Fornecedor\nA-1;3\n',
    'Referência;Saldo\nA-1;3\n',
    'Lista de hoje\nCódigo;Estoque\nA-1;3\n',
    'Loja;Centro\nCódigo;Estoque\nA-1;3\n',
    'Código;\nA-1;3\n',
    'codigo\nA-1\nA-2\n',
    'codigo|minimo\nA-1|3\n',
    // Of two headings of one name neither is chosen.
    'Código;Mínimo;Mínimo\nA-1;3;9\n',
    'Código;Mínimo;Código;Mínimo\nA-1;3;A-2;9\n',
    'A-1\nA-2\n',
    // Without headings a file has the code and the minimum alone.
    'A-1,3,5\n',
    'A-2,4\nA-1,3,5\n',
    'A-1;5;Unidade\nA-2;6;Unidade\n',
    'A-1;5\nA-2;6;Caneca\n',
    'A-1;5\nA-2;cinco\n',
    'Item;Preis\nA-1;4,99\n',
    'Preise\nArtikel;Preis\nA-1;4,99\n',
    'Artikel;120\nItem;Preis\nA-1;4,99\n',
    'Item;;Est. Mín\nA-1;;10\n',
    'A-1;28/11/2026\n',
    `${'Loja;1\n'.repeat(11)}Código;Preço;Mínimo\nA-1;4,99;10\n`,
    'Cod;Preço Venda;Est. Mín\nA-1;4,99;10\n',
    'Cod;Preço Venda;Est. Mín 30 dias\nA-1;4,99;10\n',
    'Cód.;Preço 1;Est. Mín\nA-1;4,99;10\n',
    'Loja;Centro\nCódigo;Custo;Mín 30 dias\nA-1;4,99;10\n',
    'Loja;Centro\nReferência;Preço 1;Mín 30 dias\nA-1;;10\n',
    'Loja;Centro\nItem;Preço;Mín 30 dias\nA-1;4,99;10\n',
    'Item;Preço 1;Est. Mín\nA-1;4,99;10\n',
    ';Preço;Est. Mín\nA-1;4,99;10\n',
    'Loja;Centro\nEmitido em;28/11/2026\nCod;Preço Venda;Est. Mín\nA-1;4,99;10\n',
  ])('takes no other list for one of minimums: %j', async (text) => {
    expect(await read(text)).toMatchObject({ fault: 'columnMissing', lines: [] });
  });

  it.each([
    'Estoque mínimo, Loja Centro\n\nCódigo;Mínimo\nA-2;1,5\n',
    '"Estoque mínimo, Loja Centro"\n"Código";"Mínimo"\nA-2;1,5\n',
    'Estoque mínimo, Loja Centro\nA-2;1,5\n',
    'Estoque mínimo\nA-2;1,5\n',
    'Loja Centro, Rua 1, São Paulo, Brasil\nCódigo;Nome;Mínimo\nA-2;Chá, verde, Java;1,5\n',
    'Loja Centro; Rua 1\n\nCódigo,Mínimo\nA-2,1.5\n',
    'Código,Mínimo,Tamanho\nA-2,1.5,P;M;G\n',
    'Código,Tamanho,Mínimo\nA-2,"P;M;G;GG",1.5\n',
  ])('has the separator of its list, whatever stands above or in it: %j', async (text) => {
    expect((await read(text)).lines.at(-1)).toMatchObject({ code: 'A-2', minimum: 1.5 });
  });

  it('is read by its headings where a title and other rows stand above them', async () => {
    const rows = 'Código;Preço;Mínimo\n7890000000101;4,99;10\n';
    for (const above of ['Estoque mínimo - Loja 1\n\n', 'Estoque mínimo;;\nLoja 1;;\n']) {
      expect(await read(above + rows, 'pt-BR')).toMatchObject({
        lines: [{ code: '7890000000101', minimum: 10 }],
        unread: [],
      });
    }
    // A long line without a separator is looked through once.
    expect(await read('x'.repeat(4_000_000))).toMatchObject({ lines: [] });
    expect(await read('Mínimos;;\nCódigo;Preço;Loja\nA-1;4,99;1\n')).toMatchObject({ fault: 'columnMissing' });
  });

  it('is read by its headings below other rows, which are told', async () => {
    const above = 'Loja;Centro\nEmitido em;28/11/2026\n';
    expect(await read(`${above}Código;Preço;Mínimo\nA-1;4,99;10\n`, 'pt-BR')).toMatchObject({
      lines: [{ line: 4, code: 'A-1', minimum: 10 }],
      unread: [
        { line: 1, why: 'aboveHeadings' },
        { line: 2, text: 'Emitido em;28/11/2026', why: 'aboveHeadings' },
      ],
    });
    expect(await read('A-1;5\nMínimo;Código\n7;12\n', 'pt-BR')).toMatchObject({
      lines: [{ line: 3, code: '12', minimum: 7 }],
      unread: [{ line: 1, text: 'A-1;5', why: 'aboveHeadings' }],
    });
  });

  it('refuses what is too large for a list of minimums', async () => {
    expect(await readMinimaFile(new Uint8Array(5_000_001), 'en')).toBe('tooLarge');
    expect(await readMinimaFile(bytes('A-1,1\n'.repeat(50_001)), 'en')).toBe('tooLarge');
    expect((await read('A-1,1\n'.repeat(50_000))).lines).toHaveLength(50_000);
  });

  it('is read to its end, whatever is in it, and every line is told once at most', async () => {
    const piece = fc.constantFrom('A', '1', ',', ';', '"', '""', '\n', '\r\n', ' ', '\t', "'=", 'é');
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        const file = await read(pieces.join(''));
        const lines = [...file.lines, ...file.unread].map(({ line }) => line);
        expect(new Set(lines).size).toBe(lines.length);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it('with an open quotation mark and much behind it is read in no time', async () => {
    expect(await read(`"${'A-1,1\n'.repeat(200_000)}`)).toMatchObject({ fault: 'tooLarge' });
  });
});
