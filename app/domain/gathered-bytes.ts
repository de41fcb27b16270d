/** All bytes of a body, copied into one place as they come: a part of one byte takes five hundred where it is kept. */
export function gatherBytes() {
  let bytes = Buffer.alloc(0);
  let length = 0;
  return {
    add: (part: Buffer): void => {
      if (length + part.length > bytes.length) {
        const larger = Buffer.allocUnsafe(Math.max(2 * bytes.length, length + part.length));
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      part.copy(bytes, length);
      length += part.length;
    },
    /** Those that have come. */
    all: (): Buffer => bytes.subarray(0, length),
  };
}
