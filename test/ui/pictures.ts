import { deflateSync, crc32, inflateSync } from 'node:zlib';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

const maxColours = 32;

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity of each pixel. */
  readonly data: Uint8Array;
}

export function readPicture(file: Buffer): Picture {
  const { width, height, data } = PNG.sync.read(file);
  return { width, height, data: new Uint8Array(data) };
}

/** Each pixel's colour as one number. */
function coloursOf({ data }: Picture): Uint32Array {
  const colours = new Uint32Array(data.length / 4);
  for (let place = 0; place < colours.length; place += 1) {
    colours[place] = ((data[place * 4] ?? 0) << 16) | ((data[place * 4 + 1] ?? 0) << 8) | (data[place * 4 + 2] ?? 0);
  }
  return colours;
}

const partsOf = (colour: number): readonly [number, number, number] => [
  (colour >> 16) & 255,
  (colour >> 8) & 255,
  colour & 255,
];

/** How far apart two colours are, in the channel in which they differ most. */
function distance(one: number, other: number): number {
  return Math.max(
    Math.abs((one >> 16) - (other >> 16)),
    Math.abs(((one >> 8) & 255) - ((other >> 8) & 255)),
    Math.abs((one & 255) - (other & 255)),
  );
}

/** Whether a pixel is part of a ground or a line: of the colour of both its neighbours across, or down. */
function isFlat(colours: Uint32Array, place: number, width: number): boolean {
  const colour = colours[place];
  return (
    (colours[place - 1] === colour && colours[place + 1] === colour) ||
    (colours[place - width] === colour && colours[place + width] === colour)
  );
}

/** The weight of each colour: sixteen times as much in a ground or a line. In the order in which they first come. */
function weigh(colours: Uint32Array, width: number): ReadonlyMap<number, number> {
  const weights = new Map<number, number>();
  // Neighbours are mostly alike: a row of them is noted once.
  let [colour, weight] = [colours[0] ?? 0, 0];
  for (let place = 0; place < colours.length; place += 1) {
    const next = colours[place] ?? 0;
    if (next !== colour) {
      weights.set(colour, (weights.get(colour) ?? 0) + weight);
      [colour, weight] = [next, 0];
    }
    weight += isFlat(colours, place, width) ? 16 : 1;
  }
  return weights.set(colour, (weights.get(colour) ?? 0) + weight);
}

/** The colours that matter most, and the rows of a PNG in them; each other colour becomes the nearest of them. */
function reduce(picture: Picture): { readonly palette: Buffer; readonly rows: Buffer } {
  const colours = coloursOf(picture);
  const weights = weigh(colours, picture.width);
  const palette = [...weights]
    .toSorted((one, other) => other[1] - one[1])
    .slice(0, maxColours)
    .map(([colour]) => colour);
  const places = new Map(
    [...weights.keys()].map((colour) => [
      colour,
      palette.reduce(
        (best, one, place) => (distance(one, colour) < distance(palette[best] ?? 0, colour) ? place : best),
        0,
      ),
    ]),
  );
  return { palette: Buffer.from(palette.flatMap(partsOf)), rows: rowsOf(picture, colours, places) };
}

