// Owns a language that does not exist: every sentence of English made 30% longer, word by word, so that a layout that has room for it has room for
// a translation. Joins the build of the page in the place of the Spanish locale, so that a scene is led to in English; never ships.
import type { Plugin } from 'vite';
import english from '../../../renderer/locales/en.json' with { type: 'json' };

const share = 0.3;
const vowels = /[aeiou]/gi;

/** "Sign out" becomes "Siign oout": each word longer by its share, so that lines break where a translation's would; gaps stay as they are. */
export function lengthen(sentence: string): string {
  let owed = 0;
  return sentence
    .split(/(\{\{\w+\}\}|<[^>]*>|\s+)/)
    .map((word) => {
      if (/^(?:\{\{|<|\s|$)/.test(word)) {
        return word;
      }
      owed += word.length * share;
      const extra = Math.round(owed);
      owed -= extra;
      // At a vowel, so that it stays a word; a word without one grows at its end.
      const at = [...word.matchAll(vowels)].at(-1)?.index ?? word.length - 1;
      return word.slice(0, at + 1) + (word[at] ?? '').repeat(Math.max(0, extra)) + word.slice(at + 1);
    })
    .join('');
}

function lengthenAll(node: unknown): unknown {
  return typeof node === 'string' ? lengthen(node) : typeof node === 'object' && node !== null ? Object.fromEntries(Object.entries(node).map(([key, value]) => [key, lengthenAll(value)])) : node;
}

/** Puts the longer sentences in the place of Spanish. */
export function longerWords(): Plugin {
  return {
    name: 'longer-words',
    enforce: 'pre',
    transform: (_code, path) => (/[\\/]locales[\\/]es\.json$/.test(path) ? { code: JSON.stringify(lengthenAll(english)), map: null } : undefined),
  };
}
