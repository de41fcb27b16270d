// Who is at the screen, by password or by a PIN of their own (decision 49).
//
//   C1  Who has a PIN and is signed in is at the screen only after a password or their PIN: a start, practice, the shop
//       of another sign-in, "lock", a rest at whatever shop, and the end of the sign-in lock the till. Who has none is
//       never locked out.
//   C2  The lock lies over a sign-in that goes on: its queue and the copy go on. For the page nobody is signed in.
//   C3  A PIN suffices for the days that the manager chose, counted from the last sign-in with the password by a time
//       that no set clock moves, and never after the platform has refused the token.
//   C4  Attempts at a PIN are counted and wait as the manager's do (lock.ts, L3 to L5), each user's for themselves.
//   C5  A badge does what the PIN does, for as long and with the same waits; of one that nobody has, all wait together.
//   C6  What somebody with a PIN has asked for goes out for as long as they are at the screen or their PIN suffices,
//       whoever is at the screen, or nobody: behind the lock, too.
import { maxCashiers } from '../../contract/cashiers.ts';
import type { CashiersState } from '../../contract/cashiers.ts';
import type { Failure } from '../../domain/failure.ts';
import { fail, mapResult, succeed, type Result } from '../../domain/result.ts';
import { isSameUser } from '../../domain/same-user.ts';
import { createAttempts } from '../../lock/attempts.ts';
import type { Ports } from '../../ports.ts';
import { hasPin, type KeptCashier, type KeptCashiers } from '../../settings/kept-cashiers.ts';
import type { Profiles } from '../../settings/profiles.ts';
import type { OpenSettings } from '../../settings/settings.ts';
import type { OpenShop } from '../workspace/open-shop.ts';
import { createBadges, type Badges } from './badges.ts';
import { createCashierTime } from './cashier-time.ts';
import { createOwnPins, type OwnPins, type Place } from './own-pins.ts';

export interface CashierParts {
  readonly ports: Pick<Ports, 'clock' | 'random' | 'vault'>;
  readonly settings: OpenSettings;
  readonly profiles: Pick<Profiles, 'current'>;
  readonly kept: KeptCashiers;
  readonly shop: Pick<OpenShop, 'workspace' | 'practice' | 'stay'>;
  /** Whether somebody is being signed in, and is not at the screen before that is over. */
  readonly isTrying: () => boolean;
  /** Somebody is at the screen from now on. */
  readonly onCome: () => void;
  readonly changed: () => void;
}

export interface Cashiers extends OwnPins, Badges {
  state(): CashiersState;
  readonly isLocked: () => boolean;
  /** Whether somebody is at the screen who has a PIN to come back with. */
  canLock(): boolean;
  /** Nobody is at the screen any more, also where nobody can be seen to be. */
  lock(): void;
  /** Answers who has this PIN. Fails with `pinWrong`, `pinWaits`, or `signInNeeded` (C3). */
  tryPin(email: string, pin: string): Promise<Result<KeptCashier, Failure>>;
  /** Goes on with the kept sign-in of who has shown a PIN. Fails with `signInNeeded`. */
  comeBack(cashier: KeptCashier): Result<void, Failure>;
  /** Whose sign-in under this name is kept, and may be used while others are at the screen (C6). */
  readonly keptUsers: (vaultName: string) => readonly string[];
  /** Whether this user is behind the lock and their PIN does not suffice any more (C6). */
  readonly needsPassword: (email: string) => boolean;
  /**
   * This user has asked to sign out, and somebody else has come meanwhile: their badge and PIN need the password. False
   * where they do already.
   */
  readonly signOutAside: (email: string) => Promise<boolean>;
  /** Whoever is signed in has just given their password. */
  noteSignIn(): void;
  /** Notes the clocks for the next run. */
  readonly close: () => void;
}

const emailsOf = (cashiers: readonly KeptCashier[]): string[] => cashiers.map(({ email }) => email);

