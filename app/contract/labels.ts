import { z } from 'zod';
import { printerDpis } from '../domain/labels/dots.ts';
import type { PrintedDrawing } from '../domain/labels/drawing.ts';
import { printerLanguages } from '../domain/labels/languages.ts';
import type { LabelPrinter } from '../domain/labels/printer.ts';
import { baudRates } from '../domain/scanner-device.ts';
import { shortText } from './basics.ts';
import { labelSizes, maxLabelCopies, maxLabelsAtOnce } from './limits/labels.ts';

export const shelfLabelSchema = z.strictObject({
  size: z.enum(labelSizes),
  copies: z.number().int().min(1).max(maxLabelCopies),
  /** Whether the stock figure of the moment is on it. */
  withBalance: z.boolean(),
});
export type ShelfLabelChoice = z.infer<typeof shelfLabelSchema>;
export type LabelSize = ShelfLabelChoice['size'];

const printerName = z.string().min(1).max(200);
const commands = { language: z.enum(printerLanguages), dpi: z.literal([...printerDpis]) };

export const labelPrinterSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('dialog') }),
  /** By its name in the system. */
  z.strictObject({ kind: z.literal('system'), name: printerName }),
  z.strictObject({
    kind: z.literal('network'),
    /** A name or an address, without a port. */
    host: z
      .string()
      .max(253)
      .regex(/^[A-Za-z0-9]([A-Za-z0-9._:-]*[A-Za-z0-9])?$/),
    port: z.number().int().min(1).max(65_535),
    ...commands,
  }),
  z.strictObject({
    kind: z.literal('serial'),
    /** "/dev/ttyUSB0", "/dev/usb/lp0" or "COM3". */
    path: z
      .string()
      .regex(/^(\/dev\/[A-Za-z0-9._/-]{1,100}|COM\d{1,3})$/)
      .refine((path) => !path.includes('..')),
    baudRate: z.literal([...baudRates]),
    ...commands,
  }),
]) satisfies z.ZodType<LabelPrinter>;

const millimetres = z.number().min(-50).max(500);
const picture = z.strictObject({
  columns: z.number().int().min(1).max(4000),
  rows: z.number().int().min(1).max(1000),
  baseline: z.number().int().min(0).max(1000),
  bits: z.base64().max(400_000),
});
const printedText = z.strictObject({
  text: shortText,
  x: millimetres,
  y: millimetres,
  size: z.number().positive().max(100),
  weight: z.enum(['regular', 'bold']),
  width: z.number().min(0).max(500),
  align: z.enum(['left', 'middle', 'right']),
  picture: picture.optional(),
});

/** A label as it was laid out; what the printer is sent for it is made of this outside of the page. */
const printedDrawingSchema = z.strictObject({
  width: z.number().min(5).max(300),
  height: z.number().min(5).max(300),
  texts: z.array(printedText).max(30),
  shapes: z
    .array(
      z
        .array(z.tuple([millimetres, millimetres]))
        .min(3)
        .max(20_000),
    )
    .max(5000),
}) satisfies z.ZodType<PrintedDrawing>;

export const printLabelsSchema = z.strictObject({
  labels: z
    .array(z.strictObject({ drawing: printedDrawingSchema, copies: z.number().int().min(1).max(maxLabelsAtOnce) }))
    .min(1)
    .max(maxLabelsAtOnce),
});

/** The paper of the page that is printed, in millimetres; without it the printer's own. */
export const printPageSchema = z.strictObject({
  width: z.number().min(5).max(500).optional(),
  height: z.number().min(5).max(500).optional(),
});
