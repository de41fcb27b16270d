import type { AuditAction } from '../../contract/audit.ts';
import type { HandlersOf } from '../../contract/bridge.ts';
import type { Failure } from '../../domain/failure.ts';
import { mapResult, succeed, type Result } from '../../domain/result.ts';
import type { Clock, Timer } from '../../ports.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Cashiers } from './cashiers.ts';
import type { ShopChanges } from '../workspace/shop-changes.ts';

export interface CashierHandlerParts {
  readonly clock: Clock;
  readonly shops: { readonly cashiers: Cashiers; readonly inTurn: ShopChanges['inTurn'] };
  /** Who is at the screen, and the list of who did what. */
  readonly managerLock: {
    readonly note: (action: AuditAction) => void;
    /** While it is tried whoever tries may go, or open practice, which has a list of its own. */
    readonly noteLater: () => (action: AuditAction) => void;
    readonly signedIn: () => string | null;
  };
  readonly settings: { readonly get: () => Pick<Settings, 'cashierChange'> };
}

const nothing = succeed({});

/** Locks by hand and after a rest, and changes the cashier. */
export function createCashierHandlers({
  clock,
  shops: { cashiers, inTurn },
  managerLock: { note, noteLater, signedIn },
  settings,
}: CashierHandlerParts): HandlersOf<'cashier'> {
  let rest: { readonly timer: Timer; readonly overAt: number } | null = null;

  function lock(isByRest: boolean): void {
    if (cashiers.canLock()) {
      note({ kind: 'tillLocked', isByRest });
    }
    // Whoever has gone to practice or to another shop is not there any more either when that is left.
    cashiers.lock();
  }

  /** Compares a PIN of this user's, and notes a wrong one; what comes of it is noted as by whoever tries it. */
  async function comparing<Value>(
    name: string,
    trial: () => Promise<Result<Value, Failure>>,
  ): Promise<{ readonly tried: Result<Value, Failure>; readonly noteIt: (action: AuditAction) => void }> {
    const noteIt = noteLater();
    const tried = await trial();
    if (!tried.ok && tried.failure.kind === 'pinWrong') {
      noteIt({ kind: 'ownPinWrong', name });
    }
    return { tried, noteIt };
  }

  function begin(): void {
    // While the machine sleeps no timer runs.
    if (rest !== null && clock.now() >= rest.overAt) {
      lock(true);
    }
    rest?.timer.cancel();
    const spanMs = settings.get().cashierChange.lockAfterMinutes * 60_000;
    rest = spanMs === 0 ? null : { timer: clock.after(spanMs, () => lock(true)), overAt: clock.now() + spanMs };
  }

  return {
    'cashier:lock': () => {
      lock(false);
      return Promise.resolve(nothing);
    },
    'cashier:noteActivity': () => {
      begin();
      return Promise.resolve(nothing);
    },
    'cashier:comeBack': async ({ email, pin }) => {
      const { tried } = await comparing(email, () => cashiers.tryPin(email, pin));
      if (!tried.ok) {
        return tried;
      }
      return inTurn(() => {
        const came = cashiers.comeBack(tried.value);
        if (came.ok) {
          note({ kind: 'cameBack' });
        }
        return Promise.resolve(came.ok ? nothing : came);
      });
    },
    'cashier:scanBadge': async ({ code }) => {
      const noteIt = noteLater();
      const read = await cashiers.readBadge(code);
      if (!read.ok && read.failure.kind === 'badgeUnknown') {
        noteIt({ kind: 'badgeUnknown' });
      }
      return !read.ok
        ? read
        : inTurn(() => {
            const scanned = cashiers.comeByBadge(read.value);
            if (scanned.ok && scanned.value.outcome === 'came') {
              note({ kind: 'cameByBadge' });
            }
            return Promise.resolve(scanned);
          });
    },
    'cashier:makeBadge': async ({ pin }) => {
      const { tried: made, noteIt } = await comparing(signedIn() ?? '', () => cashiers.makeBadge(pin));
      if (made.ok) {
        noteIt({ kind: 'badgeMade' });
      }
      return mapResult(made, (code) => ({ code }));
    },
    'cashier:removeBadge': () => {
      const removed = cashiers.removeBadge();
      if (removed.ok && removed.value) {
        note({ kind: 'badgeRemoved' });
      }
      return Promise.resolve(mapResult(removed, () => ({})));
    },
    'cashier:setPin': async ({ pin, oldPin }) => {
      const { tried: set, noteIt } = await comparing(signedIn() ?? '', () => cashiers.setPin(pin, oldPin));
      if (set.ok && set.value !== null) {
        noteIt({
          kind: ({ set: 'ownPinSet', changed: 'ownPinChanged', removed: 'ownPinRemoved' } as const)[set.value],
        });
      }
      return set.ok ? nothing : set;
    },
    'cashier:forget': async ({ email }) => {
      const forgotten = await cashiers.forget(email);
      return forgotten.ok ? nothing : forgotten;
    },
  };
}
