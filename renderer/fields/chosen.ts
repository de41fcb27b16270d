import type { FieldPlace, ListedField, ShownField } from '../../app/contract/fields.ts';
import { shownFieldLimits } from '../../app/contract/limits/fields.ts';
import { fitText } from '../../app/domain/visible-text.ts';

export type Chosen = readonly ShownField[];

/** The problem that keeps a name from being saved. */
export type NameProblem = 'empty' | 'twice';

/** The problem of this name for the field at this path; null for a good one. */
export function nameProblem(chosen: Chosen, path: string, name: string): NameProblem | null {
  const kept = fitText(name, shownFieldLimits.name);
  if (kept === null) {
    return 'empty';
  }
  return chosen.some((one) => one.path !== path && one.name === kept) ? 'twice' : null;
}

/** With this name for the field at this path. */
export function renamed(chosen: Chosen, path: string, name: string): Chosen {
  return chosen.map((one) => (one.path === path ? { ...one, name } : one));
}

/** The last name of a path in words: "unit_price" is "Unit price". What is the name of something is called as that is. */
function nameOf(path: string): string {
  const [last = path, owner] = path.split('.').toReversed();
  const words = (owner !== undefined && /^name$/i.test(last) ? owner : last)
    .replaceAll(/(?<=\p{Ll})\p{Lu}/gu, (letter) => ` ${letter.toLowerCase()}`)
    .replaceAll(/[_\s-]+/g, ' ')
    .trim();
  return (words.charAt(0).toUpperCase() + words.slice(1)).slice(0, shownFieldLimits.name).toWellFormed().trim();
}

/** With one more at the end, on the card, under a name that no other has; the same where there is no room. */
export function withField(chosen: Chosen, { path }: Pick<ListedField, 'path'>): Chosen {
  if (chosen.length >= shownFieldLimits.fields || chosen.some((one) => one.path === path)) {
    return chosen;
  }
  const isTaken = (name: string): boolean => chosen.some((one) => one.name === name);
  const plain = fitText(nameOf(path), shownFieldLimits.name) ?? fitText(path, shownFieldLimits.name) ?? '?';
  const numbered = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map(
    (number) => `${plain.slice(0, shownFieldLimits.name - 3).trim()} ${number}`,
  );
  return [...chosen, { path, name: [plain, ...numbered].find((name) => !isTaken(name)) ?? '', on: ['card'] }];
}

/** The one at this place a step up or down; the same at the ends. */
export function moved(chosen: Chosen, place: number, step: -1 | 1): Chosen {
  const one = chosen[place];
  const to = place + step;
  return one === undefined || to < 0 || to >= chosen.length ? chosen : chosen.toSpliced(place, 1).toSpliced(to, 0, one);
}

/** With the field at this path shown there, or no longer. */
export function toggled(chosen: Chosen, path: string, at: FieldPlace): Chosen {
  return chosen.map((one) =>
    one.path === path
      ? { ...one, on: one.on.includes(at) ? one.on.filter((other) => other !== at) : [...one.on, at] }
      : one,
  );
}
