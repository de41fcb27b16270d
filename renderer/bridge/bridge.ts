// Messages have been parsed by the main process (app/hosts/dispatch.ts) and are not parsed again: decisions/0036.
import { isOfMachine, whoOf } from '../../app/contract/access.ts';
import type { Channel, EventName, EventPayload, InvokeInput, InvokeOutput } from '../../app/contract/contract.ts';
import type { HostBridge } from '../../app/contract/bridge.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { fail, type Result } from '../../app/domain/result.ts';

/** Receives the payload of each event that it names. */
export type BridgeListener = { readonly [Name in EventName]?: (payload: EventPayload<Name>) => void };

/** The main process as the stores see it. */
export interface Bridge {
  /**
   * Calls the main process. Fails with what the call itself fails with; and when no answer will come, after calling
   * `onGone`, with `effectUnknown` if the call may have changed something, else with `cancelled`. `whole` is all that a
   * person asks for, where the input is a slice of it: a question for the PIN names that.
   */
  call<Name extends Channel>(
    channel: Name,
    input: InvokeInput<Name>,
    whole?: InvokeInput<Name>,
  ): Promise<Result<InvokeOutput<Name>, Failure>>;
  /** Calls back with every event, until the answered function is called. */
  subscribe(listener: BridgeListener): () => void;
}

/**
 * Calls that change nothing that a person has asked for, or nothing that it matters to do twice. Any other may have been
 * done although its answer never came.
 */
const reading: ReadonlySet<Channel> = new Set<Channel>([
  'terminal:read',
  'scanner:listDevices',
  'companion:hide',
  'companion:fit',
  'device:read',
  'window:show',
  'practice:openPanel',
  'profile:test',
  'hub:test',
  'hub:read',
  'cashier:lock',
  'cashier:noteActivity',
  'lookup:find',
  'lookup:ask',
  'lookup:search',
  'lookup:findSimilar',
  'lookup:withdraw',
  'lookup:listRecent',
  'labelChoice:list',
  'product:read',
  'product:readMany',
  'product:refresh',
  'product:readMovements',
  'product:readBatches',
  'product:readKept',
  'coupon:list',
  'coupon:listIds',
  'coupon:countMany',
  'coupon:refresh',
  'couponSet:list',
  'couponSet:read',
  'couponSet:match',
  'couponSet:listPlanned',
  'shopLists:foresee',
  'queue:list',
  'queue:listIds',
  'queue:countMany',
  'queue:readDay',
  'queue:history',
  'queue:export',
  'user:readRestoration',
  'stock:browse',
  'stock:export',
  'expiring:list',
  'expiring:readCoverage',
  'stocktake:list',
  'stocktake:read',
  'stocktake:export',
  'stocktake:listLines',
  'watchList:match',
  'station:find',
  'printer:list',
  'rateLimit:read',
  'catalogue:readAge',
  'catalogue:listFields',
  'support:diagnose',
  'support:readBundle',
  'platformCheck:read',
  'audit:list',
  'audit:export',
]);

/**
 * Whether the call is for the person that the page shows, too: whoever came meanwhile would be listed with what it does.
 * Of what anybody may ask for, a connection alone: it is the next screen of whoever asked.
 */
function isForPerson(channel: Channel): boolean {
  const who = whoOf({ channel, isMild: false });
  return channel === 'profile:connect' || (who !== 'nobody' && who !== 'looksUp' && !reading.has(channel));
}

/**
 * Wraps the host's host; `shown` tells the shop, and the person in it, that the page shows now (contract/shown-for.ts).
 * `known`: while it is not known who that person is about to be, such as while a badge is being read, when it is; else
 * null. What is asked for meanwhile waits, and is still for whom the page showed then: it is not done for another.
 * `onGone` is called each time that an invoke rejects, which means that the main process has gone; with true when one that
 * was started anew answers, which this page has no key to.
 */
export function openBridge(
  host: HostBridge,
  onGone: (isShutOut: boolean) => void,
  shown: {
    readonly shop: () => string | undefined;
    readonly person: () => string | undefined;
    readonly known: () => Promise<void> | null;
  },
): Bridge {
  function shownFor(channel: Channel): string | undefined {
    if (isForPerson(channel)) {
      return shown.person();
    }
    return isOfMachine({ channel, isMild: false }) ? undefined : shown.shop();
  }

  return {
    async call<Name extends Channel>(
      channel: Name,
      input: InvokeInput<Name>,
    ): Promise<Result<InvokeOutput<Name>, Failure>> {
      const asked = shownFor(channel);
      const known = isForPerson(channel) ? shown.known() : null;
      if (known !== null) {
        await known;
      }
      try {
        return (await host.invoke(channel, input, asked)) as Result<InvokeOutput<Name>, Failure>;
      } catch (error) {
        onGone(error instanceof Error && error.name === 'NotAdmitted');
        return fail({ kind: reading.has(channel) ? 'cancelled' : 'effectUnknown' });
      }
    },

    subscribe(listener) {
      return host.subscribe((name, payload) => {
        // Named and parsed by the main process; the compiler cannot follow an index by a type parameter.
        (listener[name as EventName] as ((payload: unknown) => void) | undefined)?.(payload);
      });
    },
  };
}
