import { platform } from 'node:os';

/**
 * Windows looks for a program that is named without its folder in the folder of the start before it looks in its own:
 * whoever has written a stick, a share or a folder of downloads from which Tillside is started would have theirs run, as
 * the `mode` of a printer's port or the PowerShell of electron-updater. Libuv and cmd.exe heed this variable, and programs
 * that are started inherit it
 * (https://learn.microsoft.com/windows/win32/api/processenv/nf-processenv-needcurrentdirectoryforexepathw).
 */
export function searchNamedFoldersAlone(system = platform(), environment = process.env): void {
  if (system === 'win32') {
    environment['NoDefaultCurrentDirectoryInExePath'] = '1';
  }
}
