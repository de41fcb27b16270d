// What a page is not given to: a printer's queue that takes no jobs, which says all the same that it has printed.
import type { BrowserWindow } from 'electron';
import { expect, test } from 'vitest';
import { succeed } from '../../../../app/domain/result.ts';
import { createSystemPrinters } from '../../../../app/hosts/electron/system-printers.ts';

const takes = { 'printer-is-accepting-jobs': 'true' };
const takesNone = { 'printer-is-accepting-jobs': 'false' };
/** As CUPS names the one that is used unless another is chosen. */
const isUsual = { 'printer-type': '135196' };
const queue = (name: string, options: object) => ({ name, options: { 'printer-type': '4124', ...options } });
const two = [queue('Labels', takes), queue('Closed', takesNone), { name: 'Windows' }];

/** The printers of a window with these, and what was given to the system. */
function openPrinters(listed: readonly object[] = two) {
  const printed: object[] = [];
  const webContents = {
    isDestroyed: () => false,
    getPrintersAsync: () => Promise.resolve(listed),
    print: (options: object, done: (isPrinted: boolean, reason: string) => void) => {
      printed.push(options);
      done(listed.length > 0, 'Failed to enumerate printers');
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
  expect(printed).toMatchObject([{ deviceName: 'Labels' }, { deviceName: 'Windows' }, { deviceName: 'Elsewhere' }]);
});

test.each([
  ['is not there', [], false],
  ['takes no jobs', [queue('Other', takes), queue('Usual', { ...takesNone, ...isUsual })], false],
  ['is not named, and the first takes no jobs', [queue('Other', takesNone), queue('Labels', takes)], false],
  ['takes jobs', [queue('Other', takesNone), queue('Usual', { ...takes, ...isUsual })], true],
  ['is one of Windows', [{ name: 'Windows', options: {} }], true],
] as const)(
  'where the usual printer %s, a page is printed on its own paper, or told as not printed',
  async (...row) => {
    const [, listed, isPrinted] = row;
    const { printers, printed } = openPrinters(listed);
    const answer = await printers.print(null, null);
    expect(answer.ok ? null : answer.failure.kind).toBe(isPrinted ? null : 'notPrinted');
    // The paper of a page for which none is named is A4 otherwise, whatever is in the printer.
    for (const options of printed) {
      expect(options).toMatchObject({ silent: true, usePrinterDefaultPageSize: true });
      expect(options).not.toHaveProperty('deviceName');
    }
  },
);
