// Scans in the input reports of an HID point-of-sale scanner, by the layout that its own report descriptor tells (HID
// Point of Sale Usage Tables 1.02 §3, usage page 0x8C), since makers order and size the fields differently. Pure.
import {
  decodeScan,
  lossMark,
  maxReadingLength,
  readingOf,
  type ScannerReading,
} from '../../../domain/scanner-device.ts';
import type { HidCollection, HidReport, HidReportItem } from './device-apis.ts';

export const scannerUsagePage = 0x8c;
const scannerUsage = 0x02;

const scanUsages = {
  byteCount: 0x0001_003b,
  symbology: [0x008c_00fb, 0x008c_00fc, 0x008c_00fd],
  decodedData: 0x008c_00fe,
  continued: 0x008c_00ff,
} as const;

/** Where the fields of a scanned data report lie; in bits from its beginning, after the report's id. */
export interface ReportLayout {
  readonly reportId: number;
  readonly dataAt: number;
  /** In bytes. */
  readonly dataLength: number;
  readonly byteCountAt: number | null;
  readonly symbologyAt: readonly number[];
  readonly continuedAt: number | null;
}

interface Field {
  readonly usage: number;
  readonly at: number;
  readonly size: number;
  /** How many of this one usage follow each other. */
  readonly count: number;
}

function usagesOf({
  isRange = false,
  usageMinimum = 0,
  usageMaximum = usageMinimum,
  usages = [],
}: HidReportItem): readonly number[] {
  return isRange
    ? Array.from(
        { length: Math.max(0, Math.min(usageMaximum - usageMinimum + 1, 256)) },
        (_, place) => usageMinimum + place,
      )
    : usages;
}

function fieldsOf({ items = [] }: HidReport): readonly Field[] {
  let at = 0;
  return items.flatMap((item: HidReportItem) => {
    const { reportSize: size = 0, reportCount: count = 0 } = item;
    const begin = at;
    at += size * count;
    const named = usagesOf(item).slice(0, count);
    // The last usage stands for all fields that are left (Device Class Definition for HID 1.11 §6.2.2.8).
    return named.map((usage, place) => ({
      usage,
      at: begin + place * size,
      size,
      count: place === named.length - 1 ? count - place : 1,
    }));
  });
}

function layoutOf(report: HidReport): ReportLayout | null {
  const fields = fieldsOf(report);
  const find = (usage: number): Field | undefined => fields.find((field) => field.usage === usage);
  const data = find(scanUsages.decodedData);
  if (data === undefined || data.size !== 8 || data.at % 8 !== 0) {
    return null;
  }
  return {
    reportId: report.reportId ?? 0,
    dataAt: data.at,
    dataLength: data.count,
    byteCountAt: find(scanUsages.byteCount)?.at ?? null,
    symbologyAt: scanUsages.symbology.flatMap((usage) => find(usage)?.at ?? []),
    continuedAt: find(scanUsages.continued)?.at ?? null,
  };
}

const reportsOf = (collection: HidCollection): readonly HidReport[] => [
  ...(collection.inputReports ?? []),
  ...(collection.children ?? []).flatMap(reportsOf),
];

/** The layouts of all reports that bring scans; none for what is no HID point-of-sale scanner. */
export function scanLayouts(collections: readonly HidCollection[]): readonly ReportLayout[] {
  return collections
    .filter(({ usagePage, usage }) => usagePage === scannerUsagePage && usage === scannerUsage)
    .flatMap(reportsOf)
    .map(layoutOf)
    .filter((layout) => layout !== null);
}

export interface HidAssembly {
  /** Answers the reading that this report completes; null while it goes on, and for a report of something else. */
  take(reportId: number, data: DataView): ScannerReading | null;
}

/** Puts the scans together that come in more than one report. */
export function createHidAssembly(layouts: readonly ReportLayout[]): HidAssembly {
  let parts: Uint8Array[] = [];
  let symbology: string | null = null;
  let isDamaged = false;
  return {
    take: (reportId, data) => {
      const layout = layouts.find((one) => one.reportId === reportId);
      if (layout === undefined) {
        return null;
      }
      const byteAt = (bit: number): number | null =>
        bit % 8 === 0 && bit / 8 < data.byteLength ? data.getUint8(bit / 8) : null;
      const begin = layout.dataAt / 8;
      const room = Math.max(0, Math.min(layout.dataLength, data.byteLength - begin));
      const byteCount = layout.byteCountAt === null ? null : byteAt(layout.byteCountAt);
      const bytes = new Uint8Array(
        data.buffer,
        data.byteOffset + Math.min(begin, data.byteLength),
        Math.min(byteCount ?? room, room),
      );
      // Without a count, what is not used is padded with nulls.
      const whole = byteCount === null ? bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0) + 1) : bytes;
      symbology ??= String.fromCharCode(...layout.symbologyAt.map((bit) => byteAt(bit) ?? 0));
      isDamaged ||= (byteCount ?? 0) > room;
      if (parts.reduce((length, part) => length + part.length, whole.length) > maxReadingLength) {
        isDamaged = true;
      } else if (whole.length > 0) {
        parts.push(whole.slice());
      }
      const { continuedAt } = layout;
      const flags = continuedAt !== null && data.byteLength > continuedAt >> 3 ? data.getUint8(continuedAt >> 3) : 0;
      if (continuedAt !== null && ((flags >> (continuedAt & 7)) & 1) === 1) {
        return null;
      }
      const text = decodeScan(Uint8Array.from(parts.flatMap((part) => [...part]))).replaceAll(/[\r\n\t\0]+$/g, '');
      const [named, damaged] = [symbology, isDamaged];
      parts = [];
      symbology = null;
      isDamaged = false;
      return text === '' && !damaged
        ? null
        : readingOf(damaged ? `${text.slice(0, maxReadingLength - 8)}${lossMark}` : text, named);
    },
  };
}
