import { describe, expect, it } from 'vitest';
import { failureKinds } from '../../../../app/domain/failure.ts';
import { keptOf } from '../../../../renderer/formats/failure-kept.ts';
import { sentences } from '../../../support/sentences.ts';
import { languages } from '../../../../app/domain/language.ts';

/** The words by which an advice tells what was kept, or that nothing was. */
const stateEvents = {
  en: /kept|wait|lost|changed|work on|is there/i,
  'pt-BR': /guardad|fica|esper|perde|alterad|continuar/i,
  es: /guard|conserv|espera|pierde|cambi|seguir/i,
} as const;

describe.each(languages)('in %s', (language) => {
  const words = sentences[language];
  it.each(failureKinds)('%s says what was kept', (kind) => {
    const kept = keptOf(kind);
    if (kept === null) {
      expect(words.failure[kind].advice).toMatch(stateEvents[language]);
    } else {
      expect(words.failure.kept[kept].length).toBeGreaterThan(10);
    }
  });
});

it('a failure of the way or of the platform never claims that nothing was changed there', () => {
  for (const kind of [
    'timedOut',
    'unreachable',
    'notThePlatform',
    'answerMalformed',
    'platformFailed',
    'refused',
  ] as const) {
    expect(['notThere', 'notChanged'], kind).not.toContain(keptOf(kind));
  }
});
