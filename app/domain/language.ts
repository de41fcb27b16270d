/** In the order in which they are offered. */
export const languages = ['pt-BR', 'es', 'en'] as const;

/**
 * The language for a BCP 47 tag: Brazilian Portuguese for any Portuguese, one Spanish for every Spanish, else English.
 */
export function languageOf(tag: string): (typeof languages)[number] {
  const [primary] = tag.toLowerCase().split(/[-_]/);
  if (primary === 'pt') {
    return 'pt-BR';
  }
  return primary === 'es' ? 'es' : 'en';
}
