import type { Actor, Audit } from './audit-log.ts';
import { actionsOf, type AuditFacts } from './audit-entries.ts';
import type { AuditAction } from '../contract/audit.ts';
import {
  callOf,
  isBounded,
  isOfMachine,
  maxUnderWay,
  mayCall,
  ownLockOf,
  slicedChannels,
  whoOf,
  type LockFacts,
  type Person,
  type ShopFacts,
} from '../contract/access.ts';
import type { Channel, InvokeInput, InvokeOutput } from '../contract/contract.ts';
import type { Handlers } from '../contract/bridge.ts';
import type { Failure } from '../domain/failure.ts';
import { fail, nothingToDo, type Result } from '../domain/result.ts';
import type { Lock } from './lock.ts';
import type { Shell } from '../ports.ts';
import { onlyStorageError, type StorageError } from '../storage/database.ts';

export interface GuardParts {
  readonly lock: Lock;
  /** The list of practice, or the terminal's. */
  readonly listOf: (isPractice: boolean) => Audit;
  /** Who is at the terminal now. */
  readonly actor: () => Actor;
  readonly world: AuditFacts;
  readonly log: Shell['log'];
  readonly onStorageError?: (error: StorageError) => void;
  /** Who stands there, and at which shop. */
  readonly accessFacts: () => { readonly person: Person; readonly shop: ShopFacts };
  /** Whether screens are to show this shop, or this shop and person (contract/shown-for.ts). */
  readonly isShown: (shownFor: string) => boolean;
  readonly isStationOn: () => boolean;
  /** How the terminal's lock stands, whichever shop is open. */
  readonly terminalLock: () => LockFacts['terminal'];
}

type Handler<Name extends Channel> = (
  input: InvokeInput<Name>,
  shownFor?: string,
) => Promise<Result<InvokeOutput<Name>, Failure>>;
/** The table is typed by channel; the compiler cannot follow it by a type parameter. */
type Actions<Name extends Channel> =
  | ((input: InvokeInput<Name>, world: AuditFacts) => (output: InvokeOutput<Name>) => readonly AuditAction[])
  | undefined;

/**
 * The handlers behind the one gate (contract/access.ts), each call noted when it has succeeded. None throws StorageError: they fail with
 * `storageFull`, `storageFailed` and the like.
 */
export function guardHandlers(
  handlers: Handlers,
  { lock, listOf, actor, world, accessFacts, isShown, isStationOn, terminalLock, log, onStorageError }: GuardParts,
): Handlers {
  /** Whoever was there may have gone, also when the call has thrown. */
  async function handled<Name extends Channel>(
    handle: Handler<Name>,
    input: InvokeInput<Name>,
    calls: { underWay: number },
  ): ReturnType<Handler<Name>> {
    calls.underWay += 1;
    try {
      return await handle(input);
    } finally {
      calls.underWay -= 1;
      lock.notePlace();
    }
  }

  function answering<Name extends Channel>(channel: Name, handle: Handler<Name>): Handler<Name> {
    return async (input, shownFor) => {
      try {
        return await handle(input, shownFor);
      } catch (error) {
        // mutant: what the disk refuses is thrown (I0)
        const trouble = onlyStorageError(error);
        const { failure, message } = trouble;
        onStorageError?.(trouble);
        log('error', 'storage failed', { channel, kind: failure.kind, reason: message });
        return fail(failure);
      }
    };
  }

  function guarded<Name extends Channel>(channel: Name): Handler<Name> {
    const handle = handlers[channel] as Handler<Name>;
    const actions = actionsOf[channel] as Actions<Name>;
    const slicesOf = slicedChannels.has(channel) ? channel : null;
    const calls = { underWay: 0 };
    return async (input, shownFor) => {
      // mutant: what was asked for at one shop is done at the next
      if (shownFor !== undefined && !isShown(shownFor)) {
        return fail({ kind: 'notReady' });
      }
      const isOn = isStationOn();
      // At the station nothing is read for a call that is refused anyway.
      const call = isOn ? { channel, isMild: false } : callOf(channel, input, world.overwrites);
      const { person, shop } = accessFacts();
      const facts = { ...lock.facts(slicesOf), terminal: terminalLock() };
      // The kinds that a person has unlocked are for that person's hands.
      const isProgram = 'source' in input && input.source === 'program';
      const verdict = mayCall(call, person, shop, isProgram ? { ...facts, open: [] } : facts, isOn);
      if (verdict !== 'passes') {
        return fail({ kind: verdict });
      }
      if (isBounded(call) && calls.underWay >= maxUnderWay) {
        return fail({ kind: 'cancelled' });
      }
      const isWithPin = !isOn && lock.use(ownLockOf(call, shop), slicesOf);
      const before = actor();
      const actionsOnceDone = actions?.(input, world);
      const answer = await handled(handle, input, calls);
      // Anybody may switch, leave and sign out: where that does nothing, also of many calls at once, it would push what
      // others did out of the list.
      if (answer.ok && !Object.is(answer, nothingToDo) && actionsOnceDone !== undefined) {
        const after = actor();
        // A call that leads into practice or out of it, or acts on the machine, is the terminal's matter. One that does
        // neither was done where it began, though another call has led on meanwhile.
        const isOfShop = !isOfMachine(call);
        const audit = listOf(before.isPractice && (isOfShop || (after.isPractice && whoOf(call) !== 'manager')));
        for (const action of actionsOnceDone(answer.value)) {
          // Whoever signs in was nobody before, or comes after another whose sign-in has ended.
          const isArrival = !isOfShop && (before.email === null || action.kind === 'signIn');
          audit.note(isArrival ? after : before, action, isWithPin);
        }
      }
      return answer;
    };
  }
  return Object.fromEntries(
    (Object.keys(handlers) as Channel[]).map((channel) => [channel, answering(channel, guarded(channel))]),
  ) as unknown as Handlers;
}