/** Who is at the screen, of those that have a PIN (C1). Begins with nobody. */
function createPresence({ profiles, kept, shop, onCome }: Pick<CashierParts, 'profiles' | 'kept' | 'shop' | 'onCome'>) {
  let present: (Pick<KeptCashier, 'email' | 'signedInAt'> & { readonly stay: number }) | null = null;

  /** Null while no real shop is open. */
  function placeNow(): Place | null {
    const [workspace, profile] = [shop.workspace(), profiles.current()];
    return workspace === null || profile === null || shop.practice() !== null
      ? null
      : { vaultName: profile.vaultName, session: workspace.session };
  }

  /** Whoever is signed in and has a PIN, or had one. */
  function signedInNow(): (KeptCashier & Place) | null {
    const place = placeNow();
    const email = place?.session.state().email ?? null;
    const cashier = place === null || email === null ? null : kept.find(place.vaultName, email);
    return place === null || cashier === null ? null : { ...cashier, ...place };
  }

  return {
    placeNow,
    signedInNow,
    /** Answers what holds and changes nothing, for what is asked at no shop must not differ from what is not (C1). */
    isLocked: (): boolean => {
      const now = signedInNow();
      if (now === null || !hasPin(now)) {
        return false;
      }
      // A sign-in that has ended is another one when it comes back from the keychain.
      // mutant: a rest at another shop leaves whoever was at the screen there (C1)
      // mutant: whom the platform has refused is at the screen still (C1)
      const isPresent =
        present !== null &&
        present.stay === shop.stay() &&
        isSameUser(present.email, now.email) &&
        present.signedInAt === now.signedInAt;
      return !isPresent || now.session.user() === null;
    },
    /** To be called when what is kept of this user stands. */
    comes: (vaultName: string, email: string): void => {
      present = { stay: shop.stay(), email, signedInAt: kept.find(vaultName, email)?.signedInAt ?? null };
      onCome();
    },
    leaves: (): void => {
      present = null;
    },
  };
}

const shownCashierOf = (
  { email, pinLength, badgeHash }: KeptCashier,
  canComeBack: boolean,
  waitUntil: number | null,
): CashiersState['users'][number] => ({ email, canComeBack, waitUntil, pinLength, hasBadge: badgeHash !== null });

/** Of a cashier who has given their password: the days begin anew where the keychain has the token. */
function signedInAgain({ session, ...cashier }: KeptCashier & Place, nowMs: number): KeptCashier {
  const { email, keptIn } = session.state();
  const signedInAt = keptIn === 'keychain' ? nowMs : null;
  return { ...cashier, email: email ?? cashier.email, wrong: 0, wrongAtMs: 0, signedInAt };
}

/** The attempts at each user's PIN (C4). */
function attemptsOver({ ports: { clock, random }, kept, changed }: CashierParts) {
  return ({ vaultName, email }: Pick<KeptCashier, 'vaultName' | 'email'>): ReturnType<typeof createAttempts> => {
    const stored = (): KeptCashier | null => kept.find(vaultName, email);
    return createAttempts({
      clock,
      random,
      stored: () => stored() ?? { pinHash: '', wrong: 0, wrongAtMs: 0 },
      save: (change) => {
        const cashier = stored();
        return cashier === null ? succeed(undefined) : kept.keep({ ...cashier, ...change });
      },
      onChange: changed,
    });
  };
}

interface PinTrialParts extends Pick<CashierParts, 'kept'> {
  readonly placeNow: () => Place | null;
  readonly canComeBack: (cashier: KeptCashier) => boolean;
  readonly attemptsOf: ReturnType<typeof attemptsOver>;
}

/** Compares a PIN (C4); how long a right one is, is kept for the next time. */
function createPinTrial({ kept, placeNow, canComeBack, attemptsOf }: PinTrialParts): Cashiers['tryPin'] {
  return async (email, pin) => {
    const cashier = kept.find(placeNow()?.vaultName ?? '', email);
    if (!hasPin(cashier) || !canComeBack(cashier)) {
      return fail({ kind: 'signInNeeded' });
    }
    const tried = await attemptsOf(cashier).attempt(pin);
    const now = kept.find(cashier.vaultName, email);
    if (tried.ok && hasPin(now) && now.pinLength !== pin.length) {
      kept.keep({ ...now, pinLength: pin.length });
    }
    return mapResult(tried, () => cashier);
  };
}

