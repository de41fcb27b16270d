import i18next, { type BackendModule, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Language } from '../../app/contract/basics.ts';
import { languageOf, languages } from '../../app/domain/language.ts';

export type Sentences = Readonly<Record<Language, () => Promise<{ readonly default: object }>>>;

// Each a file of its own, from this machine's disk: nobody waits for the sentences of a language that is not spoken
// here.
const sentences: Sentences = {
  en: () => import('../locales/en.json', { with: { type: 'json' } }),
  'pt-BR': () => import('../locales/pt-BR.json', { with: { type: 'json' } }),
  es: () => import('../locales/es.json', { with: { type: 'json' } }),
};

// Sentences that are not on the first screen; `ui/lazy-part.tsx` reads them.
const screenSentences: Sentences = {
  en: () => import('../locales/screens.en.json', { with: { type: 'json' } }),
  'pt-BR': () => import('../locales/screens.pt-BR.json', { with: { type: 'json' } }),
  es: () => import('../locales/screens.es.json', { with: { type: 'json' } }),
};

/**
 * CLDR counts 0 as one in Portuguese, of which people speak in the plural: where nothing is said for 0, what is said of
 * several is.
 */
function withNought(node: object): object {
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]: [string, unknown]): [string, unknown][] => [
      [key, typeof value === 'object' && value !== null ? withNought(value) : value],
      ...(key.endsWith('_other') && !(key.replace(/other$/, 'zero') in node)
        ? [[key.replace(/other$/, 'zero'), value] satisfies [string, unknown]]
        : []),
    ]),
  );
}

const readerOf = (files: Sentences): BackendModule => ({
  type: 'backend',
  callbackApi: true,
  init: () => undefined,
  read: (language, namespace, callback) => {
    (namespace === 'screens' ? screenSentences : files)[languageOf(language)]().then(
      (read) => callback(null, withNought(read.default)),
      (problem: unknown) => callback(String(problem), null),
    );
  },
});

/** The language to speak before the main process has said one. */
export function firstLanguage(preferred: readonly string[]): Language {
  return languageOf(preferred[0] ?? '');
}

/** An instance that speaks the language at once; another is spoken as soon as its sentences have been read. */
export async function createWords(language: Language, files = sentences): Promise<i18n> {
  const words = i18next.createInstance();
  await words
    .use(initReactI18next)
    .use(readerOf(files))
    .init({
      lng: language,
      supportedLngs: languages,
      fallbackLng: false,
      fallbackNS: 'screens',
      // React escapes already.
      interpolation: { escapeValue: false },
      react: { useSuspense: false },
      returnNull: false,
    });
  return words;
}
