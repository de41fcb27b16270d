import type { HubReport } from '../contract/hub.ts';
import { succeed, type Result } from '../domain/result.ts';
import type { Clock, Random } from '../ports.ts';
import { lanes } from '../rate-limit/lanes.ts';
import type { RateLimit } from '../rate-limit/rate-limit.ts';
import { latestArrivalMs, maxWindowMs } from '../rate-limit/rules.ts';
import { isUrgent } from '../rate-limit/scheduler.ts';
import type { RateShare } from './rate-share.ts';
import {
  growAfterMs,
  heartbeatMs,
  hubTimeAt,
  maxFigures,
  nextCount,
  planExchange,
  saysAgainAtMs,
  silentAfterMs,
  windowOf,
  type HubTime,
  type Member,
  type Plan,
  type Report,
  type TimeBase,
} from './document.ts';
import { isOfAnother, withoutLoss } from './loss.ts';
import type { LentTurns } from './lent-turns.ts';
import type { HubFailureKind, HubReading } from './link.ts';
import { createSealedDocument, type SealedDocument, type SealedDocumentPorts } from './sealed-document.ts';
import type { SharedRefusal } from './shared-refusal.ts';
import type { HubMoment } from './shared-texts.ts';

/** Why an exchange came to nothing; `otherKey`: the document was sealed with another key, or is damaged. */
export type ExchangeFailure = NonNullable<HubReport['failure']>;

export interface HubExchangePorts extends SealedDocumentPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly self: { readonly id: string; readonly name: string; readonly appVersion: string };
  /** The platform's window as it is set here, in milliseconds; asked each time. */
  readonly windowMs: () => number;
  /** Another terminal takes part by this one's id (H16); called at each exchange until this one has an id of its own. */
  readonly onTwin: () => void;
}

/**
 * After so many windows a hub that keeps a person waiting, or that should have lent again after a loss, is not believed
 * (H9): by then every slot that counted has come free twice.
 */
const distrustAfterWindows = 2;

/** What is done from time to time comes sooner by a random part, lest all terminals do it at once. */
export function spreadOf(random: Pick<Random, 'fraction'>): number {
  return 1 - 0.2 * random.fraction();
}

/** Whether a record says the same as the one before, and need not say it again yet: the write is left out. */
function isUnchanged(before: Member | undefined, { document }: Plan, id: string, answered: number): boolean {
  const now = document.members[id];
  const textOf = (member: Member | undefined): string =>
    JSON.stringify([
      member?.rights,
      member?.own,
      member?.share,
      member?.windowMs,
      member?.held,
      member?.countsAt,
      member?.wants.map(({ lane, sinceMs, isSpare, figures }) => [lane, sinceMs, isSpare, figures]),
    ]);
  return (
    before?.isRemembered === false &&
    // Whoever gets no answer to its writes has not been heard (H6).
    before.writes === answered &&
    textOf(before) === textOf(now) &&
    document.hiMs < saysAgainAtMs(document, id, before.writtenHiMs)
  );
}

/** Whether what the hub says is believed (H9); `lentMs` is when it was last ready to lend. */
function isTrusted(
  { waiting }: ReturnType<RateLimit['read']>,
  lentMs: number,
  nowMs: number,
  windowMs: number,
): boolean {
  const distrustAfterMs = distrustAfterWindows * windowMs;
  // mutant: a hub that lends a person nothing is believed (H9)
  // mutant: a hub that never lends again is believed (H9)
  return lentMs === nowMs
    ? !waiting.some((one) => isUrgent(one) && nowMs - one.sinceMs > distrustAfterMs)
    : nowMs - lentMs <= growAfterMs(windowMs) + distrustAfterMs;
}

