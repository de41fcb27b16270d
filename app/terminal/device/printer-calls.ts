import type { HandlersOf } from '../../contract/bridge.ts';
import type { Failure } from '../../domain/failure.ts';
import { encodeLabel, joined } from '../../domain/labels/languages.ts';
import type { CommandPrinter, LabelPrinter } from '../../domain/labels/printer.ts';
import type { PrintedDrawing } from '../../domain/labels/drawing.ts';
import { fail, mapResult, succeed, type Result } from '../../domain/result.ts';
import type { Shell } from '../../ports.ts';

const nothing = succeed({});
const notReady = fail({ kind: 'notReady' as const });

interface Copies {
  readonly drawing: PrintedDrawing;
  readonly copies: number;
}

/** The bytes that the printer is sent for all of them. Fails with `inputInvalid`. */
function encode(labels: readonly Copies[], printer: CommandPrinter): Result<Uint8Array, Failure> {
  const parts: Uint8Array[] = [];
  for (const { drawing, copies } of labels) {
    const part = encodeLabel(drawing, copies, printer);
    if (part === null) {
      return fail({ kind: 'inputInvalid' });
    }
    parts.push(part);
  }
  return succeed(joined(parts));
}

/** Prints labels; a page names what is on them, and never where they go or what is sent. */
export function createPrinterHandlers(
  { systemPrinters, commandPrinters, device }: Pick<Shell, 'systemPrinters' | 'commandPrinters' | 'device'>,
  printer: () => LabelPrinter,
): HandlersOf<'label' | 'printer'> {
  let running: AbortController | null = null;
  return {
    'label:print': async ({ labels }) => {
      const chosen = printer();
      if (commandPrinters === undefined || chosen.kind === 'dialog' || chosen.kind === 'system') {
        return notReady;
      }
      if (running !== null) {
        return fail({ kind: 'printerBusy' });
      }
      const bytes = encode(labels, chosen);
      if (!bytes.ok) {
        return bytes;
      }
      running = new AbortController();
      try {
        return mapResult(await commandPrinters.send(chosen, bytes.value, running.signal), () => ({}));
      } finally {
        running = null;
      }
    },
    'label:stop': () => {
      running?.abort();
      return Promise.resolve(nothing);
    },
    'printer:list': async () => (systemPrinters === undefined ? notReady : succeed([...(await systemPrinters.list())])),
    'printer:printPage': async ({ width, height }) => {
      const chosen = printer();
      const paper = width === undefined || height === undefined ? null : { width, height };
      const name = chosen.kind === 'system' && paper !== null ? chosen.name : null;
      // The system's dialog also prints to a file, over any of this user's: the settings with the manager's PIN among them.
      return systemPrinters === undefined || (name === null && device?.isKiosk !== true)
        ? succeed({ isPrinted: false })
        : mapResult(await systemPrinters.print(name, paper), () => ({ isPrinted: true }));
    },
  };
}
