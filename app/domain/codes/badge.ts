/** Letters that lie in the same place on the keyboards of most countries. */
const prefix = 'TILL';
const digits = 16;

const badge = new RegExp(String.raw`^(?:\][A-Za-z][0-9A-Za-z])?(${prefix}\d{${digits}})$`, 'i');
/** A badge of which a scanner has lost a few digits, or to which it has added some. */
const nearly = new RegExp(String.raw`^(?:\][A-Za-z][0-9A-Za-z])?${prefix}\d{12,20}$`, 'i');

/** The badge's code as it was printed; null for any other text. A symbology identifier may stand before it. */
export function readBadge(text: string): string | null {
  return badge.exec(text.trim())?.[1]?.toUpperCase() ?? null;
}

/** Whether the text is a badge's code or most of one, and so no product's. */
export function isLikeBadge(text: string): boolean {
  return nearly.test(text.trim());
}

/** A new badge's code of 53 random bits; `uuid` is a fresh random one (RFC 9562 §5.4). */
export function newBadge(uuid: string): string {
  const hex = uuid.replaceAll('-', '');
  // Without the figures that are the same in each.
  const random = BigInt(`0x${hex.slice(0, 12)}${hex.slice(13, 16)}${hex.slice(17)}`);
  return prefix + String(random % 10n ** BigInt(digits)).padStart(digits, '0');
}
