/** What of the copy the stock table lists. */
export const stockLists = ['all', 'below', 'watched', 'ranOut', 'cameBack', 'changedToday'] as const;
