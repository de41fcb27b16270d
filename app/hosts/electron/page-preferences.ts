import type { WebPreferences } from 'electron';
import { isInstalled } from './installed.ts';

/** The preferences of a page of ours, with its preload script at this path. */
export function pagePreferences(preloadPath: string): WebPreferences {
  return {
    preload: preloadPath,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
    webSecurity: true,
    spellcheck: false,
    navigateOnDragDrop: false,
    // A script's own: alert and confirm.
    disableDialogs: true,
    // The system's, in which a person would give a script a file to write, or a folder.
    disableBlinkFeatures: 'FileSystemAccessLocal',
    devTools: !isInstalled,
  };
}
