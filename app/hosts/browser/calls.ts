// The pages' requests to the terminal: calls, plain or sealed, and the stream of its events.
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Handlers } from '../../contract/bridge.ts';
import type { TerminalState } from '../../contract/terminal-state.ts';
import { maxCallLength } from '../../contract/limits/calls.ts';
import { gatherBytes } from '../../domain/gathered-bytes.ts';
import { parseJson, writeJson } from '../../domain/json.ts';
import type { Shell } from '../../ports.ts';
import { dispatch } from '../dispatch.ts';
import { answer } from './answers.ts';
import type { EventStreams } from './event-stream.ts';
import { nonceOf, type Sealing } from './sealing.ts';
import { createTurns } from './turns.ts';

interface CallsParts {
  readonly handlers: Handlers;
  readonly log: Shell['log'];
  readonly sealing: Sealing;
  readonly streams: EventStreams;
}

interface Calls {
  /** Answers a call of this channel. */
  invoke(request: IncomingMessage, response: ServerResponse, channel: string): Promise<void>;
  /** Answers a call of a page: nobody but the run that served it can read it or answer it. */
  invokeSealed(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Begins a stream of events with the present state, sealed for a page of this browser. */
  stream(response: ServerResponse, browser: string | null): Promise<void>;
}

/** `isListening`: the page's stream is open, and brings an answer that comes late. `page`, `number`: which call of which page it is. */
const callSchema = z.object({
  page: z.string().max(50),
  number: z.int().min(0),
  channel: z.string(),
  input: z.unknown(),
  isListening: z.boolean().optional(),
  shownFor: z.string().optional(),
});
/**
 * An answer that takes longer comes by the stream of events, or to a page without one when it asks again by the same
 * bytes: a browser opens six connections to a host, and calls that wait for the platform would hold up a scan.
 */
const promptMs = 50;
/** A browser sends a call again at once, if at all: by then seldom more than so many others have been answered. */
const maxRemembered = 30;
/** So long a late answer is kept besides for a page that asks again: a hidden one may do so once a minute. */
const keptForAskingMs = 90_000;
/** Of so many more it is known that they were done: they are refused, and the page says that it does not know. */
const maxDone = 10_000;

/** A call's body is larger than any call of the contract. */
export class BodyTooLarge extends Error {}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const bytes = gatherBytes();
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxCallLength) {
      throw new BodyTooLarge();
    }
    bytes.add(chunk);
  }
  return bytes.all();
}

/** Takes calls to the terminal and answers them. */
export function createCalls({ handlers, log, sealing, streams }: CallsParts): Calls {
  const turns = createTurns();
  /** What the calls under way, and those answered last, are answered, by their nonces; null for older ones. */
  const answers = new Map<string, Promise<Buffer<ArrayBuffer>> | null>();
  const answered: string[] = [];
  /** Calls whose pages are to ask again. */
  const late = new Set<string>();
  const sealEvent = (json: string): string => sealing.seal(json, 'event').toString('base64url');

  const noteAnswered = (nonce: string): void => {
    answered.push(nonce);
    const old = answered.at(-maxRemembered - 1);
    if (old !== undefined) {
      answers.set(old, null);
    }
    answered.splice(0, answered.length - maxDone).forEach((oldest) => answers.delete(oldest));
  };

  const noteAsked = (nonce: string): void => {
    if (late.delete(nonce)) {
      noteAnswered(nonce);
    }
  };

  // A browser sends a request again where its connection broke before the answer came, whatever was done with it
  // (RFC 9112 §9.3.1 forbids that for POST, Chromium does it all the same): the same bytes are the same call.
  const answerOnce = (nonce: string, { page, number, channel, input, shownFor }: z.infer<typeof callSchema>) => {
    const known = answers.get(nonce);
    if (known !== undefined) {
      return known;
    }
    const handled = Promise.withResolvers<Awaited<ReturnType<typeof dispatch>>>();
    turns.take(page, number, () => handled.resolve(dispatch(handlers, channel, input, log, shownFor)));
    const answering = handled.promise.then((result) => {
      if (late.has(nonce)) {
        setTimeout(noteAsked, keptForAskingMs, nonce).unref();
      } else {
        noteAnswered(nonce);
      }
      return sealing.seal(writeJson(result), `answer ${nonce}`);
    });
    answers.set(nonce, answering);
    return answering;
  };

  const invoke = async (request: IncomingMessage, response: ServerResponse, channel: string): Promise<void> => {
    if (!(request.headers['content-type'] ?? '').startsWith('application/json')) {
      answer(response, 415, 'Calls are JSON');
      return;
    }
    const input = parseJson((await readBody(request)).toString('utf8'));
    if (input === undefined) {
      answer(response, 400, 'Not JSON');
      return;
    }
    const result = await dispatch(handlers, channel, input, log);
    answer(response, 200, writeJson(result), 'application/json; charset=utf-8');
  };

  const invokeSealed = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.headers['content-type'] !== 'application/octet-stream') {
      answer(response, 415, 'Sealed calls are bytes');
      return;
    }
    const sealed = await readBody(request);
    const text = sealing.open(sealed, 'call');
    const call = callSchema.safeParse(text === null ? undefined : parseJson(text)).data;
    if (call === undefined) {
      answer(response, 400, 'Not sealed for this run');
      return;
    }
    const nonce = nonceOf(sealed);
    const answering = answerOnce(nonce, call);
    if (answering === null) {
      answer(response, 409, 'This call was done before');
      return;
    }
    const soon = await Promise.race([answering, sleep(promptMs)]);
    if (soon !== undefined) {
      noteAsked(nonce);
      answer(response, 200, soon, 'application/octet-stream');
      return;
    }
    answer(response, 202, '');
    if (call.isListening === true) {
      streams.sendAnswer(nonce, (await answering).toString('base64url'));
    } else {
      late.add(nonce);
    }
  };

  const stream = async (response: ServerResponse, browser: string | null): Promise<void> => {
    const send = streams.open(response, browser === null ? undefined : { browser, write: sealEvent });
    if (send === null) {
      answer(response, 503, 'Too many pages are open');
      return;
    }
    // Whatever happened while this page was not listening is in the state.
    const state = await dispatch(handlers, 'terminal:read', {}, log);
    if (state.ok) {
      const { revision, station } = state.value as TerminalState;
      send('terminal:changed', state.value);
      // Where that is one step from what the page knows, it looks like an event that came.
      if (!station.isOn) {
        send('queue:changed', { revision });
        send('coupon:changed', { revision });
      }
    }
  };

  return { invoke, invokeSealed, stream };
}
