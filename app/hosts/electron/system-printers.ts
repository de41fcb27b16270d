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
    print: async (deviceName, paper) => {
      const contents = page();
      const printers = (await contents?.getPrintersAsync().catch(() => [])) ?? [];
      if (contents === null || contents.isDestroyed()) {
        return fail({ kind: 'printerFailed' });
      }
      // CUPS' own words. What a queue that takes no jobs is sent is lost, and told as printed.
      const { options = {} } = printers.find(({ name }) => name === deviceName) ?? {};
      if (new Map<string, unknown>(Object.entries(options)).get('printer-is-accepting-jobs') === 'false') {
        return fail({ kind: 'printerFailed', message: 'printer-is-accepting-jobs: false' });
      }
      return new Promise((resolve) => {
        contents.print(
          {
            silent: true,
            ...(deviceName === null ? {} : { deviceName }),
            printBackground: true,
            ...(paper === null
              ? {}
              : {
                  margins: { marginType: 'none' as const },
                  pageSize: { width: micrometres(paper.width), height: micrometres(paper.height) },
                }),
          },
          (isPrinted, reason) =>
            resolve(isPrinted ? succeed(undefined) : fail({ kind: 'printerFailed', message: reason.slice(0, 500) })),
        );
      });
    },
  };
}
