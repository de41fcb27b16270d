import type { i18n } from 'i18next';
import type { Language } from '../../app/contract/basics.ts';
import { createWords } from '../../renderer/formats/i18n.ts';
import english from '../../renderer/locales/en.json' with { type: 'json' };
import portuguese from '../../renderer/locales/pt-BR.json' with { type: 'json' };
import englishScreens from '../../renderer/locales/screens.en.json' with { type: 'json' };
import spanishScreens from '../../renderer/locales/screens.es.json' with { type: 'json' };
import portugueseScreens from '../../renderer/locales/screens.pt-BR.json' with { type: 'json' };
import spanish from '../../renderer/locales/es.json' with { type: 'json' };

/** Every sentence of the window, the first screen's and the others'. */
export const sentences = {
  en: { ...english, ...englishScreens },
  'pt-BR': { ...portuguese, ...portugueseScreens },
  es: { ...spanish, ...spanishScreens },
} as const;

/** The window's words, with those of every screen. */
export async function createEveryWord(language: Language): Promise<i18n> {
  const words = await createWords(language);
  await words.loadNamespaces('screens');
  return words;
}
