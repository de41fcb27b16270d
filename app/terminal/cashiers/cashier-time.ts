// The time by which the days of a PIN are counted: by a wall clock that was ahead one day lasted for a year (decision 27).
import { steadyAtStart } from '../../queue/steady-time.ts';
import type { Clock, Timer } from '../../ports.ts';
import type { KeptCashier } from '../../settings/kept-cashiers.ts';
import type { SettingsDocument } from '../../settings/settings.ts';

const dayMs = 86_400_000;
/** How much of a run a clock that is set between two runs can hide, at most. */
const notedEveryMs = 3_600_000;

export interface CashierTimeParts {
  readonly clock: Clock;
  /** The terminal's, in practice, too. */
  readonly settings: Pick<SettingsDocument, 'get' | 'change'>;
  /** By how much this machine's clock is ahead of the platform's, in milliseconds, as far as is known. */
  readonly aheadMs: () => number;
}

export type CashierTime = ReturnType<typeof createCashierTime>;

/** Goes on by what the settings hold; stamps of a clock that was ahead, from before there was this time, are void. */
export function createCashierTime({ clock, settings, aheadMs }: CashierTimeParts) {
  const { cashierTime, cashiers } = settings.get();
  const uptimeAtStartMs = clock.uptimeMs();
  const startMs = steadyAtStart(cashierTime, { wallMs: clock.now(), uptimeMs: uptimeAtStartMs });
  let timer: Timer | null = null;

  const nowMs = (): number => startMs + Math.floor(clock.uptimeMs() - uptimeAtStartMs);

  function note(): void {
    timer?.cancel();
    if (settings.get().cashiers.some(({ signedInAt }) => signedInAt !== null)) {
      // A clock that is known to be ahead hides, once it is right, days that pass until the next start.
      // mutant: a clock that is known to be ahead is noted as right (C3)
      const wallMs = clock.now() - Math.max(0, aheadMs());
      // mutant: the days of a PIN are counted by the wall clock (C3)
      settings.change({ cashierTime: { steadyMs: nowMs(), wallMs, uptimeMs: clock.uptimeMs() } });
      // mutant: the clocks of a PIN are noted at a sign-in and at the end alone (C3)
      timer = clock.after(notedEveryMs, note);
    }
  }

  if (cashiers.some(({ signedInAt }) => signedInAt !== null && signedInAt > startMs)) {
    settings.change({
      // mutant: a sign-in in the future lets in once it is past (C3)
      cashiers: cashiers.map((one) => ((one.signedInAt ?? 0) > startMs ? { ...one, signedInAt: null } : one)),
    });
  }
  note();

  return {
    /** The steady time, in milliseconds. */
    nowMs,
    /** Whether the manager's days since the sign-in with the password are not over. */
    isWithinDays: ({ signedInAt }: Pick<KeptCashier, 'signedInAt'>) => {
      const ageMs = signedInAt === null ? -1 : nowMs() - signedInAt;
      return ageMs >= 0 && ageMs < settings.get().cashierChange.keptDays * dayMs;
    },
    /** Notes the clocks, so that the next run knows what has passed. */
    note,
    /** The same at the end of a run. */
    close: () => {
      note();
      timer?.cancel();
    },
  };
}
