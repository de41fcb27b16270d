/** Rows of one block. A map of bits of as many fits into one cell of a page of the database. */
export const blockRows = 4_096;
const bitmapBytes = blockRows / 8;
/** A list of more would be no shorter than the map. */
const maxListLength = bitmapBytes / 2 - 1;

/** The places of a block that are in a set, as bits. */
export type Bits = Uint32Array;

/** As it lies in the database: 512 bytes are bits; fewer are a list of places, two bytes each, rising. */
export type StoredPlaces = Uint8Array;

function isBitmap(stored: StoredPlaces): boolean {
  return stored.byteLength === bitmapBytes;
}

function placesOf(stored: StoredPlaces): number[] {
  const places: number[] = [];
  for (let at = 0; at + 1 < stored.byteLength; at += 2) {
    places.push((stored[at] ?? 0) | ((stored[at + 1] ?? 0) << 8));
  }
  return places;
}

function listOf(places: readonly number[]): StoredPlaces {
  const stored = new Uint8Array(2 * places.length);
  for (const [index, place] of places.entries()) {
    stored[2 * index] = place & 0xff;
    stored[2 * index + 1] = place >> 8;
  }
  return stored;
}

function mark(bytes: Uint8Array, place: number): void {
  bytes[place >> 3] = (bytes[place >> 3] ?? 0) | (1 << (place & 7));
}

/** The set with these places (0 to 4095) too. */
export function withPlaces(stored: StoredPlaces | null, added: readonly number[]): StoredPlaces {
  if (stored !== null && isBitmap(stored)) {
    const bytes = stored.slice();
    for (const place of added) {
      mark(bytes, place);
    }
    return bytes;
  }
  const length = stored?.byteLength ?? 0;
  const last = stored === null || length < 2 ? -1 : (stored[length - 2] ?? 0) | ((stored[length - 1] ?? 0) << 8);
  if (length / 2 + added.length <= maxListLength && added.every((place, index) => place > (added[index - 1] ?? last))) {
    // New rows, as nearly always: they come behind the others.
    const longer = new Uint8Array(length + 2 * added.length);
    longer.set(stored ?? []);
    longer.set(listOf(added), length);
    return longer;
  }
  const places = [...new Set([...(stored === null ? [] : placesOf(stored)), ...added])].toSorted(
    (left, right) => left - right,
  );
  if (places.length <= maxListLength) {
    return listOf(places);
  }
  const bytes = new Uint8Array(bitmapBytes);
  for (const place of places) {
    mark(bytes, place);
  }
  return bytes;
}

/** The set without these places; null when nothing is left. */
export function withoutPlaces(stored: StoredPlaces, removed: readonly number[]): StoredPlaces | null {
  if (isBitmap(stored)) {
    const bytes = stored.slice();
    for (const place of removed) {
      bytes[place >> 3] = (bytes[place >> 3] ?? 0) & ~(1 << (place & 7));
    }
    return bytes.some((byte) => byte !== 0) ? bytes : null;
  }
  const places = placesOf(stored).filter((place) => !removed.includes(place));
  return places.length === 0 ? null : listOf(places);
}

/** No place at all. */
export function noBits(): Bits {
  return new Uint32Array(blockRows / 32);
}

/** Adds the places of a stored set. */
export function addTo(bits: Bits, stored: StoredPlaces): void {
  const bytes = new Uint8Array(bits.buffer, bits.byteOffset, bitmapBytes);
  if (isBitmap(stored)) {
    for (let at = 0; at < bitmapBytes; at += 1) {
      bytes[at] = (bytes[at] ?? 0) | (stored[at] ?? 0);
    }
    return;
  }
  for (let at = 0; at + 1 < stored.byteLength; at += 2) {
    mark(bytes, ((stored[at] ?? 0) | ((stored[at + 1] ?? 0) << 8)) & (blockRows - 1));
  }
}

/** Keeps only the places that are in the other too; answers whether any is left. */
export function keepCommon(bits: Bits, other: Bits): boolean {
  let any = 0;
  for (let at = 0; at < bits.length; at += 1) {
    const common = (bits[at] ?? 0) & (other[at] ?? 0);
    bits[at] = common;
    any |= common;
  }
  return any !== 0;
}

/** The first places of a set, rising, at most `limit`. */
export function firstPlaces(bits: Bits, limit: number): number[] {
  const places: number[] = [];
  const bytes = new Uint8Array(bits.buffer, bits.byteOffset, bitmapBytes);
  for (let at = 0; at < bitmapBytes && places.length < limit; at += 1) {
    for (let byte = bytes[at] ?? 0; byte !== 0 && places.length < limit; byte &= byte - 1) {
      places.push(8 * at + 31 - Math.clz32(byte & -byte));
    }
  }
  return places;
}
