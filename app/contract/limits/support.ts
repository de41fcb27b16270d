/** Characters of a provisioning file that a person opens, at most: more than the largest that can be used. */
export const maxOpenedLength = 200_000;
