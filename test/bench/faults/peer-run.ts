import type { Sender } from '../../simulation/network.ts';
import type { World } from '../../simulation/virtual-clock.ts';
import type { FaultPlan, PlannedIntent } from './fault-plan.ts';
import { createFaultWorld } from './fault-world.ts';
import type { Peer, PeerLife, PeerRun } from './peer.ts';
import { createPeerSession, type KeptTokens, type PeerAnswer, type PeerExchange } from './peer-session.ts';
import { createPerson } from './person.ts';
import { installSimulatedGlobals } from './simulated-globals.ts';
import { judgeRun, type Figures } from './verdict.ts';

/** As long as this app waits for an answer. */
const timeoutMs = 20_000;
const largestAnswerBytes = 1_000_000;
/** So long may a policy take to drain once the world is healthy. */
export const drainBoundMs = 60 * 60_000;
export const drainLookMs = 1000;

function senderOf(world: World, life: number, isAlive: () => boolean): Sender {
  return {
    life,
    isAlive,
    after: (delayMs, callback) => {
      world.after(delayMs, () => {
        if (isAlive()) {
          callback();
        }
      });
    },
    sleptSince: () => false,
  };
}

/** Runs a policy through a plan and judges it. */
export async function runPeer(peer: Peer, plan: FaultPlan, hasCrashes: boolean): Promise<Figures> {
  const faultWorld = await createFaultWorld(plan);
  const { world, random, trace, platform, network } = faultWorld;
  const tokens: KeptTokens = { access: null, refresh: null };
  const intents = new Map(plan.intents.map((intent) => [intent.id, intent]));
  const intentOfKey = new Map<string, number>();
  const givenUp = new Set<number>();
  const chance = random.fork('policy');
  let lives = 0;
  let living = 0;
  let run: PeerRun | null = null;

  function beginLife(): PeerLife {
    lives += 1;
    living = lives;
    const number = lives;
    const isAlive = (): boolean => living === number;
    const sender = senderOf(world, number, isAlive);
    const exchange: PeerExchange = async (request) => {
      const outcome = isAlive()
        ? await network.send(sender, { ...request, timeoutMs, maxBytes: largestAnswerBytes })
        : await new Promise<never>(() => undefined);
      if (!outcome.ok) {
        throw outcome.failure.kind === 'timedOut'
          ? new DOMException('The operation was aborted due to timeout', 'TimeoutError')
          : new TypeError('fetch failed');
      }
      return followed(outcome.value);
    };
    return {
      session: createPeerSession(tokens, exchange, () => chance.uuid()),
      exchange,
      uuid: () => chance.uuid(),
      isOnline: () => faultWorld.isOnline(),
      onOnline: (callback) => {
        faultWorld.onOnline(() => {
          if (isAlive()) {
            callback();
          }
        });
      },
      noteKey: (key, intent) => {
        intentOfKey.set(key, intent.id);
      },
      giveUp: (intentId) => {
        if (isAlive()) {
          trace.add(`given up ${String(intentId)}`);
          givenUp.add(intentId);
        }
      },
      intentOf: (intentId) => intents.get(intentId) as PlannedIntent,
      productIdOf: ({ product }) => platform.stock.productIds[product] ?? '',
    };
  }

  async function start(): Promise<void> {
    const life = beginLife();
    trace.add(`begin run ${String(lives)}`);
    run = await peer.start(life);
    person.goOn();
  }

  const person = createPerson(world, plan, async (intent) => {
    await run?.submit(intent);
    return run === null ? null : 'accepted';
  });
  for (const { atMs, downMs } of hasCrashes ? plan.kills : []) {
    world.after(atMs, () => {
      if (living !== 0) {
        trace.add('crash');
        living = 0;
        run = null;
        world.after(downMs, () => void start());
      }
    });
  }

  const restore = installSimulatedGlobals(world, random.fork('globals'), () => living);
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown): void => {
    rejections.push(reason);
  };
  process.on('unhandledRejection', onRejection);
  try {
    await peer.load?.();
    void start();
    await world.runUntil(plan.healAtMs);
    let waiting: ReadonlySet<number> = new Set([0]);
    const isDrained = (): boolean => waiting.size === 0 && person.isDone();
    while (!isDrained() && world.nowMs() - plan.healAtMs < drainBoundMs) {
      const looking = run === null ? null : Promise.resolve((run as PeerRun).waiting());
      await world.runUntil(world.nowMs() + drainLookMs);
      waiting = (await looking) ?? waiting;
    }
    // Copies that the network still holds arrive, too.
    const drainMs = isDrained() ? world.nowMs() - plan.healAtMs : null;
    await world.runUntil(world.nowMs() + 2 * timeoutMs);
    if (rejections.length > 0) {
      throw new Error(`${peer.name} left a rejection unhandled`, { cause: rejections[0] });
    }
    return judgeRun(faultWorld, {
      statuses: person.statuses,
      givenUp,
      intentOf: (key) => intentOfKey.get(key),
      settledWithout: new Set(),
      waiting,
      drainMs,
    });
  } finally {
    living = 0;
    restore();
    process.off('unhandledRejection', onRejection);
  }
}

/** The page that fetch and axios get when they follow a redirect to a captive portal. */
function followed(answer: PeerAnswer): PeerAnswer {
  return answer.status === 302
    ? { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><html></html>' }
    : answer;
}