/** Begins locked for whoever has a PIN. */
export function createCashiers(parts: CashierParts): Cashiers {
  const { settings, kept, changed } = parts;
  const { clock, random, vault } = parts.ports;
  const attemptsOf = attemptsOver(parts);
  const { placeNow, signedInNow, isLocked, comes, leaves } = createPresence(parts);

  // mutant: the days of practice's settings end the PINs of the terminal
  const { isWithinDays: canComeBack, ...time } = createCashierTime({
    clock,
    settings: settings.terminal,
    aheadMs: () => parts.shop.workspace()?.platformClock()?.aheadMs ?? 0,
  }); // C3

  const waitUntilOf = (cashier: KeptCashier): number | null => {
    const waitMs = attemptsOf(cashier).waitMs();
    return waitMs === 0 ? null : Math.ceil(clock.now() + waitMs);
  };

  /** Whoever has no way back has no use for a token. */
  async function release(cashier: KeptCashier): Promise<void> {
    const place = placeNow();
    if (place?.vaultName === cashier.vaultName) {
      await place.session.release(cashier.email);
    }
  }

  function releaseOver(): void {
    const now = signedInNow();
    const over = kept
      .of(placeNow()?.vaultName ?? '')
      .filter((one) => !canComeBack(one) || !hasPin(one))
      .filter((one) => one.signedInAt !== null && (now === null || !isSameUser(one.email, now.email)));
    for (const cashier of over) {
      void release(cashier);
    }
  }

  function needsPassword(email: string): boolean {
    const cashier = kept.find(placeNow()?.vaultName ?? '', email);
    // mutant: behind the lock it goes out for longer than their PIN suffices (C6)
    return cashier !== null && isLocked() && !canComeBack(cashier);
  }

  function comeBack(cashier: KeptCashier): Result<void, Failure> {
    const place = placeNow();
    // The sign-in may have ended, or another shop been opened, while the PIN was compared.
    const now = kept.find(cashier.vaultName, cashier.email);
    if (place?.vaultName !== cashier.vaultName || now === null || !canComeBack(now)) {
      return fail({ kind: 'signInNeeded' });
    }
    const came = place.session.change(cashier.email);
    if (came.ok) {
      comes(place.vaultName, cashier.email);
      releaseOver();
    }
    changed();
    return came;
  }

  const shared = { clock, random, kept, placeNow, attemptsOf, changed, time };
  const badges = createBadges({
    ...shared,
    vault,
    settings,
    hasNobody: () => isLocked() || parts.isTrying(),
    comeBack,
  });
  const mayHave = (): boolean => settings.get().cashierChange.keptDays > 0;
  const { setPin, forget } = createOwnPins({ ...shared, mayHave, release, comes });

  // mutant: a rest ends nothing where nobody can be locked (C1)
  return {
    state: () => {
      const users = kept.of(placeNow()?.vaultName ?? '').filter(hasPin);
      const now = signedInNow();
      // Behind a lock by a refused token, or once the days are over, nothing goes out.
      const goesOn = isLocked() && now !== null && now.session.user() !== null && canComeBack(now);
      return {
        lockedEmail: goesOn ? now.email : null,
        users: users.slice(0, maxCashiers).map((one) => shownCashierOf(one, canComeBack(one), waitUntilOf(one))),
      };
    },
    isLocked,
    canLock: () => !isLocked() && hasPin(signedInNow()),
    lock: () => {
      leaves();
      releaseOver();
      changed();
    },
    tryPin: createPinTrial({ kept, placeNow, canComeBack, attemptsOf }),
    comeBack,
    // mutant: what a cashier has asked for goes out for longer than their PIN suffices (C6)
    // mutant: what a cashier has asked for waits until they are back (I8)
    keptUsers: (vaultName) => emailsOf(kept.of(vaultName).filter((one) => hasPin(one) && canComeBack(one))),
    needsPassword,
    signOutAside: async (email) => {
      const cashier = kept.find(placeNow()?.vaultName ?? '', email);
      await (cashier === null ? undefined : release(cashier));
      return cashier !== null && cashier.signedInAt !== null;
    },
    // mutant: days that are over leave a token where the next one has no PIN (C3)
    noteSignIn: () => {
      const now = signedInNow();
      if (now === null) {
        leaves();
      } else {
        kept.keep(signedInAgain(now, time.nowMs()));
        time.note();
        comes(now.vaultName, now.email);
      }
      releaseOver();
      changed();
    },
    setPin,
    forget,
    ...badges,
    close: () => [badges, time].forEach((part) => part.close()),
  };
}
