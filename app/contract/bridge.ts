import type { Failure } from '../domain/failure.ts';
import type { Result } from '../domain/result.ts';
import type { Channel, EventName, EventPayload, InvokeInput, InvokeOutput } from './contract.ts';

/**
 * One handler a channel; a missing one does not compile. `shownFor`: the shop, or the shop and the person, that the screen
 * showed when it asked (shown-for.ts); the one gate looks at it, and fails with `notReady` where others have come.
 */
export type Handlers = {
  readonly [Name in Channel]: (
    input: InvokeInput<Name>,
    shownFor?: string,
  ) => Promise<Result<InvokeOutput<Name>, Failure>>;
};

/** The handlers of all calls that begin with one of these nouns, but for those that are answered elsewhere. */
export type HandlersOf<Noun extends string, Elsewhere extends Channel = never> = Pick<
  Handlers,
  Exclude<Extract<Channel, `${Noun}:${string}`>, Elsewhere>
>;

/** Does something with the open shop, of which it needs to know this. Fails with `notReady` while none is open. */
export type WithOpen<Open> = <Value>(
  action: (open: Open) => Result<Value, Failure> | Promise<Result<Value, Failure>>,
) => Promise<Result<Value, Failure>>;

/** Receives every event of the terminal. */
export type EventListener = <Name extends EventName>(name: Name, payload: EventPayload<Name>) => void;

/**
 * The object that a host exposes to the page as `window.tillside`. Payloads are unknown on both ways: whoever receives,
 * parses. `shownFor` is as handlers take it. `invoke` resolves with a Result; it rejects only when the host itself is gone, or, with an error named
 * `NotAdmitted`, when another run of the host answers, which does not know this page.
 */
export interface HostBridge {
  readonly invoke: (channel: string, input: unknown, shownFor?: string) => Promise<unknown>;
  /** Answers a function that ends the subscription. */
  readonly subscribe: (listener: (name: string, payload: unknown) => void) => () => void;
}
