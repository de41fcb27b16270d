import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import type { Id } from '../../../../app/domain/int64.ts';
import { fail, succeed } from '../../../../app/domain/result.ts';
import { previewSet, readSetFile } from '../../../../renderer/coupon-sets/set-file.ts';
import { fakeBridge, heldId as id } from '../watch-list/watch-bridge.ts';

const read = (text: string) => readSetFile(new TextEncoder().encode(text));
const codesOf = async (file: ReturnType<typeof readSetFile>) => {
  const held = await file;
  return typeof held === 'string' ? held : held.lines.map(({ line, code }) => [line, code]);
};

describe('a file of products', () => {
  it.each([
    [
      'one column without a heading',
      '00012\nA-2',
      [
        [1, '00012'],
        [2, 'A-2'],
      ],
    ],
    ['a heading among others', 'Nome;Código de barras;Preço\nCafé;7890000000017;3,50', [[2, '7890000000017']]],
    ['product ids, as Tillside saves a list', 'productId,isOn\r\n9007199254740993,true', [[2, '9007199254740993']]],
    ['an apostrophe that keeps a text a text', "'-A1\n", [[1, '-A1']]],
  ])('is read with %s', async (_what, text, codes) => {
    expect(await codesOf(read(text))).toEqual(codes);
  });

  it('with a column of product ids says so, for an id may be another’s code', async () => {
    expect(await read('Código,ID do produto\n7,12\n')).toEqual({
      areIds: true,
      lines: [{ line: 2, code: '12' }],
      unread: [],
    });
  });

  it('takes no part of a name for a code where a comma or a line end parts it, and tells the line', async () => {
    expect(await read('Nome,Código\nChá, 7,A-1\nCafé,A-2\nMate\n')).toMatchObject({
      lines: [{ line: 3, code: 'A-2' }],
      unread: [
        { line: 2, text: 'Chá, 7,A-1', why: 'moreFields' },
        { line: 4, why: 'noCode' },
      ],
    });
    // Nothing moves a first column.
    expect(await codesOf(read('Código\nA-1,Chá, verde\nA-2\n'))).toEqual([
      [2, 'A-1'],
      [3, 'A-2'],
    ]);
  });

  it('is read from a workbook, its numbers as they are typed, its lines as Excel counts', async () => {
    const rows = [['Produto', 'EAN'], ['Café', 7_890_000_000_017], [], ['Chá', '00012'], ['Suco', null]];
    const workbook = await writeXlsx({
      sheets: [
        { name: '1', rows },
        { name: '2', rows: [['A-9']] },
      ],
    });
    expect(await readSetFile(workbook)).toEqual({
      areIds: false,
      lines: [
        { line: 2, code: '7890000000017' },
        { line: 4, code: '00012' },
      ],
      unread: [{ line: 5, text: expect.stringMatching(/^Suco/) as string, why: 'noCode' }],
    });
  });

  it('that is damaged, or far too large, is refused', async () => {
    const workbook = await writeXlsx({ sheets: [{ name: '1', rows: [['A-1']] }] });
    expect(await readSetFile(workbook.slice(0, workbook.length / 2))).toBe('unreadable');
    expect(await read('A-1\n'.repeat(50_001))).toBe('tooLarge');
    expect(await readSetFile(new Uint8Array(5_000_001))).toBe('tooLarge');
  });

  it('that is no text, such as a picture or an old workbook, is refused, as is one without a line', async () => {
    expect(await readSetFile(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0, 0, 0x3b, 0xa))).toBe('unreadable');
    expect(await read('')).toBe('empty');
    expect(await read('code;price\n\n;\n')).toBe('empty');
  });
});

describe('its preview', () => {
  const product = (number: number) => ({ productId: id(number), name: `P${number}` });
  const lines = (...codes: string[]) => ({
    areIds: false,
    lines: codes.map((code, place) => ({ line: place + 1, code })),
    unread: [],
  });

  it('names each product once, and tells every line that is left out', async () => {
    const known: Readonly<Record<string, { readonly productId: Id; readonly name: string }[]>> = {
      A: [product(1)],
      B: [product(2)],
      '1': [product(1)],
      TWO: [product(3), product(4)],
    };
    const bridge = fakeBridge({
      'couponSet:match': ({ codes }) => ({ matches: codes.map((code) => known[code] ?? []) }),
    });
    const preview = await previewSet(
      bridge,
      lines('A', 'X', 'B', 'TWO', '1'),
      () => undefined,
      new AbortController().signal,
    );
    expect(preview).toEqual(
      succeed({
        members: [
          { kind: 'member', line: 1, code: 'A', ...product(1) },
          { kind: 'member', line: 3, code: 'B', ...product(2) },
        ],
        lostZeros: null,
        leftOut: [
          { kind: 'leftOut', line: 2, text: 'X', why: 'notFound', earlier: null },
          { kind: 'leftOut', line: 4, text: 'TWO', why: 'several', earlier: null },
          { kind: 'leftOut', line: 5, text: '1', why: 'twice', earlier: 1 },
        ],
      }),
    );
  });

  it('tells of codes that name a product only with zeros before them, and takes none of them', async () => {
    const asked: string[][] = [];
    const bridge = fakeBridge({
      'couponSet:match': ({ codes }) => {
        asked.push(codes);
        return { matches: codes.map((code) => (code === '000076' ? [product(1)] : [])) };
      },
    });
    const look = (...codes: string[]) =>
      previewSet(bridge, lines(...codes), () => undefined, new AbortController().signal);
    const found = await look('X', '00005', '12', '76');
    expect(found.ok && [found.value.lostZeros, found.value.members, found.value.leftOut.length]).toEqual([
      { code: '76', whole: '000076' },
      [],
      4,
    ]);
    expect(asked[1]).toEqual(expect.arrayContaining(['012', '00000000000012', '00000000000076']));
    const none = await look(...Array.from({ length: 250 }, (_, place) => String(place + 1000)));
    expect(none.ok && none.value.lostZeros).toBeNull();
    expect(asked.slice(2).map((codes) => codes.length)).toEqual([100, 100, 50, 80]);
  });

  it('goes slice by slice, tells how far it is, and can be stopped between two', async () => {
    const codes = Array.from({ length: 250 }, (_, place) => `C${place}`);
    const controller = new AbortController();
    const asked: number[] = [];
    const bridge = fakeBridge({
      'couponSet:match': (slice) => {
        asked.push(slice.codes.length);
        return { matches: slice.codes.map((code) => [product(Number(code.slice(1)) + 1)]) };
      },
    });
    const seen: number[] = [];
    const whole = await previewSet(bridge, lines(...codes), (done) => seen.push(done), controller.signal);
    expect([whole.ok && whole.value.members.length, seen, asked]).toEqual([250, [100, 200, 250], [100, 100, 50]]);
    asked.length = 0;
    const stopped = await previewSet(bridge, lines(...codes), () => controller.abort(), controller.signal);
    expect(stopped).toEqual(fail({ kind: 'cancelled' }));
    expect(asked).toEqual([100, 100]);
  });
});
