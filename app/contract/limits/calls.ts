/**
 * A call may be this long as JSON, in bytes or UTF-16 units; the largest of the contract hands over a file of the shop's
 * lists, of which each quote is two characters in JSON.
 */
export const maxCallLength = 4_000_000;
/** All calls of a page that wait for their answers, together. */
export const maxWaitingLength = 8_000_000;
