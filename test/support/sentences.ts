import type { i18n } from 'i18next';
import type { Language } from '../../app/contract/basics.ts';
import { createWords } from '../../renderer/formats/i18n.ts';
import english from '../../renderer/locales/en.json' with { type: 'json' };
import portuguese from '../../renderer/locales/pt-BR.json' with { type: 'json' };
import englishScreens from '../../renderer/locales/screens.en.json' with { type: 'json' };
import spanishScreens from '../../renderer/locales/screens.es.json' with { type: 'json' };
import portugueseScreens from '../../renderer/locales/screens.pt-BR.json' with { type: 'json' };
import spanish from '../../renderer/locales/es.json' with { type: 'json' };

const isSection = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A feature may say some of its sentences on the first screen, and others later. */
function together<First extends object, Later extends object>(first: First, later: Later): First & Later {
  const merged: Record<string, unknown> = Object.fromEntries(Object.entries(first));
  for (const [name, value] of Object.entries(later)) {
    const before = merged[name];
    merged[name] = isSection(before) && isSection(value) ? together(before, value) : value;
  }
  return merged as First & Later;
}

/** Every sentence of the window, the first screen's and the others'. */
export const sentences = {
  en: together(english, englishScreens),
  'pt-BR': together(portuguese, portugueseScreens),
  es: together(spanish, spanishScreens),
} as const;

/** The window's words, with those of every screen. */
export async function createEveryWord(language: Language): Promise<i18n> {
  const words = await createWords(language);
  await words.loadNamespaces('screens');
  return words;
}
