// The PIN and what it locks: attempts.ts counts the tries, unlocking.ts keeps it open for a while.
// Knows nothing of calls (contract/access.ts does), writes no list (audit-log.ts does), and never keeps, logs or
// repeats a PIN.
//
//                 setPin                       right PIN
//      open ─────────────────→ locked ─────────────────────────→ unlocked
//        ↑                      ↑  ↑ └─┐ wrong PIN: after the third,  │
//        │ removed, or          │  └───┘ wait before the next         │ time over, its one action done, locked by hand,
//        │ forgotten at start   │                                     │ another user or shop, another PIN, end of the app
//        └──────────────────────┴─────────────────────────────────────┘
//
//   L1  While there is no PIN everything passes. While there is one, a call of a locked kind passes only while
//       unlocked; so does the lock's own choice, whatever is chosen. Nothing else is held up.
//   L2  An unlocking is for the kind that was asked for, and for one action unless the manager chose minutes; what is
//       always held is opened for one action whatever they chose, and the list for two minutes. It ends at the earliest
//       of: its time by the machine's uptime, its time by the wall clock, its one action, "lock now", another place
//       (user, shop) however short, another PIN, another choice of what is locked, the end of the process. Neither
//       sleep nor a clock that is set makes it longer. An end that comes while the PIN is compared counts. Calls that
//       are slices of one action are one action, as long as each follows the one before at once.
//   L3  An attempt is counted, on disk where that is possible, before the PIN is compared; only a right PIN takes the
//       count back. Whoever ends the app in between has used an attempt.
//   L4  From the third attempt on the next waits: 5 s, doubling to 15 min, counted by uptime alone. What has passed
//       since is never overestimated: after the machine's restart, only the time since then counts.
//   L5  While it waits no PIN is compared; and it never waits longer than 15 min, so that nobody is locked out for
//       good.
//   L6  A stored text that cannot be read fits no PIN: it stays locked, and the way out is the one for a forgotten PIN.
import { isHeld, type LockFacts } from '../contract/access.ts';
import { lockKinds } from '../contract/limits/lock.ts';
import type { HeldKind, LockChoice, LockKind, LockState } from '../contract/lock.ts';
import type { Failure } from '../domain/failure.ts';
import { fail, mapResult, succeed, type Result } from '../domain/result.ts';
import { createAttempts, type AttemptParts } from './attempts.ts';
import { comparePin, hashPin } from './pin.ts';
import type { StoredLock } from './stored-lock.ts';
import { createUnlocking, type Span } from './unlocking.ts';

export interface LockParts extends AttemptParts {
  readonly stored: () => StoredLock;
  readonly save: (change: Partial<StoredLock>) => Result<void, Failure>;
  /** Changes nothing where it fails. */
  readonly saveForGood: (change: Partial<StoredLock>) => Result<void, Failure>;
  /** Names who is signed in at which shop; an unlocking ends when the answer changes. */
  readonly place: () => string;
}

export interface Lock {
  state(): Omit<LockState, 'newestEntry'>;
  /** How it stands for one call; `slicesOf` names the action of which the call may be a slice. */
  facts(slicesOf?: string | null): Omit<LockFacts, 'terminal'>;
  /** Takes what this call uses of an unlocking, and answers whether a PIN let it through. */
  use(kind: HeldKind | 'none', slicesOf?: string | null): boolean;
  /**
   * Opens this kind, or with null nothing. Fails with `pinWrong` or `pinWaits`, both with how long to wait; succeeds
   * when there is no PIN.
   */
  unlock(pin: string, opens: HeldKind | null): Promise<Result<void, Failure>>;
  /** Sets, changes or, with null, removes the PIN. Fails as `unlock` and the settings do; `locked` without the old. */
  setPin(pin: string | null, oldPin: string | undefined): Promise<Result<'set' | 'changed' | 'removed', Failure>>;
  /** Ends every unlocking, or only that of one kind; also one whose PIN is still being compared. */
  lockNow(kind?: HeldKind): void;
  choose(choice: LockChoice): Result<void, Failure>;
  /**
   * Takes over a text that was hashed elsewhere, or a PIN, which lock everything unless kinds are told. Answers whether
   * that changed anything: a file that is read at every start takes no attempt back (L3).
   */
  provision(given: {
    readonly pin?: string | undefined;
    readonly pinHash?: string | undefined;
    readonly kinds?: readonly LockKind[] | undefined;
    readonly opensForMinutes?: number | undefined;
  }): Promise<Result<boolean, Failure>>;
  /** The way out for a forgotten PIN. Answers false when there was none. */
  forgetPin(): boolean;
  /** To be called when user or shop may have changed (L2). */
  notePlace(): void;
  close(): void;
}

function keepsKinds(given: readonly LockKind[] | undefined, kinds: readonly LockKind[]): boolean {
  return (
    given === undefined || (given.every((kind) => kinds.includes(kind)) && kinds.every((kind) => given.includes(kind)))
  );
}

