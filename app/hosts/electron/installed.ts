import { app } from 'electron';
import { appImageOf } from '../updates/app-image.ts';

/**
 * Whether this is the installed app. Electron goes by the name of its program, which anybody can give to a copy; the
 * archive that the code lies in is the one that the program lets be loaded (build/fuses.ts).
 */
export const isInstalled = app.isPackaged || /\.asar(?:[/\\]|$)/i.test(import.meta.dirname);

/** The path of the AppImage that this program runs out of; null for every other package. */
export const appImage = appImageOf(process.env, process.execPath);
