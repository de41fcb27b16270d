// The proof that dates are read as people of each language type them, and never guessed.
import { expect, test } from 'vitest';
import { formatTypedMoment, parseTypedMoment, readTime, withYear } from '../../../../renderer/formats/typed-moments.ts';

const noon = new Date(2026, 2, 5, 12, 30).getTime();
const midnight = new Date(2026, 2, 5).getTime();

test.each([
  ['2026-03-05 12:30', 'en', noon],
  ['2026-03-05T12:30', 'pt-BR', noon],
  [' 2026-3-5 ', 'en', midnight],
  ['05/03/2026 12:30', 'pt-BR', noon],
  ['5.3.2026, 12:30', 'pt-BR', noon],
  ['05/03/2026', 'pt-BR', midnight],
  ['05/03/2026 12:30', 'es', noon],
] as const)('%j in %s is read', (text, language, moment) => {
  expect(parseTypedMoment(text, language)).toBe(moment);
});

test.each([
  ['', 'en'],
  ['tomorrow', 'en'],
  ['05/03/2026', 'en'],
  ['2026-04-31', 'en'],
  ['31/04/2026', 'pt-BR'],
  ['2026-13-01', 'en'],
  ['2026-03-05 24:00', 'en'],
  ['2026-03-05 10:60', 'en'],
  ['05/03/26', 'pt-BR'],
  ['0026-03-05', 'en'],
] as const)('%j in %s is none', (text, language) => {
  expect(parseTypedMoment(text, language)).toBeNull();
});

test.each([
  ['28/11', 'pt-BR', '28/11/2026'],
  [' 27.11 ', 'es', '27.11/2026'],
  ['3/1', 'pt-BR', '3/1/2027'],
  ['28/11/2026', 'pt-BR', '28/11/2026'],
  ['11/28', 'en', '11/28'],
  ['28', 'es', '28'],
] as const)('from 27 November 2026 on, %j in %s is %j', (text, language, whole) => {
  expect(withYear(text, '2026-11-27', language)).toBe(whole);
});

test.each(['en', 'pt-BR', 'es'] as const)('what is shown in %s can be typed again', (language) => {
  expect(parseTypedMoment(formatTypedMoment(noon, language), language)).toBe(noon);
});
test('the language’s own form is shown', () => {
  expect([formatTypedMoment(noon, 'en'), formatTypedMoment(noon, 'pt-BR')]).toEqual([
    '2026-03-05 12:30',
    '05/03/2026 12:30',
  ]);
});

test.each([
  ['18:00', '18:00'],
  ['7', '07:00'],
  ['18h', '18:00'],
  ['18H30', '18:30'],
  ['7.05', '07:05'],
  ['1830', '18:30'],
  ['  ', null],
  ['24:00', undefined],
  ['18:60', undefined],
  ['h', undefined],
  ['18hh', undefined],
])('%j as a time of day', (text, time) => {
  expect(readTime(text)).toBe(time);
});
