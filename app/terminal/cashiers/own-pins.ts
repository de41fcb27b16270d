// PINs that users set for themselves, and that a manager takes away.
import { maxCashiers } from '../../contract/cashiers.ts';
import type { Failure } from '../../domain/failure.ts';
import { fail, mapResult, succeed, type Result } from '../../domain/result.ts';
import { isSameUser } from '../../domain/same-user.ts';
import type { createAttempts } from '../../lock/attempts.ts';
import { hashPin } from '../../lock/pin.ts';
import type { Ports } from '../../ports.ts';
import type { CashierTime } from './cashier-time.ts';
import type { Session } from '../../session/session.ts';
import { hasPin, type KeptCashier, type KeptCashiers } from '../../settings/kept-cashiers.ts';

export interface Place {
  readonly vaultName: string;
  readonly session: Session;
}

export interface OwnPins {
  /**
   * Sets, changes or, with null, removes the PIN of whoever is signed in. Fails with `notReady`, as the keychain or the
   * settings do, or as `tryPin` does.
   */
  readonly setPin: (
    pin: string | null,
    oldPin: string | undefined,
  ) => Promise<Result<'set' | 'changed' | 'removed' | null, Failure>>;
  /** Takes PIN and kept sign-in of this user away. Fails with `notFoundHere`, or as the settings do. */
  readonly forget: (email: string) => Promise<Result<void, Failure>>;
}

export interface OwnPinParts extends Pick<Ports, 'random'> {
  readonly time: Pick<CashierTime, 'nowMs' | 'note'>;
  readonly kept: KeptCashiers;
  /** Whether the manager allows PINs. */
  readonly mayHave: () => boolean;
  readonly placeNow: () => Place | null;
  readonly attemptsOf: (cashier: KeptCashier) => ReturnType<typeof createAttempts>;
  readonly release: (cashier: KeptCashier) => Promise<void>;
  /** This user is at the screen. */
  readonly comes: (vaultName: string, email: string) => void;
  readonly changed: () => void;
}

const lengthOf = (pin: string | null): number | null => pin?.length ?? null;

/** Sets, changes, removes and takes away the PINs of cashiers. */
export function createOwnPins({
  time,
  random,
  kept,
  mayHave,
  placeNow,
  attemptsOf,
  release,
  comes,
  changed,
}: OwnPinParts): OwnPins {
  async function setPin(pin: string | null, oldPin: string | undefined): ReturnType<OwnPins['setPin']> {
    const place = placeNow();
    const email = place?.session.user() ?? null;
    if (place === null || email === null || (pin !== null && !mayHave())) {
      return fail({ kind: 'notReady' });
    }
    const { vaultName, session } = place;
    const before = kept.find(vaultName, email);
    if (hasPin(before)) {
      const tried = await attemptsOf(before).attempt(oldPin ?? '');
      if (!tried.ok) {
        return tried;
      }
    }
    const hashNow = (): string | null => kept.find(vaultName, email)?.pinHash ?? null;
    const hashBefore = hashNow();
    if (pin !== null && !hasPin(before)) {
      await makeRoom(vaultName);
    }
    const pinHash = pin === null ? null : await hashPin(pin, random.uuid());
    const now = kept.find(vaultName, email);
    // Another page was first, or the manager has taken the PIN away.
    // mutant: whoever sets the last of too many PINs is at the screen of who has come meanwhile
    if (session.user() !== email || hashNow() !== hashBefore) {
      return fail({ kind: session.user() === email ? 'cancelled' : 'userChanged' });
    }
    if (hasPin(now)) {
      const badgeHash = pinHash === null ? null : now.badgeHash;
      const pinNow = { pinHash, pinLength: lengthOf(pin), badgeHash, wrong: 0, wrongAtMs: 0 };
      const set = kept.keepForGood({ ...now, ...pinNow });
      changed();
      return mapResult(set, () => (pin === null ? 'removed' : 'changed'));
    }
    return pinHash === null
      ? succeed(null)
      : keepFirst({ vaultName, session }, email, now, { pinHash, pinLength: lengthOf(pin) });
  }

  async function forget(email: string): Promise<Result<void, Failure>> {
    const place = placeNow();
    const cashier = kept.find(place?.vaultName ?? '', email);
    if (cashier === null) {
      return fail({ kind: 'notFoundHere' });
    }
    const without = { ...cashier, pinHash: null, pinLength: null, badgeHash: null, wrong: 0, wrongAtMs: 0 };
    const forgotten = kept.keepForGood(without);
    if (!forgotten.ok) {
      return forgotten;
    }
    if (!isSameUser(place?.session.state().email, email)) {
      await release(cashier);
    }
    changed();
    return succeed(undefined);
  }

  /** Of too many PINs the oldest gives way. */
  async function makeRoom(vaultName: string): Promise<void> {
    const others = kept.of(vaultName).filter(hasPin);
    if (others.length >= maxCashiers) {
      const since = ({ signedInAt: at }: KeptCashier): number => at ?? 0;
      const [oldest] = others.toSorted((one, other) => since(one) - since(other));
      await forget(oldest?.email ?? '');
    }
  }

  /** From the first PIN on, their token lies apart from the others'. */
  async function keepFirst(
    { vaultName, session }: Place,
    email: string,
    before: KeptCashier | null,
    pin: Pick<KeptCashier, 'pinHash' | 'pinLength'>,
  ): ReturnType<OwnPins['setPin']> {
    const signedInAt = before === null ? time.nowMs() : before.signedInAt;
    const cashier = { vaultName, email, ...pin, badgeHash: null, wrong: 0, wrongAtMs: 0, signedInAt };
    const set = kept.keep(cashier);
    time.note();
    comes(vaultName, email);
    const apart = set.ok ? await session.keepApart() : set;
    if (!apart.ok) {
      kept.keep({ ...cashier, pinHash: null, pinLength: null });
    }
    changed();
    return mapResult(apart, () => 'set' as const);
  }

  return { setPin, forget };
}
