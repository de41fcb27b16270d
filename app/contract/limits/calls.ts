/** A call may be this long as JSON, in bytes or UTF-16 units; the largest of the contract names 10,000 products. */
export const maxCallLength = 400_000;
/** All calls of a page that wait for their answers, together. */
export const maxWaitingLength = 4_000_000;
