import { app } from 'electron';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { freshName } from '../../storage/names-beside.ts';
import { autostartEntryPath, isAutostartEntryOn, quoteForWindows, writeAutostartEntry } from './autostart-entry.ts';
import { appImage, isInstalled } from './installed.ts';

export interface Autostart {
  /** Null where it cannot be had. */
  isOn(): boolean | null;
  /** Throws when the system refuses. */
  set(isOn: boolean): void;
}

/** Speaks to this system; `flags` are what the app is then started with. */
export function openAutostart(flags: readonly string[]): Autostart {
  const path = autostartEntryPath();
  const isLinux = process.platform === 'linux';
  const args = process.platform === 'win32' ? flags.map(quoteForWindows) : [...flags];
  const readEntry = (): string | null => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return null;
    }
  };
  return {
    isOn: () => {
      if (!isInstalled) {
        return null;
      }
      if (!isLinux) {
        return app.getLoginItemSettings({ args }).openAtLogin;
      }
      const entry = readEntry();
      return entry !== null && isAutostartEntryOn(entry);
    },
    set: (isOn) => {
      if (!isLinux) {
        app.setLoginItemSettings({ openAtLogin: isOn, args });
      } else if (isOn) {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        const beside = freshName(`${path}.new`);
        const program = appImage ?? app.getPath('exe');
        // Never through a link that lies there, and for nobody else to write, whatever the umask.
        writeFileSync(beside, writeAutostartEntry({ program, flags }), { flag: 'wx', mode: 0o600 });
        renameSync(beside, path);
      } else {
        rmSync(path, { force: true });
      }
    },
  };
}
