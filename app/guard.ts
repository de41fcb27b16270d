// Owns the one place that every call passes on its way to its handler: what the manager has locked is turned back with nothing changed, and
// what was done is put on the list of who did what. Never answers a call by itself but with `locked`, and never knows what a channel does.
import type { Actor, Audit } from './audit/audit.ts';
import { deedsOf, type DeedWorld } from './audit/deeds.ts';
import type { AuditDeed } from './contract/audit.ts';
import { channelRules, lockRuleOf, slicedChannels } from './contract/lock-rules.ts';
import type { Channel, InvokeInput, InvokeOutput } from './contract/contract.ts';
import type { Handlers } from './contract/wall.ts';
import type { Failure } from './domain/failure.ts';
import { fail, type Result } from './domain/result.ts';
import type { Lock } from './lock/lock.ts';

export interface GuardParts {
  readonly lock: Lock;
  readonly audit: Audit;
  /** Who is at the terminal now. */
  readonly actor: () => Actor;
  readonly world: DeedWorld;
}

type Handler<Name extends Channel> = (input: InvokeInput<Name>) => Promise<Result<InvokeOutput<Name>, Failure>>;
/** The table is typed by channel; the compiler cannot follow it by a type parameter. */
type Deeds<Name extends Channel> = ((input: InvokeInput<Name>, world: DeedWorld) => (output: InvokeOutput<Name>) => readonly AuditDeed[]) | undefined;

/** The handlers behind the lock, each call noted when it has succeeded. Calls that are free and not told reach their handlers directly. */
export function guardHandlers(handlers: Handlers, { lock, audit, actor, world }: GuardParts): Handlers {
  /** Whoever was there may have gone, also when the call has thrown. */
  async function handled<Name extends Channel>(handle: Handler<Name>, input: InvokeInput<Name>): ReturnType<Handler<Name>> {
    try {
      return await handle(input);
    } finally {
      lock.notePlace();
    }
  }

  function guarded<Name extends Channel>(channel: Name): Handler<Name> {
    const handle = handlers[channel] as Handler<Name>;
    const deeds = deedsOf[channel] as Deeds<Name>;
    if (channelRules[channel] === 'free' && deeds === undefined) {
      return handle;
    }
    return async (input) => {
      const passage = lock.pass(lockRuleOf(channel, input, world.overwrites), slicedChannels.has(channel) ? channel : null);
      if (passage === 'locked') {
        return fail({ kind: 'locked' });
      }
      const before = actor();
      const tell = deeds?.(input, world);
      const answer = await handled(handle, input);
      if (answer.ok && tell !== undefined) {
        for (const deed of tell(answer.value)) {
          // Whoever signs in was nobody before.
          audit.note(before.email === null ? actor() : before, deed, passage === 'withPin');
        }
      }
      return answer;
    };
  }
  return Object.fromEntries((Object.keys(handlers) as Channel[]).map((channel) => [channel, guarded(channel)])) as unknown as Handlers;
}
