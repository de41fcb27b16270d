import { textOfFile } from '../../app/domain/file-text.ts';

/** The endings of the files that are read as lists of products. */
export const listEndings = ['.csv', '.txt', '.xlsx'];

/**
 * Whether a file is called a list of products. In the system's dialog any file can be chosen: of the settings, or of a
 * provisioning file, whoever may only stand at a kiosk would be shown the lines.
 */
export function isCalledList(name: string): boolean {
  return listEndings.some((ending) => name.toLowerCase().endsWith(ending));
}

/**
 * The bytes of a file that a person chose; of one with more than so many, which may be a film that was chosen by
 * mistake, one more than they are. Null when it cannot be read: it is gone, or another program holds it.
 */
export function readChosen(file: Blob, maxBytes: number): Promise<Uint8Array | null> {
  return file
    .slice(0, maxBytes + 1)
    .arrayBuffer()
    .then(
      (bytes) => new Uint8Array(bytes),
      () => null,
    );
}

/** The same as text. */
export async function readChosenText(file: Blob, maxBytes: number): Promise<string | null> {
  const bytes = await readChosen(file, maxBytes);
  return bytes === null ? null : textOfFile(bytes);
}
