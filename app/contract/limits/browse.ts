/** The parts of the copy that the stock table can list. */
export const stockLists = ['all', 'below', 'watched', 'ranOut', 'cameBack', 'changedToday'] as const;
