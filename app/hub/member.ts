import { backoffMs } from '../domain/backoff.ts';
import type { Timer } from '../ports.ts';
import { addLanes, type ByLane } from '../rate-limit/lanes.ts';
import type { RateLimit } from '../rate-limit/rate-limit.ts';
import { isUrgent } from '../rate-limit/scheduler.ts';
import type { Turns } from '../rate-limit/turns.ts';
import { onlyStorageError } from '../storage/database.ts';
import { createRateShare, type HubMemoryRepository } from './rate-share.ts';
import {
  figuresWanted,
  growAfterMs,
  leaveWithinMs,
  neededFor,
  othersTogether,
  windowOf,
  type HubDocument,
  type Report,
} from './document.ts';
import {
  createHubExchange,
  spreadOf,
  type ExchangeFailure,
  type HubExchange,
  type HubExchangePorts,
  type Intent,
} from './hub-exchange.ts';
import { createLentTurns } from './lent-turns.ts';
import type { HubLink } from './link.ts';
import { createSharedRefusal } from './shared-refusal.ts';
import type { HubMoment } from './shared-texts.ts';

export interface HubPorts extends HubExchangePorts {
  readonly link: HubLink;
  readonly repository: HubMemoryRepository;
  /** The account at which this terminal's requests count by themselves; null where all count together (H17). */
  readonly countsAt?: string | null;
  readonly onChange: () => void;
}

/** The state of the hub that a screen shows; times are uptimes in milliseconds. */
export interface MemberState {
  /** `alone`: cut off for so long that this terminal uses its share. */
  readonly mode: 'joining' | 'shared' | 'cutOff' | 'alone';
  /** Why the last exchange came to nothing; null when it was answered. */
  readonly failure: ExchangeFailure | null;
  /** When the last answered exchange was begun, or this process. */
  readonly heardMs: number;
  /** When it uses its share if nothing is heard. */
  readonly growsMs: number;
  readonly own: number;
  readonly share: number;
  readonly document: HubDocument | null;
}

export interface HubMember {
  /** For the rate limit to be opened with. */
  readonly turns: Turns;
  /** In which window slots count, in milliseconds: the longest that is set at any member. */
  windowMs(): number;
  /** Begins to take part, for this rate limit. */
  start(rateLimit: RateLimit): void;
  state(): MemberState;
  /** Whether a terminal of this id takes part; to be asked of each of many. */
  hasMember(id: string): boolean;
  /** The hub's time now; null while the hub does not answer. */
  time(): HubMoment | null;
  /**
   * Keeps nothing any more for those of these terminals that are silent, for they are gone for good; one that is only cut
   * off may still use its share until it returns. Answers null, or why it could not be said.
   */
  remove(ids: readonly string[]): Promise<ExchangeFailure | null>;
  /** Tells the others that this terminal ends, or that it takes part no more, if the hub answers at once. */
  close(ending?: NonNullable<Report['ending']>): Promise<void>;
}

const firstRetryMs = 500;
const maxRetryMs = 5_000;
/** An exchange in which others were quicker is made again, so many times: at once while a person waits, else after a while. */
const maxConflicts = 20;
const conflictRestMs = 40;
const maxConflictRestMs = 500;
/** How soon a terminal asks again while a person waits, while others may go before it, and while nobody may. */
const askAgainMs = { person: 250, soon: 150, later: 1_000 };
const giveBackMs = 200;
/**
 * And what says nothing new rests so long at least: times that whoever has the key makes up may be too large to count by,
 * and each moment is then the one to say it again.
 */
const leastRestMs = 250;
/** How soon it says that somebody for whom it asked waits no more; one that is only being answered may come again. */
const doneMs = 20;

function modeOf(failure: ExchangeFailure | null, isCutOff: boolean, hasJoined: boolean): MemberState['mode'] {
  if (failure === null) {
    return hasJoined ? 'shared' : 'joining';
  }
  return isCutOff ? 'alone' : 'cutOff';
}

/** The slots that count at all terminals that share the limit, as far as the document says. */
function usedByAll(document: HubDocument | null, selfId: string, held: ByLane): ByLane {
  return othersTogether(document, selfId).reduce((sum, [, other]) => addLanes(sum, other.held), held);
}

function askAgainAfterMs(
  waiting: ReturnType<RateLimit['read']>['waiting'],
  { isFree, pacedForMs, lendsInMs }: ReturnType<HubExchange['lastReport']>,
  spread: number,
): number {
  if (waiting.length === 0) {
    return Infinity;
  }
  const inBackground = isFree ? 'soon' : 'later';
  const restMs = askAgainMs[waiting.some(isUrgent) ? 'person' : inBackground] * spread;
  // Whose turn is next asks when it is due, and not before.
  // mutant: all ask again and again while nothing is lent (H8)
  return lendsInMs + (pacedForMs > 0 ? Math.min(restMs, pacedForMs) : restMs);
}

async function restAfterConflict(
  conflicts: number,
  isHurried: boolean,
  { clock, random }: Pick<HubPorts, 'clock' | 'random'>,
): Promise<void> {
  if (!isHurried) {
    const longestMs = Math.min(conflictRestMs * 2 ** conflicts, maxConflictRestMs);
    await new Promise<void>((resolve) => {
      clock.after(longestMs * random.fraction(), resolve);
    });
  }
}

/** Again as long as others are quicker; `rest` is waited for before. */
async function exchangeUntilTaken(
  once: () => Promise<ExchangeFailure | null>,
  rest: (conflicts: number) => Promise<void>,
): Promise<ExchangeFailure | null> {
  try {
    let failure = await once();
    for (let conflicts = 0; failure === 'contended' && conflicts < maxConflicts; conflicts += 1) {
      await rest(conflicts);
      failure = await once();
    }
    return failure;
  } catch (error) {
    onlyStorageError(error);
    return 'storage';
  }
}

