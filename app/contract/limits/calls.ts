/**
 * A call may be this long as JSON, in bytes or UTF-16 units; the largest of the contract hands over ten labels, each
 * with its texts as pictures.
 */
export const maxCallLength = 2_000_000;
/** All calls of a page that wait for their answers, together. */
export const maxWaitingLength = 8_000_000;
