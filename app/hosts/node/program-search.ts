import { platform } from 'node:os';

/** In front of what AppRun, which starts the program of an AppImage, puts folders of that. */
export const listsOfAppRun = ['PATH', 'LD_LIBRARY_PATH', 'XDG_DATA_DIRS', 'GSETTINGS_SCHEMA_DIR'] as const;
/** How the runtime of an AppImage names the folder that it makes for one run, mounted or, without FUSE, unpacked. */
const ofAnyRun = /\/(?:\.mount|appimage_extracted)_[^/]+(?:\/|$)/;

/**
 * The folder of an AppImage is gone once that ends, and lies below the one for temporary files: whoever makes it anew
 * decides what is run, and loaded, by those that look there and go on, such as a browser, or the new version after an
 * update.
 */
function forgetAppImages(environment: NodeJS.ProcessEnv): void {
  const { APPDIR: own = '' } = environment;
  const isOfOne = (folder: string): boolean =>
    ofAnyRun.test(folder) || (own !== '' && (folder === own || folder.startsWith(`${own}/`)));
  for (const name of listsOfAppRun) {
    const folders = environment[name]?.split(':') ?? [];
    const others = folders.filter((folder) => !isOfOne(folder));
    if (others.length === 0) {
      // Empty, it would be the folder of the start.
      delete environment[name];
    } else if (others.length < folders.length) {
      environment[name] = others.join(':');
    }
  }
}

/**
 * Has programs, and what they load, looked for where this user decides what lies there, by whatever is started from here.
 *
 * Windows looks for a program that is named without its folder in the folder of the start before it looks in its own:
 * whoever has written a stick, a share or a folder of downloads from which Tillside is started would have theirs run, as
 * the `mode` of a printer's port or the PowerShell of electron-updater. Libuv and cmd.exe heed this variable, and programs
 * that are started inherit it
 * (https://learn.microsoft.com/windows/win32/api/processenv/nf-processenv-needcurrentdirectoryforexepathw).
 */
export function searchNamedFoldersAlone(system = platform(), environment = process.env): void {
  if (system === 'win32') {
    environment['NoDefaultCurrentDirectoryInExePath'] = '1';
  } else {
    forgetAppImages(environment);
  }
}
