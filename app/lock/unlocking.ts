// For how long a right PIN opens a kind of calls; invariant L2 of lock.ts.
import type { HeldKind } from '../contract/lock.ts';
import type { Clock, Timer } from '../ports.ts';

/** One action, too, is not left open for ever. */
const oneActionMs = 2 * 60_000;
/** The next slice of the same action comes within so long. */
const nextSliceMs = 1_000;

/** `action`: the next such call takes it; `reading`: as many as come in the time of one action. */
export type Span = 'action' | 'reading' | { readonly minutes: number };

interface Opening {
  readonly kind: HeldKind;
  readonly place: string;
  readonly untilUptimeMs: number;
  readonly untilWallMs: number;
  readonly isForOneAction: boolean;
  readonly timer: Timer;
}

/** Begins locked. */
export function createUnlocking(clock: Clock, place: () => string, onChange: () => void) {
  let openings: readonly Opening[] = [];
  /** The one action that was let through in slices. */
  let sliced: {
    readonly kind: HeldKind;
    readonly action: string;
    readonly place: string;
    readonly untilUptimeMs: number;
  } | null = null;

  /** What PINs are being compared for; what is locked meanwhile is not opened by them. */
  const comparing = new Set<{ readonly kind: HeldKind | null }>();

  function endAll(isOver: (opening: Opening) => boolean): void {
    openings.filter(isOver).forEach(({ timer }) => timer.cancel());
    openings = openings.filter((opening) => !isOver(opening));
  }

  const leftMsOf = ({ untilUptimeMs, untilWallMs }: Opening): number =>
    Math.min(untilUptimeMs - clock.uptimeMs(), untilWallMs - clock.now());

  function openNow(): readonly Opening[] {
    endAll((opening) => leftMsOf(opening) <= 0 || opening.place !== place());
    return openings;
  }

  const nextSlice = (slicesOf: string | null) =>
    sliced !== null &&
    sliced.action === slicesOf &&
    sliced.place === place() &&
    clock.uptimeMs() <= sliced.untilUptimeMs
      ? sliced
      : null;

  function end(kind?: HeldKind): void {
    endAll((opening) => kind === undefined || opening.kind === kind);
    [...comparing]
      .filter((one) => kind === undefined || one.kind === kind)
      .forEach((one) => {
        comparing.delete(one);
      });
    if (kind === undefined || sliced?.kind === kind) {
      sliced = null;
    }
  }

  return {
    /** For how long the last of them is open still, in milliseconds; null when none is. */
    openForMs: (): number | null => {
      const left = openNow().map(leftMsOf);
      return left.length === 0 ? null : Math.max(...left);
    },
    /** A PIN is being compared; the answered function ends that, and says whether this kind was not locked meanwhile. */
    compareFor: (kind: HeldKind | null) => {
      const mine = { kind };
      comparing.add(mine);
      return (): boolean => comparing.delete(mine);
    },
    kinds: (): HeldKind[] => openNow().map(({ kind }) => kind),
    begin: (kind: HeldKind, span: Span): void => {
      sliced = null;
      const spanMs = typeof span === 'object' ? span.minutes * 60_000 : oneActionMs;
      endAll((opening) => opening.kind === kind);
      const opening: Opening = {
        kind,
        place: place(),
        untilUptimeMs: clock.uptimeMs() + spanMs,
        untilWallMs: clock.now() + spanMs,
        isForOneAction: span === 'action',
        timer: clock.after(spanMs, () => {
          endAll((one) => one === opening);
          onChange();
        }),
      };
      openings = [...openings, opening];
    },
    end,
    /** The kinds that are open for a call, which may be the next slice of the action so named. */
    openFor: (slicesOf: string | null): HeldKind[] => {
      const slice = nextSlice(slicesOf);
      // mutant: a PIN for a coupon opens everything
      return [...openNow().map(({ kind }) => kind), ...(slice === null ? [] : [slice.kind])];
    },
    /** Takes the one action, unless the call is the next slice of it; answers that a PIN let it through. */
    use: (kind: HeldKind, slicesOf: string | null): true => {
      const isNextSlice = nextSlice(slicesOf)?.kind === kind;
      if (isNextSlice || openNow().some((one) => one.kind === kind && one.isForOneAction)) {
        endAll((one) => one.kind === kind);
        sliced =
          slicesOf === null
            ? null
            : { kind, action: slicesOf, place: place(), untilUptimeMs: clock.uptimeMs() + nextSliceMs };
        onChange();
      }
      return true;
    },
    /** To be called when the place may have changed. */
    notePlace: (): void => {
      if (sliced !== null && sliced.place !== place()) {
        sliced = null;
      }
      const before = openings.length;
      if (openNow().length < before) {
        onChange();
      }
    },
  };
}
