import type { Actor, Audit } from './audit-log.ts';
import type { AuditAction } from '../contract/audit.ts';
import type { Handlers, HandlersOf } from '../contract/bridge.ts';
import { maxExported } from '../contract/basics.ts';
import type { HeldKind } from '../contract/lock.ts';
import { fail, succeed } from '../domain/result.ts';
import type { Lock } from './lock.ts';

export interface LockHandlerParts {
  readonly lock: Lock;
  /** The list of the shop that is open. */
  readonly list: () => Audit;
  readonly actor: () => Actor;
  readonly changed: () => void;
}

const nothing = succeed({});

/** Tries the PIN, notes that, and opens this kind, or with null nothing. */
export function createPinTrial({ lock, list, actor, changed }: LockHandlerParts) {
  return async (pin: string, opens: HeldKind | null): ReturnType<Handlers['lock:unlock']> => {
    const { hasPin } = lock.state();
    // Whoever tries may have gone, or be in practice, when it is compared.
    const [audit, who] = [list(), actor()];
    const tried = await lock.unlock(pin, opens);
    if (hasPin && (tried.ok || tried.failure.kind === 'pinWrong')) {
      audit.note(who, { kind: tried.ok ? 'unlocked' : 'pinWrong' }, tried.ok);
      changed();
    }
    return tried.ok ? nothing : tried;
  };
}

export function createLockHandlers(parts: LockHandlerParts): HandlersOf<'lock' | 'audit'> {
  const { lock, list, actor, changed } = parts;
  const tryPin = createPinTrial(parts);
  const note = (action: AuditAction, isWithPin = false, audit = list(), who = actor()): void => {
    audit.note(who, action, isWithPin);
    changed();
  };
  return {
    'lock:unlock': ({ pin, opens }) => tryPin(pin, opens),
    'lock:lockNow': ({ opened }) => {
      const isOpen = lock.state().openUntil !== null;
      lock.lockNow(opened);
      if (isOpen && opened === undefined) {
        note({ kind: 'lockedNow' });
      }
      return Promise.resolve(nothing);
    },
    'lock:setPin': async ({ pin, oldPin }) => {
      const [audit, who] = [list(), actor()];
      // Whoever has not signed in yet is nobody who could be told later.
      if (who.email === null) {
        return fail({ kind: 'signInNeeded' });
      }
      const hadPin = lock.state().hasPin;
      if (!hadPin && pin === null) {
        return nothing;
      }
      const set = await lock.setPin(pin, oldPin);
      if (set.ok) {
        const kind = ({ set: 'pinSet', changed: 'pinChanged', removed: 'pinRemoved' } as const)[set.value];
        note({ kind }, hadPin, audit, who);
        return nothing;
      }
      if (set.failure.kind === 'pinWrong') {
        note({ kind: 'pinWrong' }, false, audit, who);
      }
      return set;
    },
    'lock:choose': ({ kinds, opensForMinutes }) => {
      const { hasPin } = lock.state();
      const kept = lock.choose({ kinds, opensForMinutes });
      if (kept.ok) {
        note({ kind: 'lockChosen', kinds: [...new Set(kinds)], opensForMinutes }, hasPin);
      }
      return Promise.resolve(kept.ok ? nothing : kept);
    },
    'audit:list': ({ group, offset, limit, ...within }) => {
      const { total, rows } = list().list(group, offset, limit, within);
      const { people, oldestAt } = list().around();
      return Promise.resolve(succeed({ total, rows: [...rows], people: [...people], oldestAt }));
    },
    'audit:export': ({ group, after, ...within }) => {
      const entries = list().page(after, maxExported + 1, group, within);
      const rows = entries.slice(0, maxExported);
      return Promise.resolve(succeed({ rows, next: entries.length > maxExported ? (rows.at(-1)?.id ?? null) : null }));
    },
  };
}
