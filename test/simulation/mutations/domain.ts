import type { Mutation } from '../mutation.ts';

export const domainMutations: readonly Mutation[] = [
  {
    name: 'ids are read as numbers',
    file: 'app/domain/int64.ts',
    find: 'return value >= 0n && value <= largest ? (String(value) as Id) : null;',
    replace: 'return value >= 0n && value <= largest ? (String(Number(value)) as Id) : null;',
    rules: ['I15', 'I17'],
  },
  {
    name: 'a figure is shown with what binary fractions add',
    file: 'app/domain/loose-json.ts',
    find: '? withoutBinaryNoise(amount) : null;',
    replace: '? amount : null;',
    rules: [],
    test: 'test/unit/domain/loose-json.test.ts',
  },
  {
    name: 'what nobody sees stays in a name',
    file: 'app/domain/loose-json.ts',
    find: 'const text = visibleText(String(value).slice(0, 4 * longest))',
    replace: 'const text = String(value).slice(0, 4 * longest)',
    rules: [],
    test: 'test/unit/domain/visible-text.test.ts',
  },
  {
    name: 'an address begins anew at each sign of a run when secrets are looked for',
    file: 'app/domain/redact.ts',
    find: String.raw`[/(:\/\/)[^\s/@]+@/g, `,
    replace: String.raw`[/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, `,
    rules: [],
    test: 'test/unit/domain/redact.test.ts',
  },
];
