// Badges: printed codes that bring cashiers back as their PINs do (decision 50). Of a badge nothing is kept but a keyed
// hash.
import type { BadgeScanned } from '../../contract/cashiers.ts';
import { newBadge, readBadge } from '../../domain/codes/badge.ts';
import type { Failure } from '../../domain/failure.ts';
import { fail, mapResult, succeed, type Result } from '../../domain/result.ts';
import { isSameUser } from '../../domain/same-user.ts';
import type { createAttempts } from '../../lock/attempts.ts';
import { createWaits } from '../../lock/waits.ts';
import type { Ports } from '../../ports.ts';
import { hasPin, type KeptCashier, type KeptCashiers } from '../../settings/kept-cashiers.ts';
import type { OpenSettings } from '../../settings/settings.ts';
import { createBadgeKey, keyedHashOf, plainHashOf, type BadgeKey } from './badge-key.ts';
import type { Place } from './own-pins.ts';

export interface Badges {
  /**
   * Answers whose badge this is. Fails with `badgeUnknown`, `badgeWaits`, `notReady` where no badge is taken, with
   * `badgeVoid` where the keychain has lost the key, or as the keychain does where it does not give it.
   */
  readonly readBadge: (code: string) => Promise<Result<KeptCashier, Failure>>;
  /** Changes to who has shown their badge, where that is possible. Fails with `notReady`. */
  readonly comeByBadge: (cashier: KeptCashier) => Result<BadgeScanned, Failure>;
  /**
   * Makes a badge for whoever is signed in, in the place of the one before, and answers its code this once. Fails as a
   * PIN does, with `notReady` where there is none or the manager allows no badges, or as the keychain or the settings do.
   */
  readonly makeBadge: (pin: string) => Promise<Result<string, Failure>>;
  /** Answers whether there was one. */
  readonly removeBadge: () => Result<boolean, Failure>;
  /** Nothing is kept of what is under way. */
  readonly close: () => void;
}

export interface BadgeParts extends Pick<Ports, 'clock' | 'random' | 'vault'> {
  readonly settings: OpenSettings;
  readonly kept: KeptCashiers;
  readonly placeNow: () => Place | null;
  /** Whether nobody is at the screen, though somebody may be signed in. */
  readonly hasNobody: () => boolean;
  /** Fails with `signInNeeded` where only the password brings them back. */
  readonly comeBack: (cashier: KeptCashier) => Result<void, Failure>;
  readonly attemptsOf: (cashier: KeptCashier) => ReturnType<typeof createAttempts>;
  readonly changed: () => void;
}

interface ReaderParts extends Pick<BadgeParts, 'clock' | 'settings' | 'kept' | 'placeNow'> {
  readonly mayUse: () => boolean;
  readonly key: BadgeKey;
  readonly isClosed: () => boolean;
}

function createReader({ clock, settings, kept, placeNow, mayUse, key, isClosed }: ReaderParts): Badges['readBadge'] {
  // One that nobody has names nobody, so all wait together.
  const waits = createWaits({
    clock,
    stored: () => settings.get().badgeAttempts,
    save: (badgeAttempts) => settings.change({ badgeAttempts }),
  });

  /** Keeps a keyed hash in the place of one of before; without a keychain that stays until its next use. */
  async function replacePlain(cashier: KeptCashier, code: string): Promise<void> {
    const found = await key.findOrMake(cashier);
    const now = kept.find(cashier.vaultName, cashier.email);
    if (found.ok && !isClosed() && now !== null && now.badgeHash === cashier.badgeHash) {
      kept.keep({ ...now, badgeHash: keyedHashOf(code, found.value) });
    }
  }

  function ownerOf(code: string | null, { vaultName }: Place, found: string | null): KeptCashier | undefined {
    const hashes = code === null ? [] : [plainHashOf(code), ...(found === null ? [] : [keyedHashOf(code, found)])];
    return kept.of(vaultName).find((one) => hasPin(one) && one.badgeHash !== null && hashes.includes(one.badgeHash));
  }

  return async (text) => {
    const found = await key.find();
    const place = placeNow();
    if (place === null || !mayUse()) {
      return fail({ kind: 'notReady' });
    }
    const waitMs = waits.waitMs();
    if (waitMs > 0) {
      return fail({ kind: 'badgeWaits', retryAfterMs: Math.ceil(waitMs) });
    }
    const code = readBadge(text);
    const cashier = ownerOf(code, place, found.ok ? found.value : null);
    if (cashier === undefined) {
      if (!found.ok && code !== null) {
        // It may be somebody's: nobody waits for what cannot be told.
        return found;
      }
      waits.noteWrong();
      return fail({ kind: 'badgeUnknown', retryAfterMs: Math.ceil(waits.waitMs()) });
    }
    waits.clear();
    if (code !== null && cashier.badgeHash === plainHashOf(code)) {
      void replacePlain(cashier, code);
    }
    return succeed(cashier);
  };
}

/** Makes, reads and removes badges. */
export function createBadges({
  clock,
  random,
  vault,
  settings,
  kept,
  placeNow,
  hasNobody,
  comeBack,
  attemptsOf,
  changed,
}: BadgeParts): Badges {
  let isClosed = false;
  const mayUse = (): boolean => {
    const { badges, keptDays } = settings.get().cashierChange;
    return badges && keptDays > 0;
  };

  const key = createBadgeKey({ vault, random, kept });

  return {
    readBadge: createReader({ clock, settings, kept, placeNow, mayUse, key, isClosed: () => isClosed }),

    comeByBadge: (cashier) => {
      const { email } = cashier;
      const present = hasNobody() ? null : (placeNow()?.session.user() ?? null);
      if (isSameUser(present, email)) {
        return succeed({ outcome: 'here', email });
      }
      if (present !== null && !hasPin(kept.find(cashier.vaultName, present))) {
        // Nothing would bring them back but their password, for which there may be no network.
        return succeed({ outcome: 'signOutFirst', email: present });
      }
      const came = comeBack(cashier);
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
      const found = await key.findOrMake(before);
      if (!found.ok) {
        return found;
      }
      const now = kept.find(before.vaultName, before.email);
      if (place.session.user() !== email || !hasPin(now)) {
        return fail({ kind: 'userChanged' });
      }
      const code = newBadge(random.uuid());
      const set = kept.keepForGood({ ...now, badgeHash: keyedHashOf(code, found.value) });
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
      const removed = kept.keepForGood({ ...now, badgeHash: null });
      changed();
      return mapResult(removed, () => true);
    },

    close: () => {
      isClosed = true;
    },
  };
}
