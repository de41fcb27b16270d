import { expect, test } from 'vitest';
import { shortNameOf } from '../../../../renderer/cashiers/initials.ts';

test.each([
  ['ana@example.com', 'A', 'ana', '@example.com'],
  ['caio.longname@branch.example.com', 'CL', 'caio.longname', '@branch.example.com'],
  ['maria-das_dores.silva@example.com', 'MS', 'maria-das_dores.silva', '@example.com'],
  ['caixa1@example.com', 'C1', 'caixa1', '@example.com'],
  ['caixa.02@example.com', 'C2', 'caixa.02', '@example.com'],
  ['caixa2026@example.com', 'C26', 'caixa2026', '@example.com'],
  ['élodie@example.com', 'É', 'élodie', '@example.com'],
  ['no address', 'NA', 'no address', ''],
  ['@example.com', 'EC', '@example.com', ''],
  ['"a@b"@example.com', 'AB', '"a@b"', '@example.com'],
])('%s is %s', (email, initials, name, rest) => {
  expect(shortNameOf(email)).toEqual({ initials, name, rest });
});