/** Writes the picture with the colours that matter most. */
export function writePicture(picture: Picture): Buffer {
  const { palette, rows } = reduce(picture);
  return Buffer.concat([
    signature,
    headOf(picture),
    chunk('PLTE', palette),
    chunk('IDAT', pack(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Whether `writePicture` would write this very file of the picture; packing it takes longer than unpacking the file. */
export function isWrittenAs(file: Buffer, picture: Picture): boolean {
  const { palette, rows } = reduce(picture);
  const head = Buffer.concat([signature, headOf(picture), chunk('PLTE', palette)]);
  if (!file.subarray(0, head.length).equals(head)) {
    return false;
  }
  const packedBytes = file.readUInt32BE(head.length);
  const packed = file.subarray(head.length + 8, head.length + 8 + packedBytes);
  return inflateSync(packed).equals(rows);
}

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

/** Eight bits a pixel, by palette (PNG, third edition, 11.2.1). */
function headOf({ width, height }: Pick<Picture, 'width' | 'height'>): Buffer {
  return chunk('IHDR', Buffer.concat([numbers(width, height), Buffer.from([8, 3, 0, 0, 0])]));
}

/** The pixels by the places of their colours in the palette; each row begins with its filter, which is none. */
function rowsOf({ width, height }: Picture, colours: Uint32Array, places: ReadonlyMap<number, number>): Buffer {
  const rows = Buffer.alloc((width + 1) * height);
  let [colour, at] = [-1, 0];
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const next = colours[row * width + column] ?? 0;
      if (next !== colour) {
        [colour, at] = [next, places.get(next) ?? 0];
      }
      rows[row * (width + 1) + 1 + column] = at;
    }
  }
  return rows;
}

function pack(rows: Buffer): Buffer {
  return deflateSync(rows, { level: 9 });
}

function numbers(...given: readonly number[]): Buffer {
  const written = Buffer.alloc(4 * given.length);
  given.forEach((one, place) => written.writeUInt32BE(one, 4 * place));
  return written;
}

/**
 * Writes pictures of one size, as `writePicture` wrote each, as one that shows them in turn for ever (PNG, third
 * edition, 11.3.6).
 */
export function writeMovingPicture(pictures: readonly Picture[], secondsEach: number): Buffer {
  const { width, height } = pictures[0] ?? { width: 0, height: 0 };
  const palette = [...new Set(pictures.flatMap((picture) => [...new Set(coloursOf(picture))]))];
  const places = new Map(palette.map((colour, place) => [colour, place]));
  const frames = pictures.flatMap((picture, place) => {
    // Each frame but the first has a number of its own beside that of its control.
    const control = Math.max(0, 2 * place - 1);
    const pixels = pack(rowsOf(picture, coloursOf(picture), places));
    return [
      chunk('fcTL', Buffer.concat([numbers(control, width, height, 0, 0), Buffer.from([0, secondsEach, 0, 1, 0, 0])])),
      place === 0 ? chunk('IDAT', pixels) : chunk('fdAT', Buffer.concat([numbers(control + 1), pixels])),
    ];
  });
  return Buffer.concat([
    signature,
    headOf({ width, height }),
    chunk('acTL', numbers(pictures.length, 0)),
    chunk('PLTE', Buffer.from(palette.flatMap(partsOf))),
    ...frames,
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

interface Difference {
  /** Pixels that are something else, anti-aliased edges left out. */
  readonly moved: number;
  /** Pixels of grounds and lines whose colour is another. */
  readonly recoloured: number;
}

/** Compares a picture with the one that was kept. */
export function compare(kept: Picture, now: Picture): Difference {
  if (kept.width !== now.width || kept.height !== now.height) {
    return { moved: kept.width * kept.height, recoloured: 0 };
  }
  const [before, after] = [coloursOf(kept), coloursOf(now)];
  const recoloured = before.reduce(
    (sum, colour, place) =>
      sum +
      (isFlat(before, place, kept.width) && isFlat(after, place, kept.width) && distance(colour, after[place] ?? 0) > 3
        ? 1
        : 0),
    0,
  );
  return {
    moved: pixelmatch(kept.data, now.data, undefined, kept.width, kept.height, { threshold: 0.12 }),
    recoloured,
  };
}

/** The differences, in red upon the pale picture; to be looked at. */
export function drawDifference(kept: Picture, now: Picture): Buffer {
  const drawn = new PNG({ width: now.width, height: now.height });
  if (kept.width === now.width && kept.height === now.height) {
    pixelmatch(kept.data, now.data, drawn.data, now.width, now.height, { threshold: 0.03, includeAA: true });
  }
  return PNG.sync.write(drawn);
}