/** The lanes that wait, each since its first waiter came; what is spare counts only where nothing else waits. */
function wantsOf({ waiting }: ReturnType<RateLimit['read']>, nowMs: number): Report['wants'] {
  const firm = waiting.filter(({ isSpare }) => isSpare !== true);
  return lanes.flatMap((lane) => {
    const some = (firm.length > 0 ? firm : waiting).filter((one) => one.lane === lane);
    if (some.length === 0) {
      return [];
    }
    const figures = some.flatMap(({ purpose }) => purpose.figure ?? []);
    return [
      {
        lane,
        waitedMs: nowMs - Math.min(...some.map(({ sinceMs }) => sinceMs)),
        ...(firm.length > 0 ? {} : { isSpare: true }),
        ...(figures.length === some.length && figures.length <= maxFigures ? { figures } : {}),
      },
    ];
  });
}

/**
 * Makes what says whether all is over that was lent before something was lost here (H8): the hub is intact, or a terminal
 * has seen its life for so long, in the longest window that can be set.
 */
function createLifeWatch(sealed: SealedDocument, clock: Clock) {
  let life: { readonly name: string | null; readonly sinceMs: number; isTold: boolean } | null = null;

  return async (
    { life: name, isIntact, document }: HubReading,
    askedMs: number,
  ): Promise<Result<boolean, HubFailureKind>> => {
    life = life?.name === name ? life : { name, sinceMs: clock.uptimeMs(), isTold: false };
    // mutant: a life of the hub is an old one at once (H8)
    const isSeen = askedMs - life.sinceMs > growAfterMs(maxWindowMs);
    if (isIntact || name === null || (document !== null && (!isSeen || life.isTold))) {
      return succeed(isIntact);
    }
    const told = await sealed.isOldLife(name, isSeen);
    life.isTold = told.ok && told.value;
    // Whoever cannot know whether a document was lost asks again, and makes no first one that waits for minutes.
    return told.ok || document !== null ? succeed(life.isTold) : told;
  };
}

type LastPlan = Pick<Plan, 'wants' | 'isFree' | 'pacedForMs' | 'lendsInMs' | 'lent'>;
const noPlan: LastPlan = { wants: [], isFree: false, pacedForMs: 0, lendsInMs: 0, lent: null };

/** A person's wish for the next exchange. */
export type Intent = Pick<Report, 'ending' | 'removed'>;
type Given = Intent & Pick<Report, 'countsAt' | 'isNewcomer'>;

