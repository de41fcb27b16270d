export const scannerDeviceKinds = ['serial', 'hid'] as const;
export type ScannerDeviceKind = (typeof scannerDeviceKinds)[number];

export const baudRates = [1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200] as const;
export type BaudRate = (typeof baudRates)[number];
export const defaultBaudRate: BaudRate = 9600;

/** The system's facts about a device that is present. */
export interface ScannerDevice {
  readonly kind: ScannerDeviceKind;
  /** Null for what is not on USB. */
  readonly vendorId: number | null;
  readonly productId: number | null;
  /** Null for a device that has none. */
  readonly serialNumber: string | null;
  /** The product's name, or the port's ("COM3", "ttyACM0"). */
  readonly name: string;
}

export interface ScannerDeviceChoice extends ScannerDevice {
  /** Bits per second, for a serial port; most USB scanners ignore it. */
  readonly baudRate: BaudRate;
}

/**
 * `off`: none is chosen. `absent`: not plugged in. `refused`: it is there, but the system, or another program that has
 * it, does not let it be opened. `unsuited`: it is there, but is no HID point-of-sale scanner.
 */
export const scannerConnections = ['off', 'connecting', 'connected', 'absent', 'refused', 'unsuited'] as const;
export type ScannerConnection = (typeof scannerConnections)[number];

/** One scan of such a device. */
export interface ScannerReading {
  /** Without symbology identifier and terminator; at most `maxReadingLength` characters. */
  readonly text: string;
  /** The symbology identifier of ISO/IEC 15424, such as "]E0"; null where the device names none. */
  readonly symbology: string | null;
}

/** In characters; also the most bytes of a scan. */
export const maxReadingLength = 4096;

/**
 * Stands in a reading for what was lost of it. No code has this character, and none of it is cut off at an end, so that
 * a part of a code is answered as not readable and never as another product.
 */
export const lossMark = '\u0080';

/**
 * Whether the device that is present is the chosen one: by its USB numbers and serial number, or by the port's name
 * where it has no numbers.
 */
export function isSameScannerDevice(chosen: ScannerDevice, present: ScannerDevice): boolean {
  if (chosen.kind !== present.kind || chosen.vendorId !== present.vendorId || chosen.productId !== present.productId) {
    return false;
  }
  if (chosen.serialNumber !== null) {
    return chosen.serialNumber === present.serialNumber;
  }
  return chosen.vendorId !== null || chosen.name === present.name;
}

/** The symbology identifier that may stand before a code (ISO/IEC 15424). */
const symbologyIdentifier = /^\][A-Za-z][0-9A-Za-z]/;

/** The text of these bytes: UTF-8 where it is, else Latin-1, as scanners send what is not ASCII. */
export function decodeScan(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  }
}

/**
 * Makes a reading of a text that may begin with its symbology identifier; `named` is what the device says beside it.
 */
export function readingOf(text: string, named: string | null = null): ScannerReading {
  const inText = symbologyIdentifier.exec(text)?.[0] ?? null;
  const symbology = inText ?? (named !== null && symbologyIdentifier.test(named) ? named.slice(0, 3) : null);
  return { text: text.slice(inText?.length ?? 0, maxReadingLength), symbology };
}
