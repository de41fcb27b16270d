// The label that a printer would make of ZPL, by a renderer that nobody here wrote.
import { createRequire } from 'node:module';
import { PNG } from 'pngjs';
import type * as Renderer from 'zpl-renderer-js';

// By Node itself: there is no need to transform its nine megabytes.
const { ready } = createRequire(import.meta.url)('zpl-renderer-js') as typeof Renderer;
// It adds a global of its own when it is ready: before any test runs, and once.
const { api } = await ready;

export interface ZplPicture {
  readonly width: number;
  readonly height: number;
  isBlack(x: number, y: number): boolean;
}

/** Draws each label in the text, at eight dots a millimetre. */
export async function drawZpl(
  zpl: Uint8Array,
  size: { readonly width: number; readonly height: number },
): Promise<readonly ZplPicture[]> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(zpl);
  const pictures = await api.zplToBase64MultipleAsync(text, size.width, size.height, 8);
  return pictures.map((picture) => {
    const { width, height, data } = PNG.sync.read(Buffer.from(picture, 'base64'));
    return { width, height, isBlack: (x, y) => (data[4 * (y * width + x)] ?? 255) < 128 };
  });
}
