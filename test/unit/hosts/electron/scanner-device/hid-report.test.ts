import { expect, test } from 'vitest';
import { readScan } from '../../../../../app/domain/codes/scan.ts';
import { lossMark, maxReadingLength, type ScannerReading } from '../../../../../app/domain/scanner-device.ts';
import { createHidAssembly, scanLayouts } from '../../../../../app/hosts/electron/scanner-device/hid-report.ts';
import { countedScanner, countedReports, paddedScanner } from '../../../../support/hid-scanner.ts';

const ean = '7891000053508';

function read(reports: readonly Uint8Array[], collections = countedScanner, reportId = 2): readonly ScannerReading[] {
  const assembly = createHidAssembly(scanLayouts(collections));
  return reports.flatMap(
    (report) => assembly.take(reportId, new DataView(report.buffer, report.byteOffset, report.byteLength)) ?? [],
  );
}

test('a scan with the symbology that the scanner names', () => {
  expect(read(countedReports(ean, ']E0'))).toEqual([{ text: ean, symbology: ']E0' }]);
});

test('a scan in several reports is one, with every byte of it, and the next one begins anew', () => {
  const long = '01'.repeat(100);
  expect(read([...countedReports(long, ']d2'), ...countedReports(ean, ']E0')])).toEqual([
    { text: long, symbology: ']d2' },
    { text: ean, symbology: ']E0' },
  ]);
});

test('a scanner that names no symbology, or sends a terminator of its own', () => {
  expect(read(countedReports(`${ean}\r\n`, '\0\0\0'))).toEqual([{ text: ean, symbology: null }]);
  expect(read(countedReports(`]E0${ean}`, '\0\0\0'))).toEqual([{ text: ean, symbology: ']E0' }]);
});

test('a layout without a byte count is padded with nulls, under another report id', () => {
  const report = new Uint8Array(1 + 20 + 1);
  report.set(new TextEncoder().encode(ean), 1);
  expect(scanLayouts(paddedScanner)).toMatchObject([
    { reportId: 5, dataAt: 8, dataLength: 20, byteCountAt: null, continuedAt: 169 },
  ]);
  expect(read([report], paddedScanner, 5)).toEqual([{ text: ean, symbology: null }]);
});

test('reports of something else, empty ones and ones that are cut short are no scan', () => {
  expect(read(countedReports(ean, ']E0'), countedScanner, 9)).toEqual([]);
  expect(read(countedReports('', ']E0'))).toEqual([]);
  expect(read([new Uint8Array(0)])).toEqual([]);
});

test('a report that promises more than it holds names no product', () => {
  const [report = new Uint8Array()] = countedReports(ean, ']E0');
  report[0] = 200;
  const [reading] = read([report]);
  expect(reading?.text).toContain(lossMark);
  expect(readScan(reading?.text ?? '', { year: 2026, layouts: [] })).toMatchObject({ code: null, meanings: [] });
});

test('a scanner that never ends is cut where a lookup ends, and names no product', () => {
  const [reading] = read(countedReports('9'.repeat(10_000), ']Q1'));
  expect(reading?.text.length).toBeLessThanOrEqual(maxReadingLength);
  expect(readScan(reading?.text ?? '', { year: 2026, layouts: [] })).toMatchObject({ code: null, meanings: [] });
});

test.each([
  [
    'a keyboard',
    [
      {
        usagePage: 1,
        usage: 6,
        inputReports: [{ reportId: 1, items: [{ usages: [0x0007_0004], reportSize: 8, reportCount: 6 }] }],
      },
    ],
  ],
  ['a scale', [{ usagePage: 0x8d, usage: 1 }]],
  [
    'a scanner without decoded data',
    [
      {
        usagePage: 0x8c,
        usage: 2,
        inputReports: [{ reportId: 2, items: [{ usages: [0x008c_00fb], reportSize: 8, reportCount: 3 }] }],
      },
    ],
  ],
  ['nothing', []],
])('%s brings no scans', (_name, collections) => {
  expect(scanLayouts(collections)).toEqual([]);
});

test('a scan that goes on in a hundred thousand empty reports costs no more with each', () => {
  const [report = new Uint8Array()] = countedReports('01'.repeat(100), ']d2');
  const empty = Uint8Array.from(report).fill(0, 0, 1);
  expect(read([...Array.from({ length: 100_000 }, () => empty), ...countedReports(ean, ']E0')])).toEqual([
    { text: ean, symbology: ']d2' },
  ]);
});
