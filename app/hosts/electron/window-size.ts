export interface WindowSize {
  readonly width: number;
  readonly height: number;
  readonly isMaximized: boolean;
}

const defaultSize: WindowSize = { width: 1100, height: 760, isMaximized: false };

const isBetween = (value: unknown, min: number, max: number): boolean =>
  Number.isInteger(value) && Number(value) >= min && Number(value) <= max;

/** Not by a schema: zod is read when the window is on its way. */
function isSize(value: unknown): value is WindowSize {
  const { width, height, isMaximized } = (value ?? {}) as Readonly<Record<keyof WindowSize, unknown>>;
  return isBetween(width, 400, 10_000) && isBetween(height, 300, 10_000) && typeof isMaximized === 'boolean';
}

/**
 * The size to open the window with: the kept one, or the default, as far as the screen without its taskbar has room.
 * Pixels are those of a screen without magnification, so that a screen at 150 % has a third less.
 */
export function sizeOnScreen(kept: unknown, screen: { readonly width: number; readonly height: number }): WindowSize {
  const { width, height, isMaximized } = isSize(kept) ? kept : defaultSize;
  return { width: Math.min(width, screen.width), height: Math.min(height, screen.height), isMaximized };
}
