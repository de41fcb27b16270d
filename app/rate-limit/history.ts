import { usedOf, type ByLane } from './lanes.ts';

export const pieceMs = 10_000;
export const pieceCount = 60;

export interface HistoryPiece {
  /** Slots that counted at the fullest moment. */
  readonly used: ByLane;
  /** The limit that this terminal set itself at the end of the piece. */
  readonly limit: number;
  /** Answers of 429. */
  readonly refusals: number;
}

export type RateLimitHistory = ReturnType<typeof createHistory>;

/** Begins a history in which nothing has happened. */
export function createHistory(startMs: number) {
  const nothing: ByLane = { session: 0, person: 0, queue: 0, catalogue: 0 };
  let latest = { used: nothing, limit: 0 };
  let pieces: HistoryPiece[] = [{ ...latest, refusals: 0 }];
  let last = Math.floor(startMs / pieceMs);

  /** Nothing changes between two notes: pieces in between are as the last note left it. */
  function moveTo(nowMs: number): HistoryPiece {
    const place = Math.floor(nowMs / pieceMs);
    const missing = Math.min(pieceCount, place - last);
    if (missing > 0) {
      pieces = [...pieces, ...Array.from({ length: missing }, () => ({ ...latest, refusals: 0 }))].slice(-pieceCount);
      last = place;
    }
    return pieces.at(-1) ?? { ...latest, refusals: 0 };
  }

  return {
    /** So many slots count from now on. */
    note: (nowMs: number, used: ByLane, limit: number) => {
      const piece = moveTo(nowMs);
      latest = { used, limit };
      pieces[pieces.length - 1] = {
        used: usedOf(used) >= usedOf(piece.used) ? used : piece.used,
        limit,
        refusals: piece.refusals,
      };
    },
    refuse: (nowMs: number) => {
      const piece = moveTo(nowMs);
      pieces[pieces.length - 1] = { ...piece, refusals: piece.refusals + 1 };
    },
    /** The pieces until now, oldest first, at most `pieceCount`; the last one is not over yet. */
    read: (nowMs: number): readonly HistoryPiece[] => {
      moveTo(nowMs);
      return [...pieces];
    },
  };
}
