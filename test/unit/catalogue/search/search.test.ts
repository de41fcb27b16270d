// The proof of search as you type against a plain reading of its ranks: on small copies everything that fits is found,
// in the very order that R1 to R7 of search.ts ask for, after any history of changes; on larger ones the best ranks are
// never crowded out.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CatalogueRepository } from '../../../../app/catalogue/repository/repository.ts';
import { compactCode, wordsOf } from '../../../../app/catalogue/search/words.ts';
import { id, openRepository, stockOne } from '../catalogue-fixture.ts';
import { listed } from '../../../support/listed.ts';

interface Product {
  readonly id: number;
  readonly name: string;
  readonly code?: string;
  readonly sku?: string;
}

function save(repository: CatalogueRepository, products: readonly Product[]): void {
  const [stock] = repository.stocks();
  repository.writer.save(stock ?? { number: 0, stockId: stockOne }, listed(products), {
    pass: 1,
    seenSince: 1,
    askedAt: 1,
  });
}

function idsOf(repository: CatalogueRepository, rows: readonly number[]): number[] {
  return rows.map((row) => Number(repository.reader.hit(row)?.productId));
}

/** The rank of R1 to R7, or null for a product that does not fit. The order of rows is the order of ids here. */
function rankOf({ name, code, sku }: Product, text: string): number | null {
  const typed = [...new Set(wordsOf(text))].slice(0, 8);
  const shownCode = code ?? sku ?? null;
  const own = wordsOf([name, code ?? '', sku ?? ''].join(' '));
  const [first = ''] = wordsOf(name);
  const folded = shownCode?.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  const wanted = text.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  const fragment = compactCode(text).slice(0, 40);
  if (typed.length === 0) {
    return null;
  }
  const fits = (isWord: (word: string, part: string) => boolean): boolean =>
    typed.every((part) => own.some((word) => isWord(word, part)));
  const ranks = [
    folded === wanted,
    folded?.startsWith(wanted) === true,
    fits((word, part) => word === part) && first === typed[0],
    fits((word, part) => word === part),
    fits((word, part) => word.startsWith(part)) && first.startsWith(typed[0] ?? ''),
    fits((word, part) => word.startsWith(part)),
    fragment.length >= 3 && /\d/.test(fragment) && compactCode(shownCode ?? '').includes(fragment),
  ];
  const rank = ranks.indexOf(true);
  return rank === -1 ? null : rank + 1;
}

function expectedIds(products: readonly Product[], text: string): number[] {
  return products
    .flatMap((product) => {
      const rank = rankOf(product, text);
      return rank === null ? [] : [{ product, rank }];
    })
    .toSorted(
      (left, right) =>
        left.rank - right.rank ||
        (left.rank >= 3 && left.rank <= 6 ? left.product.name.length - right.product.name.length : 0) ||
        left.product.id - right.product.id,
    )
    .map(({ product }) => product.id);
}

const word = fc.constantFrom(
  'Café',
  'cafe',
  'CAFETEIRA',
  'caf',
  'ca',
  'Água',
  'agua',
  'leite',
  'Leiteira',
  'l',
  '500',
  '500ml',
  '5000123',
  '5000124',
  'x1234567',
  'pão',
  'paozinho',
);
const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
// Codes that are all different, for rows of one code may come in any order.
const codeForm = fc.constantFrom(
  (place: number) => `AB-00${place}123-X`,
  (place: number) => `5000${place}23`,
  (place: number) => `caf${place}`,
  null,
);
const text = fc.oneof(
  fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
  fc.tuple(word, fc.integer({ min: 1, max: 8 })).map(([whole, length]) => whole.slice(0, length)),
  fc.constantFrom(
    'ab-00',
    'b00',
    '0123x',
    '50002',
    '500012',
    '12',
    'c',
    'caf1',
    'CAF1',
    'leite caf',
    'agua c l',
    'x123456',
    'x12345678',
  ),
);

function productsOf(
  rows: readonly { readonly name: string; readonly form: ((place: number) => string) | null }[],
): Product[] {
  return rows.map((row, place) => ({
    id: place + 1,
    name: row.name,
    ...(row.form === null ? {} : { code: row.form(place + 1) }),
    ...(place % 5 === 0 && row.form !== null ? { sku: `S${place}-9999999` } : {}),
  }));
}

