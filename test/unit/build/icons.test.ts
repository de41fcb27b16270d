// The proof that the committed icons hold every size that is promised to each system, drawn and not empty, in files
// that read as what they are.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { packIcns, packIco } from '../../../build/icon-containers.ts';
import {
  linuxSizes,
  linuxTraySizes,
  macEntries,
  macTraySizes,
  trayStates,
  windowsSizes,
  windowsTraySizes,
} from '../../../build/icon-files.ts';

const root = join(import.meta.dirname, '../../..');
const read = (name: string): Buffer => readFileSync(join(root, 'assets/icons', name));

/** The size of a square picture of which at least a tenth is drawn. */
function sizeOf(content: Buffer): number {
  const { width, height, data } = PNG.sync.read(content);
  expect(height).toBe(width);
  const drawn = Array.from({ length: width * height }, (_, index) => data[index * 4 + 3] ?? 0).filter(
    (alpha) => alpha > 0,
  ).length;
  expect(drawn).toBeGreaterThan(width * height * 0.1);
  return width;
}

/** The sizes in an ICO file: what its directory says and what the pictures are. */
function readIco(content: Buffer): { said: number; drawn: number }[] {
  expect([content.readUInt16LE(0), content.readUInt16LE(2)]).toEqual([0, 1]);
  return Array.from({ length: content.readUInt16LE(4) }, (_, index) => {
    const entry = content.subarray(6 + 16 * index, 22 + 16 * index);
    const start = entry.readUInt32LE(12);
    return { said: entry.readUInt8(0) || 256, drawn: sizeOf(content.subarray(start, start + entry.readUInt32LE(8))) };
  });
}

function readIcns(content: Buffer): Record<string, number> {
  expect(content.toString('latin1', 0, 4)).toBe('icns');
  expect(content.readUInt32BE(4)).toBe(content.length);
  const sizes: Record<string, number> = {};
  for (let start = 8; start < content.length; start += content.readUInt32BE(start + 4)) {
    sizes[content.toString('latin1', start, start + 4)] = sizeOf(
      content.subarray(start + 8, start + content.readUInt32BE(start + 4)),
    );
  }
  return sizes;
}

test('Linux finds a picture of every size by its name, and one of 1024 pixels', () => {
  expect(linuxSizes.map((size) => sizeOf(read(`linux/${size}x${size}.png`)))).toEqual(linuxSizes);
  expect(sizeOf(read('icon.png'))).toBe(1024);
});

test('Windows finds every size in one file', () => {
  expect(readIco(read('icon.ico'))).toEqual(windowsSizes.map((size) => ({ said: size, drawn: size })));
});

test('macOS finds every entry in one file', () => {
  expect(readIcns(read('icon.icns'))).toEqual(macEntries);
});

describe.each(trayStates)('the tray when %s', (state) => {
  test('has each size for each system', () => {
    expect(readIco(read(`tray/${state}.ico`)).map(({ drawn }) => drawn)).toEqual(windowsTraySizes);
    for (const [ending, size] of Object.entries({ ...linuxTraySizes, ...macTraySizes })) {
      expect(sizeOf(read(`tray/${state}${ending}`))).toBe(size);
    }
  });

  test('is black for macOS, which colours it', () => {
    const { data, width, height } = PNG.sync.read(read(`tray/${state}Template.png`));
    const colours = Array.from({ length: width * height }, (_, index) =>
      data[index * 4 + 3] === 0 ? 0 : data.readUIntBE(index * 4, 3),
    );
    expect(Math.max(...colours)).toBe(0);
  });
});

test('no two states look alike', () => {
  for (const ending of ['.ico', '.png', 'Template.png']) {
    expect(new Set(trayStates.map((state) => read(`tray/${state}${ending}`).toString('base64'))).size).toBe(
      trayStates.length,
    );
  }
});

test("the page's own icon is the small drawing", () => {
  expect(readFileSync(join(root, 'renderer/icon.svg'), 'utf8')).toBe(read('icon-small.svg').toString('utf8'));
});

test('a packed file is read back, also with 256 pixels, which a byte cannot hold', () => {
  const png = read('linux/256x256.png');
  expect(
    readIco(
      packIco([
        { size: 16, png: read('linux/16x16.png') },
        { size: 256, png },
      ]),
    ),
  ).toEqual([
    { said: 16, drawn: 16 },
    { said: 256, drawn: 256 },
  ]);
  expect(readIcns(packIcns([{ type: 'ic08', png }]))).toEqual({ ic08: 256 });
});
