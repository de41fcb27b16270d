// Owns how every page of Tillside is walled in: sandboxed, isolated, without Node, webviews or developer tools. Never opens a window.
import { app, type WebPreferences } from 'electron';

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
    devTools: !app.isPackaged,
  };
}
