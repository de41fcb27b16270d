// A link that the system hands to Tillside: from any page, mail or program, so it may be anything. The one kind there is
// asks for a code, as a scan does: `tillside://lookup?code=7891000100103`.

const maxLinkLength = 1000;
const maxCodeLength = 100;
const known = /^tillside:\/\/lookup\/?\?code=([^&#?]+)$/i;

/** The link among a start's arguments, or null. */
export function findLink(args: readonly string[]): string | null {
  return args.find((argument) => /^tillside:/i.test(argument)) ?? null;
}

/** The code that this link asks for; null for a link that is not just of that kind. */
export function codeOfLink(link: string): string | null {
  const written = link.length <= maxLinkLength ? known.exec(link)?.[1] : undefined;
  if (written === undefined) {
    return null;
  }
  try {
    const code = decodeURIComponent(written);
    return code.trim() === '' || code.length > maxCodeLength || /\p{C}/u.test(code) ? null : code;
  } catch {
    return null;
  }
}
