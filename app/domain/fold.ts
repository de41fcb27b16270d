import { visibleText } from './visible-text.ts';

/** A text as people search for it: without accents, capitals and what nobody sees. */
export function foldText(text: string): string {
  return visibleText(text).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
