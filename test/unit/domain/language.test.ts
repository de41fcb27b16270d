import { expect, it } from 'vitest';
import { languageOf } from '../../../app/domain/language.ts';

it.each([
  ['pt-BR', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['PT', 'pt-BR'],
  ['es', 'es'],
  ['es-419', 'es'],
  ['ES-mx', 'es'],
  ['es_AR', 'es'],
  ['en', 'en'],
  ['en-GB', 'en'],
  ['est', 'en'],
  ['ptx', 'en'],
  ['fr-FR', 'en'],
  ['', 'en'],
])('%j is spoken to in %s', (tag, language) => {
  expect(languageOf(tag)).toBe(language);
});
