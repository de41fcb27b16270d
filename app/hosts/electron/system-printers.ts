import type { BrowserWindow, WebContents } from 'electron';
import { fail, succeed } from '../../domain/result.ts';
import type { SystemPrinters } from '../../ports.ts';

const micrometres = (millimetres: number): number => Math.round(millimetres * 1000);

/** The system's printers, for the window's page; null while there is no window. */
export function createSystemPrinters(window: () => BrowserWindow | null): SystemPrinters {
  const page = (): WebContents | null => {
    const open = window();
    return open === null || open.isDestroyed() ? null : open.webContents;
  };
  return {
    list: async () => ((await page()?.getPrintersAsync()) ?? []).map(({ name }) => name.slice(0, 200)).slice(0, 200),
    print: (deviceName, { width, height }) =>
      new Promise((resolve) => {
        const contents = page();
        if (contents === null) {
          resolve(fail({ kind: 'printerFailed' }));
          return;
        }
        contents.print(
          {
            silent: true,
            deviceName,
            printBackground: true,
            margins: { marginType: 'none' },
            pageSize: { width: micrometres(width), height: micrometres(height) },
          },
          (isPrinted, reason) =>
            resolve(isPrinted ? succeed(undefined) : fail({ kind: 'printerFailed', message: reason.slice(0, 500) })),
        );
      }),
  };
}
