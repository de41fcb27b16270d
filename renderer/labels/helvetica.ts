export type Weight = 'regular' | 'bold';

// Thousandths of the size, from the character of code 32 to that of code 255.
const widths: Readonly<Record<Weight, readonly number[]>> = {
  regular: `
  278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556
  1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556
  333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584 0
  556 365 222 556 333 1000 556 556 333 1000 667 333 1000 365 611 365 365 222 222 333 333 350 556 1000 333 1000 500 333 944 365 500 667
  278 333 556 556 556 556 260 556 333 737 370 556 584 333 737 333 400 584 333 333 333 556 537 278 333 333 365 556 834 834 834 611
  667 667 667 667 667 667 1000 722 667 667 667 667 278 278 278 278 722 722 778 778 778 778 778 584 778 722 722 722 722 667 667 611
  556 556 556 556 556 556 889 500 556 556 556 556 278 278 278 278 556 556 556 556 556 556 556 584 611 556 556 556 556 500 556 500`
    .trim()
    .split(/\s+/)
    .map(Number),
  bold: `
  278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333 584 584 584 611
  975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 667 667 611 333 278 333 584 556
  333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500 389 280 389 584 0
  556 365 278 556 500 1000 556 556 333 1000 667 333 1000 365 611 365 365 278 278 500 500 350 556 1000 333 1000 556 333 944 365 500 667
  278 333 556 556 556 556 280 556 333 737 370 556 584 333 737 333 400 584 333 333 333 556 556 278 333 333 365 556 834 834 834 611
  722 722 722 722 722 722 1000 722 667 667 667 667 278 278 278 278 722 722 778 778 778 778 778 584 778 722 722 722 722 667 667 611
  556 556 556 556 556 556 889 556 556 556 556 556 278 278 278 278 611 611 611 611 611 611 611 584 611 611 611 611 611 556 611 556`
    .trim()
    .split(/\s+/)
    .map(Number),
};

// Characters of WinAnsiEncoding between 128 and 159, where Unicode has control characters; a blank stands for none.
const between =
  '\u20ac \u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152 \u017d  \u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153 \u017e\u0178';

/** The character's code in a PDF's WinAnsiEncoding; null when it has none. */
export function winAnsiCode(character: string): number | null {
  const code = character.codePointAt(0) ?? 0;
  if ((code >= 32 && code < 127) || (code >= 160 && code < 256)) {
    return code;
  }
  const place = character === ' ' ? -1 : between.indexOf(character);
  return place === -1 ? null : 128 + place;
}

/** The text with each character that Helvetica lacks as the letter below its accents, or as a question mark. */
export function simplified(text: string): string {
  return [...text]
    .map((character) => {
      if (winAnsiCode(character) !== null) {
        return character;
      }
      const base = character.normalize('NFKD').replaceAll(/\p{M}/gu, '');
      if (base !== '' && [...base].every((part) => winAnsiCode(part) !== null)) {
        return base;
      }
      return /^\p{M}$/u.test(character) ? '' : '?';
    })
    .join('');
}

/** How wide a text is, in thousandths of its size. A character that Helvetica lacks counts as wide as it is high. */
export function measure(text: string, weight: Weight): number {
  let width = 0;
  for (const character of text) {
    const code = winAnsiCode(character);
    width += code === null ? 1000 : (widths[weight][code - 32] ?? 1000);
  }
  return width;
}
