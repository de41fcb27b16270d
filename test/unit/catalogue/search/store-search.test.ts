// The proof that what is stored is found by its words.
import { describe, expect, test } from 'vitest';
import { openRepository } from '../catalogue-fixture.ts';
import { save } from '../repository/repository-fixture.ts';

describe('search', () => {
  const products = [
    { id: 1, name: 'Leite integral 1 L', code: '000123' },
    { id: 2, name: 'Leiteira de alumínio', code: '000124' },
    { id: 3, name: 'Doce de leite', code: 'AB-004567-X' },
    { id: 4, name: 'Água com gás', code: '000126' },
    { id: 5, name: 'Pão de açúcar "D\'água" AND OR NOT * ^', code: '50%_OFF' },
  ];

  async function fill(): Promise<(text: string) => number[]> {
    const { repository } = await openRepository();
    save(repository, products);
    return (text) => repository.search.search(text, 10).map((row) => Number(repository.reader.hit(row)?.productId));
  }

  test('accents, capitals and the order of words do not matter', async () => {
    const search = await fill();
    expect(search('GAS agua')).toEqual([4]);
    expect(search('ágUA GÁ')).toEqual([4]);
    expect(search('a\u0301gua com')).toEqual([4]);
  });

  test('whole words come before beginnings, and names that begin so before others', async () => {
    const search = await fill();
    expect(search('leite')).toEqual([1, 3, 2]);
    expect(search('lei')).toEqual([1, 2, 3]);
  });

  test('fragments of codes', async () => {
    const search = await fill();
    expect(search('0456')).toEqual([3]);
    expect(search('b-0045')).toEqual([3]);
    expect(search('00012')).toEqual([1, 2, 4]);
    expect(search('50%_')).toEqual([5]);
  });

  test.each([
    '',
    '   ',
    '"',
    '*',
    "d'agua",
    'AND',
    'NOT a',
    'NEAR(a b)',
    '(',
    '^a',
    'text:leite',
    '-',
    'a OR b',
    '\u0000',
    '😀',
    'ﬁ',
    'x'.repeat(5_000),
    'a '.repeat(2_000),
    '日本',
    '\ud800',
  ])('never throws for %j', async (text) => {
    const search = await fill();
    expect(Array.isArray(search(text))).toBe(true);
  });

  test('what looks like the language of the database is only words', async () => {
    const search = await fill();
    expect(search("d'agua and not")).toEqual([5]);
  });
});
