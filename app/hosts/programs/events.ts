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
      'A scan at this terminal was answered; told again when the platform or the growing copy names other products for its code.',
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

/** Which products an answer names, as a text to be compared; empty where it names none for the code. */
function namedBy(answer: LookupAnswer): string {
  const listed = answer.kind === 'several' && answer.read?.as !== 'search' ? answer.hits : [];
  const places = answer.kind === 'found' ? answer.cards : listed;
  return [...new Set(places.map(({ productId }) => productId))].toSorted().join(' ');
}

/** Makes events of the calls of pages and of the terminal's own events. */
export function createEventSource({ now, maySend, send }: EventSourceParts): EventSource {
  /** The last scan that was told, until a person has chosen a product for it. */
  let told: { readonly text: string; readonly named: string } | null = null;
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
      const sendAgain = (text: string, answer: LookupAnswer): void => {
        const named = namedBy(answer);
        if (told?.text === text && named !== '' && told.named !== named) {
          told = { text, named };
          sendScan(answer);
        }
      };
      return {
        ...handlers,
        'lookup:find': async (input, shownFor) => {
          const answer = await handlers['lookup:find'](input, shownFor);
          if (answer.ok && input.source === 'scan' && input.isChoosing !== true) {
            if (input.isAgain === true) {
              sendAgain(input.text, answer.value);
            } else {
              told = { text: input.text, named: namedBy(answer.value) };
              sendScan(answer.value);
            }
          }
          return answer;
        },
        'lookup:ask': async (input, shownFor) => {
          const answer = await handlers['lookup:ask'](input, shownFor);
          if (answer.ok) {
            sendAgain(input.text, answer.value);
          }
          return answer;
        },
        'product:read': async (input, shownFor) => {
          const card = await handlers['product:read'](input, shownFor);
          if (card.ok && input.isOpened === true && input.text !== undefined) {
            told = null;
            sendScan({ kind: 'found', text: input.text, cards: [card.value] });
          }
          return card;
        },
        'lookup:choose': async (input, shownFor) => {
          const answer = await handlers['lookup:choose'](input, shownFor);
          if (answer.ok) {
            told = null;
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
      if (name !== 'terminal:changed' || !('queue' in payload)) {
        return;
      }
      if (payload.station.isOn) {
        // Who comes meanwhile is told no queue, and all are when the station is left.
        lastQueue = '';
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
