/** So many in a row are one user's own. */
const ownAfter = 3;

export type Troubles = ReturnType<typeof createTroubles>;

/**
 * Makes what counts how often in a row each user's updates have met trouble that stops all. Who has met it often lets
 * the others go first: nobody knows whether it is theirs alone.
 */
export function createTroubles() {
  const counts = new Map<number, number>();
  return {
    count: (ownerId: number): void => {
      counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
    },
    areOwn: (ownerId: number): boolean => (counts.get(ownerId) ?? 0) >= ownAfter,
    /** What they sent was answered. */
    clear: (ownerId: number): void => {
      counts.delete(ownerId);
    },
  };
}
