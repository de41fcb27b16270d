// Badges: printed codes that bring cashiers back as their PINs do (decision 50). Of a badge nothing is kept but its hash.
import { createHash } from 'node:crypto';
import type { BadgeScanned } from '../contract/cashiers.ts';
import { newBadge, readBadge } from '../domain/codes/badge.ts';
import type { Failure } from '../domain/failure.ts';
import { fail, mapResult, succeed, type Result } from '../domain/result.ts';
import type { createAttempts } from '../lock/attempts.ts';
import { createWaits } from '../lock/waits.ts';
import type { Ports } from '../ports.ts';
import { hasPin, type KeptCashier, type KeptCashiers } from '../settings/kept-cashiers.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { Place } from './own-pins.ts';

export interface Badges {
  /** Answers whose badge this is. Fails with `badgeUnknown`, `badgeWaits`, or `notReady` where no badge is taken. */
  readonly readBadge: (code: string) => Result<KeptCashier, Failure>;
  /** Changes to who has shown their badge, where that is possible. Fails with `notReady`. */
  readonly comeByBadge: (cashier: KeptCashier) => Result<BadgeScanned, Failure>;
  /**
   * Makes a badge for whoever is signed in, in the place of the one before, and answers its code this once. Fails as a
   * PIN does, with `notReady` where there is none or the manager allows no badges, or as the settings do.
   */
  readonly makeBadge: (pin: string) => Promise<Result<string, Failure>>;
  /** Answers whether there was one. */
  readonly removeBadge: () => Result<boolean, Failure>;
}

export interface BadgeParts extends Pick<Ports, 'clock' | 'random'> {
  readonly settings: SettingsStore;
  readonly kept: KeptCashiers;
  readonly placeNow: () => Place | null;
  readonly isLocked: () => boolean;
  readonly canComeBack: (cashier: KeptCashier) => boolean;
  readonly comeBack: (cashier: KeptCashier) => Result<void, Failure>;
  readonly attemptsOf: (cashier: KeptCashier) => ReturnType<typeof createAttempts>;
  readonly changed: () => void;
}

const hashOf = (code: string): string => createHash('sha256').update(code).digest('hex');

/** Makes, reads and removes badges. */
export function createBadges({
  clock,
  random,
  settings,
  kept,
  placeNow,
  isLocked,
  canComeBack,
  comeBack,
  attemptsOf,
  changed,
}: BadgeParts): Badges {
  // One that nobody has names nobody, so all wait together.
  const waits = createWaits({
    clock,
    stored: () => settings.get().badgeAttempts,
    store: (badgeAttempts) => settings.change({ badgeAttempts }),
  });
  const mayUse = (): boolean => {
    const { badges, keptDays } = settings.get().cashierChange;
    return badges && keptDays > 0;
  };

  return {
    readBadge: (text) => {
      const place = placeNow();
      if (place === null || !mayUse()) {
        return fail({ kind: 'notReady' });
      }
      const waitMs = waits.waitMs();
      if (waitMs > 0) {
        return fail({ kind: 'badgeWaits', retryAfterMs: Math.ceil(waitMs) });
      }
      const code = readBadge(text);
      const hash = code === null ? null : hashOf(code);
      const cashier = kept.of(place.vaultName).find((one) => hasPin(one) && one.badgeHash === hash && hash !== null);
      if (cashier === undefined) {
        waits.noteWrong();
        return fail({ kind: 'badgeUnknown', retryAfterMs: Math.ceil(waits.waitMs()) });
      }
      waits.clear();
      return succeed(cashier);
    },

    comeByBadge: (cashier) => {
      const { email } = cashier;
      const present = isLocked() ? null : (placeNow()?.session.user() ?? null);
      if (present?.toLowerCase() === email.toLowerCase()) {
        return succeed({ outcome: 'here', email });
      }
      if (present !== null && !hasPin(kept.find(cashier.vaultName, present))) {
        // Nothing would bring them back but their password, for which there may be no network.
        return succeed({ outcome: 'signOutFirst', email: present });
      }
      const came = canComeBack(cashier) ? comeBack(cashier) : fail({ kind: 'signInNeeded' as const });
      if (!came.ok && came.failure.kind !== 'signInNeeded') {
        return came;
      }
      return succeed({ outcome: came.ok ? 'came' : 'passwordFirst', email });
    },

    makeBadge: async (pin) => {
      const place = placeNow();
      const email = place?.session.user() ?? null;
      const before = place === null || email === null ? null : kept.find(place.vaultName, email);
      if (place === null || !hasPin(before) || !mayUse()) {
        return fail({ kind: 'notReady' });
      }
      const tried = await attemptsOf(before).attempt(pin);
      if (!tried.ok) {
        return tried;
      }
      const now = kept.find(before.vaultName, before.email);
      if (place.session.user() !== email || !hasPin(now)) {
        return fail({ kind: 'userChanged' });
      }
      const code = newBadge(random.uuid());
      const set = kept.keep({ ...now, badgeHash: hashOf(code) });
      if (!set.ok) {
        // One that would be gone after a restart must not be printed.
        kept.keep(now);
      }
      changed();
      return mapResult(set, () => code);
    },

    removeBadge: () => {
      const place = placeNow();
      const email = place?.session.user() ?? null;
      const now = place === null || email === null ? null : kept.find(place.vaultName, email);
      if (now === null || now.badgeHash === null) {
        return succeed(false);
      }
      const removed = kept.keep({ ...now, badgeHash: null });
      changed();
      return mapResult(removed, () => true);
    },
  };
}
