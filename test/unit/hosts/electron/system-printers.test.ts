// What a page is not given to: a printer's queue that takes no jobs, which says all the same that it has printed.
import type { BrowserWindow } from 'electron';
import { expect, test } from 'vitest';
import { succeed } from '../../../../app/domain/result.ts';
import { createSystemPrinters } from '../../../../app/hosts/electron/system-printers.ts';

/** The printers of a window with these two, and what was given to the system. */
function openPrinters() {
  const printed: string[] = [];
  const queue = (name: string, accepts: string) => ({ name, options: { 'printer-is-accepting-jobs': accepts } });
  const webContents = {
    isDestroyed: () => false,
    getPrintersAsync: () => Promise.resolve([queue('Labels', 'true'), queue('Closed', 'false'), { name: 'Windows' }]),
    print: ({ deviceName }: { readonly deviceName: string }, done: (isPrinted: boolean, reason: string) => void) => {
      printed.push(deviceName);
      done(true, '');
    },
  };
  const window = { isDestroyed: () => false, webContents } as unknown as BrowserWindow;
  return { printers: createSystemPrinters(() => window), printed };
}

test('a queue that takes no jobs is told as failed, and every other is given the page', async () => {
  const { printers, printed } = openPrinters();
  const paper = { width: 50, height: 30 };
  expect(await printers.print('Closed', paper)).toMatchObject({ ok: false, failure: { kind: 'printerFailed' } });
  for (const name of ['Labels', 'Windows', 'Elsewhere']) {
    expect(await printers.print(name, paper)).toEqual(succeed(undefined));
  }
  expect(printed).toEqual(['Labels', 'Windows', 'Elsewhere']);
});
