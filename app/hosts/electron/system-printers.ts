import type { BrowserWindow, PrinterInfo, WebContents } from 'electron';
import { fail, succeed } from '../../domain/result.ts';
import type { SystemPrinters } from '../../ports.ts';

const micrometres = (millimetres: number): number => Math.round(millimetres * 1000);

/** `CUPS_PRINTER_DEFAULT` of cups/cups.h. */
const usualBit = 0x2_00_00;

type Options = ReadonlyMap<string, unknown>;
// Electron's types know none of their names.
const optionsOf = ({ options = {} }: Partial<PrinterInfo>): Options => new Map(Object.entries(options));

/** What CUPS says of the printer that the page goes to: of its usual one without a name, or of the first; nothing on Windows. */
function findOptions(printers: readonly PrinterInfo[], deviceName: string | null): Options {
  const isMeant = (printer: PrinterInfo): boolean =>
    deviceName === null
      ? (Number(optionsOf(printer).get('printer-type')) & usualBit) !== 0
      : printer.name === deviceName;
  return optionsOf(printers.find(isMeant) ?? (deviceName === null ? printers[0] : undefined) ?? {});
}

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
      const kind = deviceName === null ? 'notPrinted' : 'printerFailed';
      const printers = (await contents?.getPrintersAsync().catch(() => [])) ?? [];
      if (contents === null || contents.isDestroyed()) {
        return fail({ kind });
      }
      // CUPS' own words. What a queue that takes no jobs is sent is lost, and told as printed.
      if (findOptions(printers, deviceName).get('printer-is-accepting-jobs') === 'false') {
        return fail({ kind, message: 'printer-is-accepting-jobs: false' });
      }
      return new Promise((resolve) => {
        contents.print(
          {
            silent: true,
            ...(deviceName === null ? {} : { deviceName }),
            printBackground: true,
            ...(paper === null
              ? { usePrinterDefaultPageSize: true }
              : {
                  margins: { marginType: 'none' as const },
                  pageSize: { width: micrometres(paper.width), height: micrometres(paper.height) },
                }),
          },
          (isPrinted, reason) =>
            resolve(isPrinted ? succeed(undefined) : fail({ kind, message: reason.slice(0, 500) })),
        );
      });
    },
  };
}
