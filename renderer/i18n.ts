// Owns the renderer's words: every language in the bundle, and the one instance that picks sentences. Never falls back
// silently from one language to another: the tests hold all complete.
import i18next, { type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Language } from '../app/contract/contract.ts';
import { languageOf, languages } from '../app/domain/language.ts';
import english from './locales/en.json';
import spanish from './locales/es.json';
import portuguese from './locales/pt-BR.json';

/** The language to speak before the main process has said one. */
export function firstLanguage(preferred: readonly string[]): Language {
  return languageOf(preferred[0] ?? '');
}

/** An instance that is ready at once. */
export function createWords(language: Language): i18n {
  const words = i18next.createInstance();
  void words.use(initReactI18next).init({
    lng: language,
    supportedLngs: languages,
    fallbackLng: false,
    initAsync: false,
    resources: { en: { translation: english }, 'pt-BR': { translation: portuguese }, es: { translation: spanish } },
    // React escapes already.
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  return words;
}
