/** A square PNG picture and its size in pixels. */
export interface Picture {
  readonly size: number;
  readonly png: Buffer;
}

const icoHeaderBytes = 6;
const icoEntryBytes = 16;

/** An ICO file of these pictures, stored as PNG, which Windows has read since Vista. */
export function packIco(pictures: readonly Picture[]): Buffer {
  const header = Buffer.alloc(icoHeaderBytes);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pictures.length, 4);
  let offset = icoHeaderBytes + icoEntryBytes * pictures.length;
  const entries = pictures.map(({ size, png }) => {
    const entry = Buffer.alloc(icoEntryBytes);
    // 256 is written as 0.
    entry.writeUInt8(size % 256, 0);
    entry.writeUInt8(size % 256, 1);
    entry.writeUInt16LE(1, 4);
    entry.writeUInt16LE(32, 6);
    entry.writeUInt32LE(png.length, 8);
    entry.writeUInt32LE(offset, 12);
    offset += png.length;
    return entry;
  });
  return Buffer.concat([header, ...entries, ...pictures.map(({ png }) => png)]);
}

/** An ICNS file of these pictures, each under the four-letter type of its size. */
export function packIcns(pictures: readonly { readonly type: string; readonly png: Buffer }[]): Buffer {
  const entries = pictures.map(({ type, png }) => {
    const head = Buffer.alloc(8);
    head.write(type, 'latin1');
    head.writeUInt32BE(8 + png.length, 4);
    return Buffer.concat([head, png]);
  });
  const head = Buffer.alloc(8);
  head.write('icns', 'latin1');
  head.writeUInt32BE(8 + entries.reduce((sum, entry) => sum + entry.length, 0), 4);
  return Buffer.concat([head, ...entries]);
}
