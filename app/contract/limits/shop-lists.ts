/** Characters of a file of the shop's lists: some 100,000 minimums. */
export const maxListsLength = 2_000_000;
/** Changes that are shown of one file before it is taken. */
export const maxListsChanges = 500;