/** Makes what reads the document, and writes this terminal's record into it. */
export function createHubExchange(
  { clock, random, self, windowMs, onTwin, ...sealedPorts }: HubExchangePorts,
  rateShare: RateShare,
  turns: LentTurns,
  refusal: SharedRefusal,
) {
  const sealed = createSealedDocument({ random, ...sealedPorts });
  const run = random.uuid().slice(0, 8);
  let writes = rateShare.answered();
  let base: (TimeBase & { readonly epoch: string }) | null = null;
  const startMs = clock.uptimeMs();
  let [heardMs, lentMs] = [startMs, startMs];
  let firstMs: number | null = null;
  let heardHiMs: number | null = null;
  const isOver = createLifeWatch(sealed, clock);
  let lastReport: LastPlan & { readonly saysAgainMs: number } = {
    ...noPlan,
    saysAgainMs: heardMs + heartbeatMs * spreadOf(random),
  };

  function reportNow(limits: RateLimit, nowMs: number, { hiMs }: HubTime, given: Given): Report {
    const reading = limits.read();
    const { held, limit, rules } = reading;
    return {
      ...self,
      held,
      wants: wantsOf(reading, nowMs),
      limit,
      wholeLimit: rules.limit,
      reserve: rules.reserve,
      windowMs: windowMs(),
      ...given,
      writes: nextCount(writes),
      run,
      heardHiMs: heardHiMs ?? hiMs - silentAfterMs - 1,
      isFirst: base === null,
      // Longer than another run's heartbeat, after which that knows of this one.
      keepsRights: nowMs - (firstMs ??= nowMs) <= silentAfterMs,
    };
  }

  function holdNothing(): ExchangeFailure {
    turns.giveBack();
    rateShare.lower({ rights: 0, own: 0, share: 0, countsAt: null, lent: null });
    return 'failed';
  }

  return {
    /** When the last exchange was begun that was answered and believed, or this process. */
    heardMs: () => heardMs,
    hasJoined: () => heardHiMs !== null,
    /** The hub's time now; null before this terminal has joined. */
    time: (): HubMoment | null => {
      if (base === null || heardHiMs === null) {
        return null;
      }
      const passedMs = clock.uptimeMs() - base.uptimeMs;
      return { epoch: base.epoch, loMs: base.loMs + passedMs, hiMs: base.hiMs + passedMs };
    },
    /** This terminal's last report of itself, and at which uptime it says it again. */
    lastReport: () => lastReport,
    /** One reading and at most one write. Answers null when it was answered, or why it was not. Throws StorageError. */
    once: async (limits: RateLimit, intent: Intent): Promise<ExchangeFailure | null> => {
      const askedMs = clock.uptimeMs();
      const opened = await sealed.read();
      if (!opened.ok) {
        return opened.failure;
      }
      const { document } = opened.value;
      const over = await isOver(opened.value.reading, askedMs);
      if (!over.ok) {
        return over.failure;
      }
      const reading = { ...opened.value.reading, isIntact: over.value };
      const own = { id: self.id, answered: rateShare.answered(), windowMs: windowMs() };
      // Who has written here with this key knows that it is the right one: what it cannot read is lost (H8).
      // mutant: what a terminal cannot read is lost, whatever its key (H8)
      if (document === 'unreadable' && !rateShare.isKnownHere()) {
        return 'otherKey';
      }
      const { serverMs, version } = reading;
      const nowMs = clock.uptimeMs();
      const found = document === 'unreadable' ? null : document;
      const read = withoutLoss(found, rateShare.memory(), own, reading, () => random.uuid());
      if (base?.epoch !== read.epoch) {
        // Its clocks began anew.
        [base, heardHiMs] = [null, null];
      }
      const mine = read.members[self.id];
      // mutant: what another run writes over its record is taken for its own (H16)
      if (heardHiMs !== null && isOfAnother(mine, run, own.answered)) {
        onTwin();
        return holdNothing();
      }
      // So a twin's are never fewer than those that this terminal has had answered, which would be a loss (H8).
      writes = Math.max(writes, mine?.writes ?? 0);
      const hubTime = hubTimeAt(read, serverMs, nowMs, base);
      const isLate = nowMs - startMs > latestArrivalMs + windowOf(read, own.windowMs);
      const report = reportNow(limits, nowMs, hubTime, { ...intent, ...rateShare.accountsNow(mine?.countsAt, isLate) });
      const plan = planExchange(refusal.report(read, limits, hubTime.loMs), serverMs, hubTime, report);
      base = { ...hubTime, uptimeMs: nowMs, epoch: read.epoch };
      const saysAgainMs = nowMs + saysAgainAtMs(plan.document, self.id, hubTime.hiMs) - hubTime.hiMs;
      lastReport = { ...plan, lent: null, saysAgainMs };
      turns.giveBack();
      rateShare.lower(plan);
      lentMs = plan.document.loMs >= plan.document.lendsFromMs ? nowMs : lentMs;
      const isBelieved = isTrusted(limits.read(), lentMs, nowMs, windowOf(plan.document, windowMs()));
      const isNews = !isUnchanged(mine, plan, self.id, own.answered);
      if (isNews || plan.lent !== null || refusal.isPending() || intent.removed.length > 0) {
        writes = nextCount(writes);
        const written = await sealed.write(reading, plan.document);
        if (!written.ok || !written.value) {
          return written.ok ? 'contended' : written.failure.kind;
        }
        rateShare.raise(plan, version + 1, writes, clock.uptimeMs(), isBelieved);
        if (plan.lent !== null) {
          turns.lend(plan.lent, askedMs);
          lastReport = { ...lastReport, lent: plan.lent };
        }
        heardHiMs = isBelieved ? hubTime.hiMs : heardHiMs;
      }
      heardMs = isBelieved ? askedMs : heardMs;
      refusal.adopt(plan.document, limits, hubTime.loMs);
      return null;
    },
  };
}

export type HubExchange = ReturnType<typeof createHubExchange>;