/** For how long a PIN opens this kind. */
function spanOf(kind: HeldKind, minutes: number): Span {
  const isChoosable = lockKinds.some((one) => one === kind);
  if (isChoosable && minutes > 0) {
    return { minutes };
  }
  return kind === 'audit' ? 'reading' : 'action';
}

/** Makes the lock over what the settings hold of it. */
export function createLock(parts: LockParts): Lock {
  const { clock, random, stored, save, saveForGood, place, onChange, cost } = parts;
  const attempts = createAttempts(parts);
  const unlocking = createUnlocking(clock, place, onChange);

  const hasPin = (): boolean => stored().pinHash !== null;
  const hash = (pin: string): Promise<string> => hashPin(pin, random.uuid(), cost);

  return {
    state: () => {
      const { kinds, opensForMinutes } = stored();
      const waitMs = hasPin() ? attempts.waitMs() : 0;
      const openForMs = unlocking.openForMs();
      return {
        hasPin: hasPin(),
        kinds: [...kinds],
        opensForMinutes,
        openKinds: unlocking.kinds(),
        openUntil: openForMs === null ? null : Math.round(clock.now() + openForMs),
        waitUntil: waitMs === 0 ? null : Math.ceil(clock.now() + waitMs),
      };
    },

    facts: (slicesOf = null) => ({ hasPin: hasPin(), kinds: stored().kinds, open: unlocking.openFor(slicesOf) }),

    use: (kind, slicesOf = null) => {
      const isUsed = kind !== 'none' && isHeld({ hasPin: hasPin(), kinds: stored().kinds }, kind); // L1
      return isUsed && unlocking.use(kind, slicesOf);
    },
    unlock: async (pin, opens) => {
      const where = place();
      const isAsked = unlocking.compareFor(opens);
      const tried = await attempts.attempt(pin);
      // Whoever has gone in the meantime has not unlocked it for the next one (L2).
      if (isAsked() && tried.ok && opens !== null && hasPin() && place() === where) {
        unlocking.begin(opens, spanOf(opens, stored().opensForMinutes));
        onChange();
      }
      return tried;
    },

    setPin: async (pin, oldPin) => {
      const [where, before] = [place(), stored().pinHash];
      if (before !== null) {
        if (oldPin === undefined) {
          return fail({ kind: 'locked' });
        }
        const tried = await attempts.attempt(oldPin);
        if (!tried.ok) {
          return tried;
        }
      }
      const pinHash = pin === null ? null : await hash(pin);
      // Somebody else was first: theirs stands. And another shop may have another lock.
      if ((before === null) !== (stored().pinHash === null) || place() !== where) {
        return fail({ kind: 'locked' });
      }
      const kept = saveForGood({ pinHash, wrong: 0, wrongAtMs: 0 });
      if (!kept.ok) {
        return kept;
      }
      unlocking.end();
      onChange();
      const outcome = before === null ? 'set' : 'changed';
      return succeed(pin === null ? 'removed' : outcome);
    },

    lockNow: (kind) => {
      unlocking.end(kind);
      onChange();
    },

    choose: ({ kinds, opensForMinutes }) => {
      const kept = saveForGood({ kinds: [...new Set(kinds)], opensForMinutes });
      if (kept.ok) {
        unlocking.end();
        onChange();
      }
      return kept;
    },

    provision: async ({ pin, pinHash, kinds: chosen, opensForMinutes }) => {
      const before = stored();
      const kinds = chosen ?? (pin === undefined && pinHash === undefined ? undefined : lockKinds);
      const isSamePin =
        pinHash === undefined
          ? pin === undefined || (before.pinHash !== null && (await comparePin(pin, before.pinHash, cost)) !== 'wrong')
          : pinHash === before.pinHash;
      const text = isSamePin ? undefined : (pinHash ?? (await hash(pin ?? '')));
      const isSameChoice =
        keepsKinds(kinds, before.kinds) && (opensForMinutes ?? before.opensForMinutes) === before.opensForMinutes;
      if (text === undefined && isSameChoice) {
        return succeed(false);
      }
      unlocking.end();
      const kept = save({
        ...(text === undefined ? {} : { pinHash: text, wrong: 0, wrongAtMs: 0 }),
        ...(kinds === undefined ? {} : { kinds: [...new Set(kinds)] }),
        ...(opensForMinutes === undefined ? {} : { opensForMinutes }),
      });
      onChange();
      return mapResult(kept, () => true);
    },

    forgetPin: () => {
      if (!hasPin()) {
        return false;
      }
      unlocking.end();
      save({ pinHash: null, wrong: 0, wrongAtMs: 0 });
      onChange();
      return true;
    },

    notePlace: unlocking.notePlace,
    close: () => unlocking.end(),
  };
}
