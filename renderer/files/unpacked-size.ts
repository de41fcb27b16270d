const endOfDirectory = 0x06_05_4b_50;
const endLength = 22;
const entryLength = 46;
const deflated = 8;
/** The deflated length of no bytes at all. */
const emptyLength = 2;
/** A flag: the sizes stand behind the part (§4.4.4). */
const saysLater = 8;

/**
 * How many bytes the parts of a ZIP archive have when they are unpacked, as its directory says (PKWARE's APPNOTE §4.3.12,
 * §4.3.16); hucre unpacks no part further than that. Infinite where a part does not say, and null where there is no
 * directory.
 */
export function unpackedSizeOf(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - endLength;
  while (end >= 0 && view.getUint32(end, true) !== endOfDirectory) {
    end -= 1;
  }
  if (end < 0) {
    return null;
  }
  let size = 0;
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    if (at + entryLength > bytes.length) {
      return null;
    }
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
    const [packed, unpacked] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
    const nameLength = view.getUint16(at + 28, true);
    const isSilent = packed > emptyLength || (packed === 0 && (flags & saysLater) !== 0);
    if (method === deflated && unpacked === 0 && isSilent) {
      return Infinity;
    }
    size += unpacked;
    at += entryLength + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return size;
}
