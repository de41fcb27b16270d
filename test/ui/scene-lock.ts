// The gate, the manager's lock and the list of who did what of scenes: the real ones, in memory. Where a scene has a PIN
// the lock begins as its state says.
import { doesAnswerNobody } from '../../app/contract/access.ts';
import type { AuditAction } from '../../app/contract/audit.ts';
import type { Handlers } from '../../app/contract/bridge.ts';
import { shopShownBy, shownForOf } from '../../app/contract/shown-for.ts';
import type { Id } from '../../app/domain/int64.ts';
import { succeed } from '../../app/domain/result.ts';
import { createNodeRandom } from '../../app/hosts/node/node-ports.ts';
import { createListInMemory, type Actor, type Audit } from '../../app/lock/audit-log.ts';
import { guardHandlers } from '../../app/lock/guard.ts';
import { createLockHandlers } from '../../app/lock/handlers.ts';
import { createLock, type LockParts } from '../../app/lock/lock.ts';
import { hashPin } from '../../app/lock/pin.ts';
import { noLock, type StoredLock } from '../../app/lock/stored-lock.ts';
import type { Clock } from '../../app/ports.ts';
import type { SceneTerminal } from './fake-answers.ts';
import type { Scene } from './fake-bridge.ts';

const quick = { logN: 4, blockSize: 8, parallelization: 1 };

const usualActions: readonly AuditAction[] = [
  { kind: 'coupon', productId: '1001' as Id, name: 'Café Torrado Exemplo 500 g', isEnabled: true },
  { kind: 'signIn' },
  { kind: 'pinWrong' },
  { kind: 'unlocked' },
  { kind: 'setting', field: 'queueLimits.historyDays', from: '30', to: '60' },
];

/** With so many entries, a minute apart; the newest is of now. */
function openList(clock: Clock, { auditEntries = 0 }: Scene, actor: Actor): Audit {
  let ageMs = 0;
  const list = createListInMemory({ ...clock, now: () => clock.now() - ageMs });
  for (let place = auditEntries - 1; place >= 0; place -= 1) {
    ageMs = place * 60_000;
    const action = usualActions[place % usualActions.length] ?? { kind: 'other' };
    list.note(actor, action, action.kind === 'coupon');
  }
  return list;
}

/** What stands before the handlers of a scene. */
export function createSceneLock(scene: Scene, clock: Clock, { state, change }: SceneTerminal) {
  const random = createNodeRandom();
  const { kinds, opensForMinutes } = scene.state.lock;
  let stored: StoredLock = { ...noLock, kinds, opensForMinutes };
  const actor = (): Actor => {
    const { session, profile, mode } = state();
    return { email: session.email, companyId: profile?.companyId ?? null, isPractice: mode === 'practice' };
  };
  const list = openList(clock, scene, actor());
  const changed = (): void => {
    change({ lock: { ...lock.state(), newestEntry: list.newest() } });
  };
  const save: LockParts['save'] = (part) => {
    stored = { ...stored, ...part };
    return succeed(undefined);
  };
  const lock = createLock({
    clock,
    random,
    stored: () => stored,
    save,
    saveForGood: save,
    place: () => JSON.stringify(actor()),
    onChange: changed,
    cost: quick,
  });
  return {
    handlers: createLockHandlers({ lock, list: () => list, actor, changed }),
    close: () => lock.close(),
    /** Answers when the PIN holds. */
    guard: async (handlers: Handlers, log: (...line: [string, string, unknown?]) => void): Promise<Handlers> => {
      if (scene.pin !== undefined) {
        stored = { ...stored, pinHash: await hashPin(scene.pin, random.uuid(), quick) };
      }
      return guardHandlers(handlers, {
        lock,
        listOf: () => list,
        actor,
        world: {
          settings: () => ({ ...state() }),
          productName: () => null,
          isCouponSet: () => false,
          update: () => null,
          // A retry is taken for one that overwrites nothing.
          overwrites: () => false,
          profileName: String,
          tillName: () => null,
        },
        accessFacts: () => {
          const { phase, mode, profiles, lookupNeedsSignIn, catalogue } = state();
          const isHere = phase === 'ready';
          const open = mode === 'platform' ? 'profile' : (mode ?? 'none');
          const answersNobody = doesAnswerNobody(lookupNeedsSignIn, catalogue.copied);
          return { person: isHere ? 'signedIn' : 'nobody', shop: { open, profiles: profiles.length, answersNobody } };
        },
        isShown: (shownFor) => shownFor === shopShownBy(state()) || shownFor === shownForOf(state()),
        isStationOn: () => state().station.isOn,
        terminalLock: () => ({ hasPin: false, kinds: [] }),
        log,
      });
    },
  };
}
