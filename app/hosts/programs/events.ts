// The events that listening programs receive, and what of the terminal's work is such an event.
import { z } from 'zod';
import type { EventListener, Handlers } from '../../contract/bridge.ts';
import type { LookupAnswer } from '../../contract/lookup.ts';
import type { TerminalState } from '../../contract/terminal-state.ts';
import { lookupOf, lookupSchema, queueOf, queueSchema } from './answers.ts';

/** The web socket's protocol. */
export const eventProtocol = 'tillside.v1';
/** Before the token, where it comes as a protocol. */
export const tokenProtocolPrefix = 'token.';

const at = z.iso.datetime().describe("By this machine's clock.");

export const eventSchema = z.discriminatedUnion('event', [
  lookupSchema
    .extend({ event: z.literal('scan'), at })
    .describe(
      'A scan at this terminal was answered; told again when the platform has answered what the copy could not.',
    ),
  z
    .object({ event: z.literal('withdrawn'), at, code: z.string() })
    .describe('The scan of this code was a part of another one, which is told by itself.'),
  queueSchema.extend({ event: z.literal('queue'), at }).describe('The queue has changed.'),
]);
export type ProgramEvent = z.infer<typeof eventSchema>;

export interface EventSourceParts {
  readonly now: () => number;
  readonly maySend: () => boolean;
  readonly send: (event: ProgramEvent) => void;
}

export interface EventSource {
  /** Pages call these in the place of the terminal's, so that their scans are heard. */
  hear(handlers: Handlers): Handlers;
  /** Hears the queue. */
  readonly listener: EventListener;
  /** The queue as it is now, for who has just come; null where a check station keeps it from everybody. */
  queue(state: TerminalState): ProgramEvent | null;
}

/** Makes events of the calls of pages and of the terminal's own events. */
export function createEventSource({ now, maySend, send }: EventSourceParts): EventSource {
  let missed: string | null = null;
  let lastQueue = '';

  const moment = (): string => new Date(now()).toISOString();
  /** After the page has its answer: a scan never waits for a program. */
  const sendSoon = (make: () => ProgramEvent): void => {
    if (maySend()) {
      setImmediate(() => {
        if (maySend()) {
          send(make());
        }
      });
    }
  };
  /** Reads at once which shop has answered: whoever listens for the state is told of another one later. */
  const sendScanOf = (handlers: Handlers) => (answer: LookupAnswer) => {
    if (maySend()) {
      void handlers['terminal:read']({}).then((state) => {
        sendSoon(() => ({ event: 'scan', at: moment(), ...lookupOf(answer, state.ok ? state.value : null) }));
      });
    }
  };
  const queueEvent = (state: TerminalState): ProgramEvent => ({ event: 'queue', at: moment(), ...queueOf(state) });

  return {
    hear: (handlers) => {
      const sendScan = sendScanOf(handlers);
      return {
        ...handlers,
        'lookup:find': async (input, shownFor) => {
          const answer = await handlers['lookup:find'](input, shownFor);
          if (answer.ok && input.source === 'scan' && input.isAgain !== true && input.isChoosing !== true) {
            missed = answer.value.kind === 'found' ? null : input.text;
            sendScan(answer.value);
          }
          return answer;
        },
        'lookup:ask': async (input, shownFor) => {
          const answer = await handlers['lookup:ask'](input, shownFor);
          if (answer.ok && answer.value.kind === 'found' && input.text === missed) {
            missed = null;
            sendScan(answer.value);
          }
          return answer;
        },
        'product:read': async (input, shownFor) => {
          const card = await handlers['product:read'](input, shownFor);
          if (card.ok && input.isOpened === true && input.text !== undefined) {
            sendScan({ kind: 'found', text: input.text, cards: [card.value] });
          }
          return card;
        },
        'lookup:choose': async (input, shownFor) => {
          const answer = await handlers['lookup:choose'](input, shownFor);
          if (answer.ok) {
            sendScan(answer.value);
          }
          return answer;
        },
        'lookup:withdraw': async (input, shownFor) => {
          const answer = await handlers['lookup:withdraw'](input, shownFor);
          if (answer.ok) {
            sendSoon(() => ({ event: 'withdrawn', at: moment(), code: input.text }));
          }
          return answer;
        },
      };
    },
    listener: (name, payload) => {
      if (name !== 'terminal:changed' || !('queue' in payload) || payload.station.isOn) {
        return;
      }
      const queue = JSON.stringify(queueOf(payload));
      if (queue !== lastQueue) {
        lastQueue = queue;
        sendSoon(() => queueEvent(payload));
      }
    },
    queue: (state) => (state.station.isOn ? null : queueEvent(state)),
  };
}
