// For how long a right PIN opens the lock; invariant L2 of lock.ts.
import type { Clock, Timer } from '../ports.ts';

/** One action, too, is not left open for ever. */
const oneActionMs = 2 * 60_000;
/** The next slice of the same action comes within so long. */
const nextSliceMs = 1_000;
const minuteMs = 60_000;

/** Begins locked. */
export function createUnlocking(clock: Clock, place: () => string, onChange: () => void) {
  let opening: {
    readonly place: string;
    readonly untilUptimeMs: number;
    readonly untilWallMs: number;
    readonly isForOneAction: boolean;
    readonly timer: Timer;
  } | null = null;
  /** The one action that was let through in slices. */
  let sliced: { readonly action: string; readonly place: string; readonly untilUptimeMs: number } | null = null;

  function end(): void {
    opening?.timer.cancel();
    opening = null;
    sliced = null;
  }

  /** For how long it is open still, in milliseconds; null when it is not. */
  function openForMs(): number | null {
    if (opening === null) {
      return null;
    }
    const leftMs = Math.min(opening.untilUptimeMs - clock.uptimeMs(), opening.untilWallMs - clock.now());
    if (leftMs > 0 && place() === opening.place) {
      return leftMs;
    }
    end();
    return null;
  }

  const isNextSlice = (slicesOf: string | null): boolean =>
    sliced !== null &&
    sliced.action === slicesOf &&
    sliced.place === place() &&
    clock.uptimeMs() <= sliced.untilUptimeMs;

  return {
    openForMs,
    /** Opens it; for one action when the minutes are 0. */
    begin: (minutes: number): void => {
      end();
      const spanMs = minutes === 0 ? oneActionMs : minutes * minuteMs;
      opening = {
        place: place(),
        untilUptimeMs: clock.uptimeMs() + spanMs,
        untilWallMs: clock.now() + spanMs,
        isForOneAction: minutes === 0,
        timer: clock.after(spanMs, () => {
          end();
          onChange();
        }),
      };
    },
    end,
    /** Whether it is open for a call, or the call is the next slice of the action so named. */
    isOpenFor: (slicesOf: string | null): boolean => isNextSlice(slicesOf) || openForMs() !== null,
    /** Takes the one action, unless the call is the next slice of it; answers that a PIN let it through. */
    use: (slicesOf: string | null): true => {
      if (isNextSlice(slicesOf) || opening?.isForOneAction === true) {
        end();
        sliced =
          slicesOf === null
            ? null
            : { action: slicesOf, place: place(), untilUptimeMs: clock.uptimeMs() + nextSliceMs };
        onChange();
      }
      return true;
    },
    /** To be called when the place may have changed. */
    notePlace: (): void => {
      if (sliced !== null && sliced.place !== place()) {
        sliced = null;
      }
      if (opening !== null && openForMs() === null) {
        onChange();
      }
    },
  };
}
