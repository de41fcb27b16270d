import type { Language } from '../../app/contract/basics.ts';

/** Answers what `make` made for the language when it was first asked for. */
export function byLanguage<Made>(make: (language: Language) => Made): (language: Language) => Made {
  const kept = new Map<Language, Made>();
  return (language) => {
    const known = kept.get(language);
    if (known !== undefined) {
      return known;
    }
    const made = make(language);
    kept.set(language, made);
    return made;
  };
}
