import type { HidCollection } from '../../app/hosts/electron/scanner-device/device-apis.ts';

const dataLength = 56;

/**
 * As Honeywell and others lay it out: a byte count, the symbology identifier, 56 bytes, two of the maker's own, and the
 * flag that more follows.
 */
export const countedScanner: readonly HidCollection[] = [
  {
    usagePage: 0x8c,
    usage: 2,
    children: [
      {
        usagePage: 0x8c,
        usage: 0x12,
        inputReports: [
          {
            reportId: 2,
            items: [
              { usages: [0x0001_003b], reportSize: 8, reportCount: 1 },
              { usages: [0x008c_00fb, 0x008c_00fc, 0x008c_00fd], reportSize: 8, reportCount: 3 },
              { usages: [0x008c_00fe], reportSize: 8, reportCount: dataLength },
              { usages: [0xff66_0004, 0xff66_0000], reportSize: 8, reportCount: 2 },
              { usages: [0x008c_00ff], reportSize: 1, reportCount: 1 },
              { reportSize: 7, reportCount: 1 },
            ],
          },
        ],
      },
    ],
  },
];

/** One of another make: no count, no symbology, and the flag within a byte. */
export const paddedScanner: readonly HidCollection[] = [
  {
    usagePage: 0x8c,
    usage: 2,
    inputReports: [
      {
        reportId: 5,
        items: [
          { usages: [0x008c_0055], reportSize: 8, reportCount: 1 },
          { isRange: true, usageMinimum: 0x008c_00fe, usageMaximum: 0x008c_00fe, reportSize: 8, reportCount: 20 },
          { reportSize: 1, reportCount: 1 },
          { usages: [0x008c_00ff], reportSize: 1, reportCount: 1 },
        ],
      },
    ],
  },
];

/** The reports of one scan in the first layout, without the report's id. */
export function countedReports(text: string, symbology: string): readonly Uint8Array[] {
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const parts = Math.max(1, Math.ceil(bytes.length / dataLength));
  return Array.from({ length: parts }, (_, part) => {
    const data = bytes.subarray(part * dataLength, (part + 1) * dataLength);
    const report = new Uint8Array(4 + dataLength + 3);
    report[0] = data.length;
    report.set(
      Uint8Array.from(symbology, (character) => character.charCodeAt(0)),
      1,
    );
    report.set(data, 4);
    report[4 + dataLength + 2] = part < parts - 1 ? 1 : 0;
    return report;
  });
}
