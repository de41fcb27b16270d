/** So many are under way at once: a scanner that a person holds never has more, and whatever else is asked gets its turn. */
const maxUnderWay = 8;

/**
 *     a call ──→ under way, up to eight ──→ answered
 *          └───→ waiting ──one is answered──→ under way
 *                    └──more wait than are kept──→ the oldest is dropped
 *
 * Calls go out in the order in which they came.
 */
export interface CallLine {
  /**
   * Answers what `send` does, once it has had its turn; null when it was dropped, or whoever it was for has gone
   * meanwhile. Rejects as `send` does.
   */
  readonly call: <Answer>(send: () => Promise<Answer>, isStillHere: () => boolean) => Promise<Answer | null>;
  readonly isWaiting: () => boolean;
}

/** Opens an empty line in which so many calls can wait. */
export function createCallLine(maxWaiting: number): CallLine {
  const waiting = new Set<(hasTurn: boolean) => void>();
  let underWay = 0;
  /** Ends the wait of the oldest. */
  const release = (hasTurn: boolean): void => {
    const [oldest] = waiting;
    if (oldest !== undefined) {
      waiting.delete(oldest);
      underWay += hasTurn ? 1 : 0;
      oldest(hasTurn);
    }
  };
  const wait = (): Promise<boolean> =>
    new Promise((resolve) => {
      waiting.add(resolve);
      if (waiting.size > maxWaiting) {
        release(false);
      }
    });
  return {
    isWaiting: () => waiting.size > 0,
    async call(send, isStillHere) {
      if (underWay < maxUnderWay) {
        underWay += 1;
      } else if (!(await wait())) {
        return null;
      }
      try {
        return isStillHere() ? await send() : null;
      } finally {
        underWay -= 1;
        release(true);
      }
    },
  };
}
