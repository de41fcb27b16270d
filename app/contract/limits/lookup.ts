/** Lines of an answer that fits several products; there may be more when it has so many. */
export const maxHits = 200;
