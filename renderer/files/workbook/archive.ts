// The parts of a ZIP archive that a stranger made (PKWARE's APPNOTE). Its directory says where a part lies; what it says
// of sizes is checked, never trusted.
import { Refusal } from './refusal.ts';
import type { WorkbookUse } from './use.ts';

const entrySignature = 0x02_01_4b_50;
const partSignature = 0x04_03_4b_50;
const endSignature = 0x06_05_4b_50;
const [entryLength, partLength, endLength] = [46, 30, 22];
/** The comment at the end of an archive has no more (§4.3.16). */
const maxCommentLength = 0xff_ff;
const [stored, deflated] = [0, 8];
/** A flag: encrypted (§4.4.4). */
const isEncrypted = 1;
/** Excel's own have about twenty. */
const maxParts = 2000;
/**
 * Deflate makes at most 1,032 bytes of one. Chromium unpacks all that it is handed before it hands anything out, so it is
 * handed so much at once and no more.
 */
const sliceBytes = 4096;

interface Entry {
  readonly method: number;
  readonly packed: number;
  readonly unpacked: number;
  readonly at: number;
}

/** By the names of the parts. */
export type Archive = ReadonlyMap<string, Entry>;

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function findEnd(view: DataView): number {
  const last = view.byteLength - endLength;
  for (let at = last; at >= Math.max(0, last - maxCommentLength); at -= 1) {
    if (view.getUint32(at, true) === endSignature) {
      return at;
    }
  }
  throw new Refusal('unreadable');
}

/**
 * Reads the directory (§4.3.12). Refuses one with too many parts, with two of one name or with an encrypted one. ZIP64,
 * for archives beyond 4 GB, says places that are not in the file, and is refused so.
 */
export function openArchive(bytes: Uint8Array): Archive {
  const view = viewOf(bytes);
  const end = findEnd(view);
  const parts = new Map<string, Entry>();
  const count = view.getUint16(end + 10, true);
  if (count > maxParts) {
    throw new Refusal('tooLarge');
  }
  let at = view.getUint32(end + 16, true);
  for (let left = count; left > 0; left -= 1) {
    if (at + entryLength > end || view.getUint32(at, true) !== entrySignature) {
      throw new Refusal('unreadable');
    }
    const nameLength = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + entryLength, at + entryLength + nameLength));
    if (parts.has(name) || (view.getUint16(at + 8, true) & isEncrypted) !== 0) {
      throw new Refusal('unreadable');
    }
    parts.set(name, {
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      unpacked: view.getUint32(at + 24, true),
      at: view.getUint32(at + 42, true),
    });
    at += entryLength + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return parts;
}

/** The bytes of a part as they lie in the archive. */
function packedBytes(bytes: Uint8Array, { at, packed }: Entry): Uint8Array {
  const view = viewOf(bytes);
  if (at + partLength > bytes.length || view.getUint32(at, true) !== partSignature) {
    throw new Refusal('unreadable');
  }
  const from = at + partLength + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  if (from + packed > bytes.length) {
    throw new Refusal('unreadable');
  }
  return bytes.subarray(from, from + packed);
}

/** Slice by slice, each when it is asked for. */
function slicesOf(packed: Uint8Array, use: WorkbookUse): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream(
    {
      pull(controller) {
        if (at >= packed.length) {
          controller.close();
          return;
        }
        const slice = packed.slice(at, at + sliceBytes);
        at += slice.length;
        use.packedBytes += slice.length;
        controller.enqueue(slice);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Unpacks a part as text, piece by piece, while all parts together have no more than `maxBytes`. */
export async function* unpack(
  bytes: Uint8Array,
  entry: Entry,
  use: WorkbookUse,
  maxBytes: number,
): AsyncGenerator<string> {
  if (entry.method !== stored && entry.method !== deflated) {
    throw new Refusal('unreadable');
  }
  if (entry.unpacked > maxBytes - use.bytes) {
    throw new Refusal('tooLarge');
  }
  const slices = slicesOf(packedBytes(bytes, entry), use);
  const stream = entry.method === stored ? slices : slices.pipeThrough(new DecompressionStream('deflate-raw'));
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = stream.getReader();
  let size = 0;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      size += read.value.length;
      use.bytes += read.value.length;
      if (size > entry.unpacked) {
        throw new Refusal('unreadable');
      }
      yield decoder.decode(read.value, { stream: true });
    }
    if (size !== entry.unpacked) {
      throw new Refusal('unreadable');
    }
    yield decoder.decode();
  } finally {
    // The error has been thrown already.
    await reader.cancel().catch(() => undefined);
  }
}
