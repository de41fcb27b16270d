import { z } from 'zod';
import { baudRates, maxReadingLength, scannerConnections, scannerDeviceKinds } from '../domain/scanner-device.ts';
import { shortText } from './basics.ts';

const usbNumber = z.number().int().min(0).max(0xffff);

export const scannerDeviceSchema = z.strictObject({
  kind: z.enum(scannerDeviceKinds),
  vendorId: usbNumber.nullable(),
  productId: usbNumber.nullable(),
  serialNumber: shortText.nullable(),
  name: shortText,
});

export const scannerDeviceChoiceSchema = scannerDeviceSchema.extend({ baudRate: z.literal([...baudRates]) });

export const scannerDeviceStateSchema = z.strictObject({
  choice: scannerDeviceChoiceSchema.nullable(),
  connection: z.enum(scannerConnections),
});

export const maxPresentScanners = 50;

export const scannerReadingSchema = z.strictObject({
  text: z.string().max(maxReadingLength),
  symbology: z.string().max(3).nullable(),
});
