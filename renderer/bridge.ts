// Owns the renderer's side of the wall: typed calls whose answers are parsed, events that are parsed, and the moment when the
// main process no longer answers. Never decides what an answer means, and never lets an unparsed payload further in.
import './no-eval.ts';
import { z } from 'zod';
import { failureSchema } from '../app/contract/basics.ts';
import { events, invokes, type Channel, type EventName, type EventPayload, type InvokeInput, type InvokeOutput } from '../app/contract/contract.ts';
import type { Bridge } from '../app/contract/wall.ts';
import type { Failure } from '../app/domain/failure.ts';
import { fail, succeed, type Result } from '../app/domain/result.ts';

const resultSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), failure: failureSchema }),
]);

/** Receives the payload of each event that it names. */
export type WallListener = { readonly [Name in EventName]?: (payload: EventPayload<Name>) => void };

/** The main process as the stores see it. */
export interface Wall {
  /**
   * Calls the main process. Fails with what the call itself fails with; with `answerMalformed` when the answer does not fit the
   * contract; and when no answer will come, after telling `onGone`, with `effectUnknown` if the call was to keep something, else with
   * `cancelled`.
   */
  call<Name extends Channel>(channel: Name, input: InvokeInput<Name>): Promise<Result<InvokeOutput<Name>, Failure>>;
  /** Calls back with every event that fits the contract, until the answered function is called. */
  subscribe(listener: WallListener): () => void;
}

function isEventName(name: string): name is EventName {
  return Object.hasOwn(events, name);
}

/** What these were asked to do may have been done although their answer never came. */
const writing: ReadonlySet<Channel> = new Set<Channel>([
  'settings:update', 'profile:connect', 'profile:rename', 'profile:remove', 'coupon:switch', 'coupon:switchMany', 'coupon:undoMany',
  'queue:retry', 'queue:retryMany', 'queue:discard', 'queue:discardMany', 'queue:bringBack', 'user:restore',
  'lock:setPin', 'lock:choose',
]);

/**
 * Wraps the host's bridge; `onGone` is called each time that an invoke rejects, which means that the main process has gone; with true when
 * one that was started anew answers, which this page has no key to.
 */
export function openWall(bridge: Bridge, onGone: (isShutOut: boolean) => void): Wall {
  return {
    async call<Name extends Channel>(channel: Name, input: InvokeInput<Name>): Promise<Result<InvokeOutput<Name>, Failure>> {
      let answer: unknown;
      try {
        answer = await bridge.invoke(channel, input);
      } catch (error) {
        onGone(error instanceof Error && error.name === 'NotAdmitted');
        return fail({ kind: writing.has(channel) ? 'effectUnknown' : 'cancelled' });
      }
      const result = resultSchema.safeParse(answer);
      if (!result.success) {
        return fail({ kind: 'answerMalformed', message: channel });
      }
      if (!result.data.ok) {
        return fail(result.data.failure);
      }
      const output = invokes[channel].output.safeParse(result.data.value);
      return output.success
        ? // The schema is the channel's own; the compiler cannot follow an index by a type parameter.
          succeed(output.data as InvokeOutput<Name>)
        : fail({ kind: 'answerMalformed', message: channel });
    },

    subscribe(listener) {
      return bridge.subscribe((name, payload) => {
        const receive = isEventName(name) ? listener[name] : undefined;
        if (!isEventName(name) || receive === undefined) {
          return;
        }
        const parsed = events[name].safeParse(payload);
        if (parsed.success) {
          (receive as (payload: unknown) => void)(parsed.data);
        }
      });
    },
  };
}
