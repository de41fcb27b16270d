/** The parts of the copy that the stock table can list. */
export const stockLists = ['all', 'below', 'watched', 'ranOut', 'cameBack', 'changedToday'] as const;

/** What the stock table can be sorted by. */
export const stockOrders = ['balance', 'name', 'code', 'asOf', 'stock'] as const;
