import { describe, expect, it } from 'vitest';
import { everyAnswerChecks } from '../../../app/conformance/checks/every-answer.ts';
import { listingChecks } from '../../../app/conformance/checks/listing.ts';
import { gateChecks, signInChecks } from '../../../app/conformance/checks/sign-in.ts';
import { couponChecks, stockChecks } from '../../../app/conformance/checks/stock.ts';
import { switchingChecks } from '../../../app/conformance/checks/switching.ts';
import { words } from '../../../app/conformance/words.ts';
import { languages } from '../../../app/domain/language.ts';

const places = (sentence: string): string[] =>
  [...sentence.matchAll(/\{\{\w+\}\}/g)].map(([place]) => place).toSorted();

describe('the words', () => {
  it('name each check, and no other', () => {
    const ids = [
      ...signInChecks,
      ...gateChecks,
      ...listingChecks,
      ...stockChecks,
      ...couponChecks,
      ...switchingChecks({ product: '1', before: true }),
      ...everyAnswerChecks,
    ].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const others = ['1:answered', '4.7:put-back', '4.8:restore', '4.9:categories', '8:window'];
    expect([...ids, ...others].toSorted()).toEqual(Object.keys(words.en.check).toSorted());
  });

  it.each(languages)('say the same in %s, with the same places', (language) => {
    for (const group of Object.keys(words.en) as (keyof typeof words.en)[]) {
      const [english, here] = [words.en[group], words[language][group]] as Readonly<Record<string, string>>[];
      expect(Object.keys(here ?? {}).toSorted()).toEqual(Object.keys(english ?? {}).toSorted());
      for (const [key, sentence] of Object.entries(english ?? {})) {
        expect([key, places(here?.[key] ?? '')]).toEqual([key, places(sentence)]);
      }
    }
  });
});
