import { expect, test } from 'vitest';
import type { Failure } from '../../../../app/domain/failure.ts';
import type { InvokeInput } from '../../../../app/contract/contract.ts';
import type { LabelPrinter, PrinterPlace } from '../../../../app/domain/labels/printer.ts';
import { fail, succeed, type Result } from '../../../../app/domain/result.ts';
import { createPrinterHandlers } from '../../../../app/terminal/device/printer-calls.ts';

const drawing: InvokeInput<'label:print'>['labels'][number]['drawing'] = {
  width: 40,
  height: 25,
  shapes: [],
  texts: [{ text: 'Arroz', x: 2, y: 5, size: 3, weight: 'bold', width: 12, align: 'left' }],
};
const network: LabelPrinter = { kind: 'network', host: 'printer.example', port: 9100, language: 'zpl', dpi: 203 };

function desk(printer: LabelPrinter, isKiosk = false) {
  const sent: { readonly place: PrinterPlace; readonly text: string }[] = [];
  const printed: unknown[] = [];
  const ends: ((result: Result<void, Failure>) => void)[] = [];
  const handlers = createPrinterHandlers(
    {
      commandPrinters: {
        send: (place, bytes, signal) => {
          sent.push({ place, text: new TextDecoder().decode(bytes) });
          return new Promise((resolve) => {
            ends.push(resolve);
            signal.addEventListener('abort', () => resolve(fail({ kind: 'cancelled' })));
          });
        },
      },
      systemPrinters: {
        list: () => Promise.resolve(['Counter']),
        print: (name, paper) => {
          printed.push([name, paper]);
          return Promise.resolve(name === 'gone' ? fail({ kind: 'printerFailed' }) : succeed(undefined));
        },
      },
      device: { isKiosk } as never,
    },
    () => printer,
  );
  return { handlers, sent, printed, end: (result: Result<void, Failure>) => ends.shift()?.(result) };
}

test('labels go to the printer of the settings, one part after the other', async () => {
  const { handlers, sent, end } = desk(network);
  const first = handlers['label:print']({
    labels: [
      { drawing, copies: 2 },
      { drawing, copies: 1 },
    ],
  });
  expect(await handlers['label:print']({ labels: [{ drawing, copies: 1 }] })).toEqual(fail({ kind: 'printerBusy' }));
  end(succeed(undefined));
  expect(await first).toEqual(succeed({}));
  expect(sent).toHaveLength(1);
  expect(sent[0]?.place).toMatchObject({ host: 'printer.example', port: 9100 });
  expect(sent[0]?.text.match(/\^PQ\d/g)).toEqual(['^PQ2', '^PQ1']);
  const next = handlers['label:print']({ labels: [{ drawing, copies: 1 }] });
  end(fail({ kind: 'printerFailed' }));
  expect(await next).toEqual(fail({ kind: 'printerFailed' }));
});

test('what is being handed over can be stopped', async () => {
  const { handlers } = desk(network);
  const printing = handlers['label:print']({ labels: [{ drawing, copies: 1 }] });
  await handlers['label:stop']({});
  expect(await printing).toEqual(fail({ kind: 'cancelled' }));
});

test('nothing is sent where no such printer is chosen, or for a label that cannot be encoded', async () => {
  const labels = [{ drawing, copies: 1 }];
  for (const printer of [{ kind: 'dialog' }, { kind: 'system', name: 'Counter' }] as const) {
    expect(await desk(printer).handlers['label:print']({ labels })).toEqual(fail({ kind: 'notReady' }));
  }
  const { handlers, sent } = desk({ ...network, language: 'epl' });
  expect(await handlers['label:print']({ labels })).toEqual(fail({ kind: 'inputInvalid' }));
  expect(sent).toEqual([]);
});

test('a page is printed silently on the chosen printer of the system, and on no other', async () => {
  const paper = { width: 50, height: 30 };
  const counter = desk({ kind: 'system', name: 'Counter' });
  expect(await counter.handlers['printer:printPage'](paper)).toEqual(succeed({ isPrinted: true }));
  expect(await counter.handlers['printer:printPage']({})).toEqual(succeed({ isPrinted: false }));
  expect(counter.printed).toEqual([['Counter', paper]]);
  expect(await desk({ kind: 'system', name: 'gone' }).handlers['printer:printPage'](paper)).toEqual(
    fail({ kind: 'printerFailed' }),
  );
  expect(await desk(network).handlers['printer:printPage'](paper)).toEqual(succeed({ isPrinted: false }));
  const { 'printer:list': list } = createPrinterHandlers({}, () => network);
  expect(await list({})).toEqual(fail({ kind: 'notReady' }));
});

test('at a kiosk nothing is printed by the system’s dialog, in which a person could print over any file', async () => {
  const paper = { width: 50, height: 30 };
  const chosen: readonly LabelPrinter[] = [{ kind: 'dialog' }, { kind: 'system', name: 'Counter' }, network];
  for (const printer of chosen) {
    const { handlers, printed } = desk(printer, true);
    expect(await handlers['printer:printPage']({})).toEqual(succeed({ isPrinted: true }));
    expect(await handlers['printer:printPage'](paper)).toEqual(succeed({ isPrinted: true }));
    expect(printed).toEqual([
      [null, null],
      [printer.kind === 'system' ? 'Counter' : null, paper],
    ]);
  }
});
