import { realpathSync } from 'node:fs';
import { sep } from 'node:path';

/**
 * The path of the AppImage that this program runs out of; null when it runs out of none. Every program that an AppImage
 * starts inherits APPIMAGE and APPDIR from it: they are about this one only where it lies in that folder.
 */
export function appImageOf(
  { APPIMAGE: appImage, APPDIR: folder }: Readonly<Record<string, string | undefined>>,
  program: string,
): string | null {
  try {
    return appImage !== undefined && folder !== undefined && program.startsWith(`${realpathSync(folder)}${sep}`)
      ? appImage
      : null;
  } catch {
    return null;
  }
}
