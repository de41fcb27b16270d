import { app } from 'electron';
import { accessSync, constants, existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { mayReplace } from '../updates/former-program.ts';
import { appImage, isInstalled } from './installed.ts';

function isBelow(path: string, folder = '\0'): boolean {
  return path.toLowerCase().startsWith(folder.toLowerCase());
}

/** Whether somebody without an administrator's rights may replace this package. */
export function canReplace(): boolean {
  if (!isInstalled) {
    return false;
  }
  try {
    switch (process.platform) {
      case 'win32':
        // Per user it lies among the user's own programs, per machine it does not. Whatever has no uninstaller beside it
        // was not installed: a folder for a trial.
        return (
          isBelow(app.getPath('exe'), process.env['LOCALAPPDATA']) &&
          existsSync(join(dirname(app.getPath('exe')), `Uninstall ${basename(app.getPath('exe'))}`))
        );
      case 'darwin':
        accessSync(dirname(app.getPath('exe')), constants.W_OK);
        return true;
      default:
        return appImage !== null && mayReplace(appImage);
    }
  } catch {
    return false;
  }
}
