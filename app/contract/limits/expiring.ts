/** The days of the list of what expires: before today, or so many from today on. */
export const expirySpans = ['past', '7', '14', '30', '60', '90'] as const;
/** Lines of that list that one call reads. */
export const maxExpiringRows = 500;
