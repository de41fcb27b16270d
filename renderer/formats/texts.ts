/** The text's beginning, in one line and without signs that cannot be seen; an ellipsis stands for the rest. */
export function cutText(text: string, mostCharacters: number): string {
  const characters = [
    ...text
      .slice(0, 2 * mostCharacters + 2)
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
  ];
  return characters.length <= mostCharacters
    ? characters.join('')
    : `${characters.slice(0, mostCharacters).join('')}\u2026`;
}
