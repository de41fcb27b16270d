// Characters that a foreign text may not bring along: those that draw nothing, but turn what stands beside them around,
// hide a part of it, or make two names that look alike differ.
//
//   V1  Format controls that draw nothing go: bidirectional controls (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066
//       to U+2069), zero-width blanks and joiners (U+200B, U+2060, U+FEFF), soft hyphens, invisible operators,
//       annotations, tags; and marks that are never drawn (U+034F, U+17B4, U+17B5). A name is shown by itself, in an
//       element of its own, and needs none of them.
//   V2  The joiner and the non-joiner (U+200D, U+200C) stay where they change what is drawn: after a pictograph or its
//       modifiers, and after a letter or a mark of a script that joins, such as Arabic, Devanagari or Malayalam. After a
//       letter of the Latin, Greek or Cyrillic script, an accent of its own, a digit or a blank they are V1's.
//   V3  Tags stay in a flag such as Scotland's: behind U+1F3F4, eight at most.
//   V4  Line and paragraph separators, and fillers that look like a blank, are blanks.

const joined = String.raw`\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F[[\p{L}\p{M}]--[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\u0300-\u036F]]`;
const joiner = String.raw`(?<![${joined}])[\u200C\u200D]`;
const tag = String.raw`(?<!\u{1F3F4}[\u{E0020}-\u{E007E}]{0,7})[\u{E0000}-\u{E007F}]`;
const control = String.raw`[[[\p{Cf}&&\p{Default_Ignorable_Code_Point}]\uFFF9-\uFFFB\u034F\u17B4\u17B5]--[\u200C\u200D\u{E0000}-\u{E007F}]]`;

const invisible = new RegExp(`${control}|${joiner}|${tag}`, 'gv');
const blank = /[\u115F\u1160\u2028\u2029\u3164\uFFA0]/gu;
/** Looked for first: hardly a text has one of them, and the patterns above look behind every character. */
const suspicious =
  /\u034F|[\u17B4\u17B5]|[\u00AD\u061C\u115F\u1160\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E007F}]/u;

/** The text without what nobody sees in it (V1 to V4). */
export function visibleText(text: string): string {
  return suspicious.test(text) ? text.replaceAll(invisible, '').replaceAll(blank, ' ') : text;
}

/**
 * Text fit to be stored and shown: no control or invisible characters, blanks trimmed, whole characters, cut to the
 * limit. Null when nothing remains.
 */
export function fitText(text: string, longest: number): string | null {
  // mutant: what nobody sees stays in a name
  const fit = visibleText(text.slice(0, 4 * longest))
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, longest)
    .toWellFormed();
  return fit === '' ? null : fit;
}
