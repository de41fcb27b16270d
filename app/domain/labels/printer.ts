import type { BaudRate } from '../scanner-device.ts';
import type { PrinterDpi } from './dots.ts';
import type { PrinterLanguage } from './languages.ts';

/** Where a printer that takes commands is reached. */
export type PrinterPlace =
  | { readonly kind: 'network'; readonly host: string; readonly port: number }
  | { readonly kind: 'serial'; readonly path: string; readonly baudRate: BaudRate };

interface Commands {
  readonly language: PrinterLanguage;
  readonly dpi: PrinterDpi;
}

/** How labels are printed: through the system's dialog, silently to one of its printers, or by commands. */
export type LabelPrinter =
  | { readonly kind: 'dialog' }
  | { readonly kind: 'system'; readonly name: string }
  | (PrinterPlace & Commands);

/** A printer that takes commands. */
export type CommandPrinter = Extract<LabelPrinter, Commands>;