/** Makes this terminal a member; nothing is called before `start`. */
export function createHubMember(ports: HubPorts): HubMember {
  const { clock, random, link, self, onChange } = ports;
  const rateShare = createRateShare(ports.repository, clock.uptimeMs(), ports.countsAt);
  const refusal = createSharedRefusal();
  let rateLimit: RateLimit | null = null;
  let timer: Timer | null = null;
  let under: Promise<void> | null = null;
  let ending: Report['ending'] = null;
  let [endedMs, failures] = [clock.uptimeMs(), 0];
  let [spread, isAsking] = [spreadOf(random), false];
  let failure: ExchangeFailure | null = null;

  const windowMs = (): number => windowOf(rateShare.memory()?.document ?? null, ports.windowMs());
  // mutant: who is cut off uses its share at once (H6)
  const growsMs = (): number => exchange.heardMs() + growAfterMs(windowMs());
  const isCutOff = (nowMs: number): boolean => nowMs > growsMs();
  // Whoever asks to come back uses its share no more (H7).
  // mutant: the share is used while it is given back (H7)
  const turns = createLentTurns(rateShare, (nowMs) => isCutOff(nowMs) && !isAsking);
  const exchange = createHubExchange(ports, rateShare, turns, refusal);

  async function ask(limits: RateLimit, removed: Intent['removed'] = []): Promise<void> {
    isAsking = true;
    failure = await exchangeUntilTaken(
      () => exchange.once(limits, { ending, removed }),
      (conflicts) => restAfterConflict(conflicts, ending !== null || limits.read().waiting.some(isUrgent), ports),
    ).finally(() => {
      // Also after an error that nobody foresaw the next one rests.
      [isAsking, failures, endedMs] = [false, failures + 1, clock.uptimeMs()];
    });
    failures = failure === null ? 0 : failures;
    spread = spreadOf(random);
    onChange();
    if (ending === null) {
      limits.reconsider();
    }
  }

  /** How long after the last exchange the next one is due. */
  function restMs(limits: RateLimit): number {
    if (failures > 0) {
      return backoffMs(failures - 1, firstRetryMs, maxRetryMs);
    }
    const { waiting, held } = limits.read();
    const report = exchange.lastReport();
    const { wants, lent } = report;
    const isNew = waiting.some(({ lane }) => !wants.includes(lane) && lane !== lent);
    if (refusal.isPending() || (isNew && !turns.hasTicket())) {
      return 0;
    }
    if (lent !== null && waiting.length > 0 && !turns.hasTicket()) {
      // Another that rests after a conflict would find all rights taken, and could not say before that it waits (H11).
      // mutant: a till takes turns for the background without a pause (H11)
      return waiting.some(isUrgent) ? 0 : conflictRestMs * spread;
    }
    // A lane in which nobody waits any more would be named before all others, and use no turn (L1).
    // mutant: a till goes on wanting what nobody waits for (L1)
    if (wants.some((lane) => !waiting.some((one) => one.lane === lane))) {
      return doneMs;
    }
    // A right of which no slot counts any more: while somebody waits here, it may be for them.
    const isOver = rateShare.rights() > neededFor(held, rateShare.own());
    if (isOver && (waiting.length === 0 || !turns.hasTicket())) {
      return waiting.length === 0 ? giveBackMs : doneMs;
    }
    return Math.min(askAgainAfterMs(waiting, report, spread), Math.max(leastRestMs, report.saysAgainMs - endedMs));
  }

  function setTimer(): void {
    const limits = rateLimit;
    if (limits === null || ending !== null || under !== null) {
      return;
    }
    timer?.cancel();
    timer = clock.after(Math.max(0, endedMs + restMs(limits) - clock.uptimeMs()), () => void begin(limits));
  }

  /** One exchange at a time. */
  async function begin(limits: RateLimit, removed: Intent['removed'] = []): Promise<void> {
    const mine = (under === null ? ask(limits, removed) : under.then(() => ask(limits, removed))).finally(() => {
      under = under === mine ? null : under;
      setTimer();
    });
    under = mine;
    await mine;
  }

  return {
    turns: {
      next: turns.next,
      used: (held) => usedByAll(rateShare.memory()?.document ?? null, self.id, held),
      wantedFigures: (scope) => figuresWanted(rateShare.memory()?.document, self.id, scope, exchange.time()),
      refused: refusal.refused,
      leaveWithinMs,
    },
    windowMs,
    start: (limits) => {
      rateLimit = limits;
      limits.onChange(setTimer);
      setTimer();
    },
    state: () => ({
      mode: modeOf(failure, isCutOff(clock.uptimeMs()), exchange.hasJoined()),
      failure,
      heardMs: exchange.heardMs(),
      growsMs: growsMs(),
      own: rateShare.own(),
      share: rateShare.share(),
      document: rateShare.memory()?.document ?? null,
    }),
    hasMember: (id) => Object.hasOwn(rateShare.memory()?.document.members ?? {}, id),
    time: () => (failure === null ? exchange.time() : null),
    remove: async (ids) => {
      if (rateLimit === null || ending !== null) {
        return 'noAnswer';
      }
      timer?.cancel();
      await begin(rateLimit, ids);
      return failure;
    },
    close: async (how = 'closing') => {
      ending = how;
      timer?.cancel();
      await under;
      if (rateLimit !== null) {
        await ask(rateLimit);
      }
      await link.close();
    },
  };
}
