/** The encoding that a file's mark names, as PowerShell and editors of Windows save; null where it is not UTF-16. */
export function wideEncodingOf(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const mark = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  if (mark === 0xfffe) {
    return 'utf-16le';
  }
  return mark === 0xfeff ? 'utf-16be' : null;
}

/** The text of a file: UTF-16 by its mark, else UTF-8; without the mark. */
export const textOfFile = (bytes: Uint8Array): string =>
  new TextDecoder(wideEncodingOf(bytes) ?? 'utf-8').decode(bytes);