describe('against a plain reading of the ranks', () => {
  const rows = fc.array(fc.record({ name, form: codeForm }), { minLength: 1, maxLength: 9 });

  test('all that fits is found, best first, and nothing else, also after renaming and removing', async () => {
    const { repository } = await openRepository();
    const [stock] = repository.stocks();
    fc.assert(
      fc.property(rows, rows, fc.array(text, { minLength: 1, maxLength: 6 }), (before, after, texts) => {
        repository.writer.remove(
          stock ?? { number: 0, stockId: stockOne },
          Array.from({ length: 9 }, (_unused, place) => id(place + 1)),
        );
        save(repository, productsOf(before));
        // The rows that a search has read are not taken for those that there are after the next change.
        for (const typed of texts) {
          repository.search.search(typed, 20);
        }
        const products = productsOf(after);
        save(repository, products);
        repository.writer.remove(
          stock ?? { number: 0, stockId: stockOne },
          before.slice(after.length).map((_row, place) => id(after.length + place + 1)),
        );
        for (const typed of texts) {
          const found = idsOf(repository, repository.search.search(typed, 50));
          const expected = expectedIds(products, typed);
          // Codes have an order of their own among those that begin with the text.
          const codes = products.filter((product) => (rankOf(product, typed) ?? 9) <= 2).length;
          expect(found.slice(codes)).toEqual(expected.slice(codes));
          expect(new Set(found.slice(0, codes))).toEqual(new Set(expected.slice(0, codes)));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('a walk over everything that fits finds the same rows', async () => {
    const { repository } = await openRepository();
    const products = productsOf(
      Array.from({ length: 60 }, (_unused, place) => ({
        name: ['Café', 'Cafeteira 500ml', 'x1234567 leite', 'Água'][place % 4] ?? '',
        form: place % 3 === 0 ? null : (number: number) => `5000${number}23`,
      })),
    );
    save(repository, products);
    for (const typed of ['caf', 'cafeteira 500', 'x12345678', 'x123456 le', '0023', '5000', 'a']) {
      const walked = [...repository.search.all(typed)].flat();
      const expected = products.filter((product) =>
        [3, 4, 5, 6, 7].includes(
          rankOf({ ...product, ...(product.code === undefined ? {} : { code: `#${product.code}` }) }, typed) ?? 0,
        ),
      );
      expect(idsOf(repository, [...new Set(walked)]).toSorted((left, right) => left - right)).toEqual(
        expected.map((product) => product.id),
      );
    }
  });
});

describe('among many', () => {
  async function fill(
    count: number,
    nameOf: (place: number) => string,
    codeOf: (place: number) => string = (place) => String(place).padStart(7, '0'),
  ): Promise<CatalogueRepository> {
    const { repository } = await openRepository();
    save(
      repository,
      Array.from({ length: count }, (_unused, place) => ({ id: place + 1, name: nameOf(place), code: codeOf(place) })),
    );
    return repository;
  }

  test('the one whole word, the one such beginning and the one code come first, though thousands fit', async () => {
    const others: Readonly<Record<number, string>> = { 4_200: 'Pacote de sal', 4_250: 'Sal', 4_290: 'Salgado' };
    const repository = await fill(4_300, (place) => others[place] ?? `Pacote de salgadinho ${place}`);
    expect(idsOf(repository, repository.search.search('sal', 3))).toEqual([4_251, 4_201, 4_291]);
    expect(idsOf(repository, repository.search.search('0004299', 5))).toEqual([4_300]);
    expect(idsOf(repository, repository.search.search('salg', 1))).toEqual([4_291]);
  });

  test('two common beginnings with one product in common find it in whatever block it lies', async () => {
    const repository = await fill(4_300, (place) => {
      if (place === 4_299) {
        return 'Arroz e feijão';
      }
      return place % 2 === 0 ? `Arroz ${place}` : `Feijão ${place}`;
    });
    expect(idsOf(repository, repository.search.search('f a', 20))).toEqual([4_300]);
    expect(idsOf(repository, repository.search.search('arr fei', 20))).toEqual([4_300]);
  });

  test('consecutive codes are found whole and by fragments, though only their beginnings are indexed', async () => {
    const repository = await fill(
      4_400,
      (place) => `Produto P${String(place).padStart(9, '0')}`,
      (place) => `LOJA${String(place).padStart(8, '0')}`,
    );
    expect(idsOf(repository, repository.search.search('loja00004321', 5))).toEqual([4_322]);
    expect(idsOf(repository, repository.search.search('00004321', 5))).toEqual([4_322]);
    expect(idsOf(repository, repository.search.search('produto 00004321', 5))).toEqual([4_322]);
    expect(idsOf(repository, repository.search.search('produto p000000321', 5))).toEqual([322]);
  });
});

describe('letters and digits are words apart', () => {
  const goods = [
    'Amido de milho Maisena 200 g',
    'Amido Maisena 200g',
    'Leite integral 1 L',
    'Leite integral 1L',
    'Refrigerante 1,5 L',
    'Refrigerante 1,5l',
    'Cabo HDMI2',
    'Leite 12 un',
  ];

  test.each([
    ['maisena 200g', 'maisena 200 g', [2, 1]],
    ['leite 1l', 'leite 1 l', [4, 3, 8]],
    ['refrigerante 1,5l', 'refrigerante 1,5 L', [6, 5]],
    ['hdmi2', 'HDMI 2', [7]],
  ])('"%s" finds what "%s" finds', async (joined, parted, expected) => {
    const { repository } = await openRepository();
    save(
      repository,
      goods.map((product, place) => ({ id: place + 1, name: product, code: `K${place}` })),
    );
    expect(idsOf(repository, repository.search.search(joined, 10))).toEqual(expected);
    expect(idsOf(repository, repository.search.search(parted, 10))).toEqual(expected);
    expect(idsOf(repository, [...repository.search.all(joined)].flat())).toEqual(
      idsOf(repository, [...repository.search.all(parted)].flat()),
    );
  });

  test('a code of both is found first by itself, however it is written', async () => {
    const { repository } = await openRepository();
    save(repository, [
      { id: 1, name: 'AB com 12 unidades', code: '7' },
      { id: 2, name: 'Parafuso', code: 'AB12' },
      { id: 3, name: 'Porca', code: 'XAB123' },
    ]);
    expect(idsOf(repository, repository.search.search('ab12', 10))).toEqual([2, 1, 3]);
    expect(idsOf(repository, repository.search.search('AB12', 1))).toEqual([2]);
  });
});

test('the first few are the first of all, in the same order, however many are wanted', async () => {
  const { repository } = await openRepository();
  save(
    repository,
    Array.from({ length: 300 }, (_unused, place) => ({
      id: place + 1,
      name: `Pão ${'x'.repeat((place * 7) % 61)} ${place % 3 === 0 ? 'doce' : 'francês'}`,
      code: `PA${300 - place}`,
    })),
  );
  for (const typed of ['pa', 'pao', 'pao do', 'doce', 'x', 'pa1']) {
    const all = repository.search.search(typed, 200);
    expect(all.length, typed).toBeGreaterThan(60);
    expect([1, 8, 50].map((few) => repository.search.search(typed, few))).toEqual(
      [1, 8, 50].map((few) => all.slice(0, few)),
    );
  }
});

describe('a text that nothing is called like', () => {
  const goods = [
    'Vassoura de pelo',
    'Vassoura mágica',
    'Amido Maizena',
    'Amido Maisena',
    'Rodo',
    'Leite em pó',
    'Lata',
  ];

  async function similarTo(typed: string, limit = 8): Promise<readonly number[]> {
    const { repository } = await openRepository();
    save(
      repository,
      goods.map((product, place) => ({ id: place + 1, name: product, code: `K${place}` })),
    );
    return idsOf(repository, [...repository.search.similar(typed, limit)].flat());
  }

  test.each([
    ['a letter left out', 'vassora', [2, 1]],
    ['two slips, the fewest first', 'mazena', [3, 4]],
    ['two neighbours changed places', 'rood', [5]],
    ['the first letter wrong', 'Bassoura', [2, 1]],
    ['beside a word that is right', 'vassora pelo', [1]],
    ['in two words', 'liete po vasora', []],
    ['in both words', 'vasora pelu', [1]],
    ['in a word that is not typed to its end', 'vaszo pe', [1]],
    ['at the end of one that is begun', 'vaszo', [2, 1]],
  ])('%s', async (_, typed, expected) => {
    expect(await similarTo(typed)).toEqual(expected);
  });

  test.each(['vassoura', 'vass', 'zz', 'k9999', '1234567', 'vassoura 99', 'rato pelado', ''])(
    '"%s" may have meant nothing else',
    async (typed) => {
      expect(await similarTo(typed)).toEqual([]);
    },
  );

  test('no more are answered than asked for, and none twice', async () => {
    expect(await similarTo('vassora', 1)).toEqual([2]);
    expect(await similarTo('amidu', 8)).toEqual([3, 4]);
  });

  test('the words of a block at a time are gone through, so that others have their turn in between', async () => {
    const { repository } = await openRepository();
    save(
      repository,
      Array.from({ length: 8_200 }, (_unused, place) => ({
        id: place + 1,
        name: place === 8_199 ? 'Vassoura' : 'Rodo',
      })),
    );
    const slices = [...repository.search.similar('vassora', 8)];
    expect(slices.length).toBeGreaterThan(3);
    expect(idsOf(repository, slices.flat())).toEqual([8_200]);
  });
});
