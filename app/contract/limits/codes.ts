/** Codes that one call looks up. */
export const maxCodesAtOnce = 100;
/** Characters of a code that is looked up. */
export const maxCodeLength = 100;
