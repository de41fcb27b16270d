// The main process of a scene: the real contract, gate and lock before the real handlers of the copy, of counts and of the queue, and
// pretended answers to all other calls. It lives in the process of the test; the page asks by the texts that it hands over.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import type { Handlers } from '../../app/contract/bridge.ts';
import { invokes, type Channel, type EventName } from '../../app/contract/contract.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { succeed } from '../../app/domain/result.ts';
import { checkEvent, dispatch } from '../../app/hosts/dispatch.ts';
import { createNodeClock } from '../../app/hosts/node/node-ports.ts';
import { createFakeAnswers, type Answers, type SceneTerminal } from './fake-answers.ts';
import type { HostMessage, Scene } from './fake-bridge.ts';
import { createFakeReadings } from './fake-readings.ts';
import { openSceneCatalogue } from './scene-catalogue.ts';
import { openCounts } from './scene-counts.ts';
import { createSceneLock } from './scene-lock.ts';
import { openSceneQueue, type ScenePart } from './scene-queue.ts';

type PartName = 'catalogue' | 'counts' | 'queue';

/** By the noun of a call. */
const partOf: Readonly<Record<string, PartName>> = {
  catalogue: 'catalogue',
  labelChoice: 'catalogue',
  lookup: 'catalogue',
  product: 'catalogue',
  stock: 'catalogue',
  watchList: 'catalogue',
  stocktake: 'counts',
  queue: 'queue',
  user: 'queue',
  coupon: 'queue',
};

type Send = (message: HostMessage) => Promise<unknown>;

/** What a test does to the main process of a scene; resolves when the page has heard of it. */
export interface SceneHost {
  readonly key: string;
  /** As the scene's; may be changed. */
  readonly answers: Record<string, unknown>;
  change(part: Partial<TerminalState>): Promise<unknown>;
  emit(name: EventName, payload: unknown): Promise<unknown>;
  letAnswer(): void;
  goAway(isGone: boolean): void;
  /** From the next call of this channel on, calls are done, but no answer or event reaches the page; null: they do. */
  loseAnswers(from: Channel | null): void;
}

interface Call {
  readonly id: number;
  readonly channel: string;
  readonly input: object;
  readonly shownFor?: string;
}

