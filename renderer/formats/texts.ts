/** The text's beginning, in one line and without signs that cannot be seen; an ellipsis stands for the rest. */
export function cutText(text: string, maxCharacters: number): string {
  const characters = [
    ...text
      .slice(0, 2 * maxCharacters + 2)
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
  ];
  return characters.length <= maxCharacters
    ? characters.join('')
    : `${characters.slice(0, maxCharacters).join('')}\u2026`;
}
