import type { languages } from '../domain/language.ts';
import english from './words.en.json' with { type: 'json' };
import spanish from './words.es.json' with { type: 'json' };
import portuguese from './words.pt-BR.json' with { type: 'json' };

export type Language = (typeof languages)[number];
type Words = typeof english;

/** A sentence of `why` with what it is filled with. */
export interface Reason {
  readonly key: keyof Words['why'];
  readonly params: Readonly<Record<string, string>>;
}

export const words: Readonly<Record<Language, Words>> = { en: english, es: spanish, 'pt-BR': portuguese };

/** Fills the places of a sentence. */
export function fill(sentence: string, params: Readonly<Record<string, string | number>>): string {
  return sentence.replaceAll(/\{\{(\w+)\}\}/g, (_place, name: string) => String(params[name] ?? ''));
}