function openSceneHost(scene: Scene, isClockStopped: boolean, complain: (words: string) => void) {
  let folder: string | null = null;
  const clock = { ...createNodeClock(), now: () => scene.nowMs };
  const pageClock = isClockStopped ? clock : createNodeClock();
  const log = (_level: string, words: string, details?: unknown): void =>
    complain(`${words} ${JSON.stringify(details)}`);
  const opening = new Map<string, Promise<ScenePart>>();
  const answers: Record<string, unknown> = { ...scene.answers };
  let state: TerminalState = { ...scene.state, revision: 1 };
  let isGone = false;
  let lostFrom: Channel | null = null;
  let areLost = false;
  let tellPage: Send = () => Promise.resolve();

  const emit = (name: EventName, payload: unknown): Promise<unknown> =>
    areLost ? Promise.resolve() : tellPage({ name, payload: checkEvent(name, payload, log) });
  const change = async (part: Partial<TerminalState>): Promise<unknown> => {
    state = { ...state, ...part, revision: state.revision + 1 };
    if (part.catalogue !== undefined) {
      await (await opening.get('catalogue'))?.follow?.(state);
    }
    return emit('terminal:changed', state);
  };

  /** A part is opened when something is asked of it. What has changed follows the answer, as soon as it does there. */
  async function askPart(name: PartName, channel: Channel, input: unknown): Promise<unknown> {
    folder ??= mkdtempSync(join(tmpdir(), 'tillside-scene-'));
    const part = opening.get(name) ?? openers[name](folder);
    opening.set(name, part);
    const { handlers, changes } = await part;
    const answered = await (handlers[channel] as (input: unknown) => Promise<unknown>)(input);
    const queue = changes?.() ?? null;
    if (queue !== null) {
      setTimeout(() => {
        void change({ queue: { ...state.queue, ...queue } });
        void emit('queue:changed', { revision: state.revision });
        void emit('coupon:changed', { revision: state.revision });
      }, 30);
    }
    return answered;
  }

  const terminal: SceneTerminal = {
    state: () => state,
    change,
    emit,
    now: pageClock.now,
    switchCoupon: (input) => askPart('queue', 'coupon:switch', input) as ReturnType<Handlers['coupon:switch']>,
  };
  const openers: Readonly<Record<PartName, (at: string) => Promise<ScenePart>>> = {
    catalogue: (at) => openSceneCatalogue(at, clock, scene, terminal),
    counts: (at) => openCounts(at, clock, scene, complain),
    queue: (at) => openSceneQueue(at, clock, scene),
  };
  const lock = createSceneLock(scene, pageClock, terminal);
  const own: Answers = {
    'terminal:read': () => succeed(state),
    ...createFakeReadings(scene),
    ...createFakeAnswers(scene, terminal),
    ...lock.handlers,
  };

  function answer(channel: Channel, input: object): unknown {
    const pretended = own[channel] as ((given: object) => unknown) | undefined;
    const part = channel === 'coupon:switch' ? 'catalogue' : partOf[channel.split(':', 1).join()];
    if (pretended !== undefined || part === undefined) {
      return pretended?.(input) ?? succeed({});
    }
    return askPart(part, channel, input);
  }

  const each = (answerTo: (channel: Channel, input: object, shownFor?: string) => unknown): Handlers =>
    Object.fromEntries(
      (Object.keys(invokes) as Channel[]).map((channel) => [
        channel,
        async (input: object, shownFor?: string) => answerTo(channel, input, shownFor),
      ]),
    ) as unknown as Handlers;
  const guarding = lock.guard(each(answer), log);
  // What a test answers is answered to anybody.
  const handlers = each(async (channel, input, shownFor) => {
    const guarded = (await guarding)[channel] as (given: object, shownFor?: string) => unknown;
    return answers[channel] ?? guarded(input, shownFor);
  });

  const letting = Promise.withResolvers();

  return {
    answers,
    change,
    emit,
    letAnswer: () => letting.resolve(undefined),
    goAway: (away: boolean) => {
      isGone = away;
    },
    loseAnswers: (from: Channel | null) => {
      lostFrom = from;
      areLost = false;
    },
    /** Answers a call as a host does: the contract's input and output, and a bug in words. Events go that way, too. */
    ask: async ({ id, channel, input, shownFor }: Call, send: Send): Promise<void> => {
      tellPage = send;
      if (isGone) {
        await send({ id, isGone });
        return;
      }
      areLost ||= channel === lostFrom;
      const delayMs = scene.delaysMs?.[channel] ?? 0;
      if (delayMs > 0) {
        await (Number.isFinite(delayMs) ? sleep(delayMs) : letting.promise);
      }
      const answered = await dispatch(handlers, channel, input, log, shownFor);
      await send(areLost ? { id, isGone: true } : { id, answer: answered });
    },
    close: async () => {
      lock.close();
      for (const part of opening.values()) {
        await (await part).close();
      }
      if (folder !== null) {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/** The main processes of the scenes that are shown. */
export interface SceneHosts {
  /** Opens nothing on the disk before a page asks. */
  add(scene: Scene, isClockStopped: boolean): SceneHost;
  /** Answers the text that a page hands over. */
  ask(text: string, send: Send): void;
  close(): Promise<void>;
}

/** `complain` hears of bugs and of what is not the contract's. */
export function createSceneHosts(complain: (words: string) => void): SceneHosts {
  const hosts = new Map<string, ReturnType<typeof openSceneHost>>();
  return {
    add: (scene, isClockStopped) => {
      const key = randomUUID();
      const host = openSceneHost(scene, isClockStopped, complain);
      hosts.set(key, host);
      return { ...host, key };
    },
    ask: (text, send) => {
      const { key, ...call } = JSON.parse(text) as Call & { readonly key: string };
      hosts
        .get(key)
        ?.ask(call, send)
        .catch((error: unknown) => complain(String(error)));
    },
    close: async () => {
      for (const host of hosts.values()) {
        await host.close();
      }
    },
  };
}
