import { z } from 'zod';

const sizeSchema = z.object({
  width: z.number().int().min(400).max(10_000),
  height: z.number().int().min(300).max(10_000),
  isMaximized: z.boolean(),
});
export type WindowSize = z.infer<typeof sizeSchema>;

const defaultSize: WindowSize = { width: 1100, height: 760, isMaximized: false };

/**
 * The size to open the window with: the kept one, or the default, as far as the screen without its taskbar has room.
 * Pixels are those of a screen without magnification, so that a screen at 150 % has a third less.
 */
export function sizeOnScreen(kept: unknown, screen: { readonly width: number; readonly height: number }): WindowSize {
  const { width, height, isMaximized } = sizeSchema.catch(defaultSize).parse(kept);
  return { width: Math.min(width, screen.width), height: Math.min(height, screen.height), isMaximized };
}
