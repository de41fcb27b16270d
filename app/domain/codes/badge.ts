/** Letters that lie in the same place on the keyboards of most countries. */
const prefix = 'TILL';
const digits = 16;

const badge = new RegExp(String.raw`^(?:\][A-Za-z][0-9A-Za-z])?(${prefix}\d{${digits}})$`, 'i');
/** A badge, also one of which a scanner has lost a few digits, or which it has joined to the code before or behind it. */
const nearly = new RegExp(String.raw`${prefix}\d{12}`, 'i');

/** The badge's code as it was printed; null for any other text. A symbology identifier may stand before it. */
export function readBadge(text: string): string | null {
  return badge.exec(text.trim())?.[1]?.toUpperCase() ?? null;
}

/** Whether the text is or holds a badge's code or most of one, and so is no product's. */
export function isLikeBadge(text: string): boolean {
  return nearly.test(text);
}

/** A new badge's code of 53 random bits; `uuid` is a fresh random one (RFC 9562 §5.4). */
export function newBadge(uuid: string): string {
  const hex = uuid.replaceAll('-', '');
  // Without the figures that are the same in each.
  const random = BigInt(`0x${hex.slice(0, 12)}${hex.slice(13, 16)}${hex.slice(17)}`);
  return prefix + String(random % 10n ** BigInt(digits)).padStart(digits, '0');
}
