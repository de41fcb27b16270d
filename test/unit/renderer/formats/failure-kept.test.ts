import { describe, expect, it } from 'vitest';
import { failureKinds } from '../../../../app/domain/failure.ts';
import { keptOf } from '../../../../renderer/formats/failure-kept.ts';
import english from '../../../../renderer/locales/en.json' with { type: 'json' };
import portuguese from '../../../../renderer/locales/pt-BR.json' with { type: 'json' };
import spanish from '../../../../renderer/locales/es.json' with { type: 'json' };

/** The words by which an advice tells what was kept, or that nothing was. */
const stateEvents = {
  en: /kept|wait|lost|changed|work on|is there/i,
  'pt-BR': /guardad|fica|esper|perde|alterad|continuar/i,
  es: /guard|conserv|espera|pierde|cambi|seguir/i,
} as const;

describe.each([
  ['en', english],
  ['pt-BR', portuguese],
  ['es', spanish],
] as const)('in %s', (language, words) => {
  it.each(failureKinds)('%s says what was kept', (kind) => {
    const kept = keptOf(kind);
    if (kept === null) {
      expect(words.failure[kind].advice).toMatch(stateEvents[language]);
    } else {
      expect(words.failure.kept[kept].length).toBeGreaterThan(10);
    }
  });
});

it('a failure of the way or of the platform never claims that nothing was changed there, for nobody knows', () => {
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
