/** How a line of a count stands against the copy's figure. */
export const lineStates = ['different', 'noFigure', 'unknownCode', 'notCounted', 'same'] as const;
/** Lines of one count. */
export const maxStocktakeLines = 50_000;
export const maxCounted = 1_000_000_000;
