import { later } from './clock.ts';

/** Long enough for the slowest dialog to have read the blob. */
const keptForMs = 10 * 60_000;

/** Saves the parts, one after the other, as a file of this name, where and how the browser or Electron asks. */
export function saveFile(name: string, type: string, parts: readonly BlobPart[]): void {
  const address = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  later(keptForMs, () => URL.revokeObjectURL(address));
}
