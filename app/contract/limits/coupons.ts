/** Products that can be chosen at once: as many as the queue holds. */
export const maxChosen = 10_000;
