// Owns the renderer's words: both languages in the bundle, and the one instance that picks sentences. Never falls back
// silently from one language to the other: the tests hold both complete.
import i18next, { type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Language } from '../app/contract/contract.ts';
import english from './locales/en.json';
import portuguese from './locales/pt-BR.json';

/** The language to speak before the main process has said one. */
export function firstLanguage(preferred: readonly string[]): Language {
  return preferred[0]?.toLowerCase().startsWith('pt') === true ? 'pt-BR' : 'en';
}

/** An instance that is ready at once. */
export function createWords(language: Language): i18n {
  const words = i18next.createInstance();
  void words.use(initReactI18next).init({
    lng: language,
    supportedLngs: ['en', 'pt-BR'],
    fallbackLng: false,
    initAsync: false,
    resources: { en: { translation: english }, 'pt-BR': { translation: portuguese } },
    // React escapes already.
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  return words;
}
