// Reads evidence alone; never knows how the rate limit works inside.
//
//   A1  No window sees more arrivals than the limit that was set when the last of them left.
//   A2  A scan's first question leaves at once while the reserve is not used up, whatever the machines are doing.
//   A3  The queue and the catalogue have their shares, however many persons ask.
//   A4  What a cashier has turned away from before it left, never leaves.
//   A5  Every answer is about what was asked.
//   A6  Nothing leaves before a 429's pause is over, in whichever form it was sent.
//   A7  No question of a person waits for ever, however many newer ones come.
//   A8  After a 429 that shows that others are there, the catalogue takes no more in a window than was to be had
//       before.
//   A9  Whoever is alone again has the whole limit again.
//   A10 What is spare leaves only while nobody else waits, and while half of the limit is free with it.
import type { Violation } from '../judging.ts';

export type CounterLane = 'person' | 'queue' | 'catalogue' | 'spare';

export interface CounterRules {
  readonly limit: number;
  readonly windowMs: number;
  readonly reserve: number;
}

/** One thing that left the terminal. */
export interface Sent {
  readonly lane: CounterLane;
  readonly subject: string;
  readonly leftAtMs: number;
  readonly rules: CounterRules;
  arrivedAtMs: number;
  answeredAtMs: number;
  /** How long the platform asks to wait; null when it took it. */
  pauseMs: number | null;
}

/** One question of a person. */
export interface Question {
  readonly subject: string;
  readonly askedAtMs: number;
  /** Whether a next scan turns away from it. */
  readonly isOfScan: boolean;
  turnedAwayAtMs: number;
  answeredAtMs: number | null;
  /** The subject of the answer; null for none. */
  answeredSubject: string | null;
}

export interface CounterEvidence {
  readonly sent: readonly Sent[];
  readonly questions: readonly Question[];
  /** When the figures were set. */
  readonly changes: readonly { readonly atMs: number; readonly rules: CounterRules }[];
  /** Times in which somebody else than a person waited for a slot. */
  readonly waits: readonly { readonly fromMs: number; readonly toMs: number }[];
  /** Times in which persons, queue and catalogue all asked without end. */
  readonly crowds: readonly { readonly fromMs: number; readonly toMs: number }[];
  /** From when on nobody else used the account, to the end. */
  readonly aloneFromMs: number;
  readonly endMs: number;
}

const atOnceMs = 50;
/** HTTP dates have whole seconds, and the answer takes its way, too. */
const wholeSecondsMs = 1_300;
const shares = { queue: 4, catalogue: 2 } as const;
const doubtWindows = 15;

function complain(rule: Violation['rule'], atMs: number, what: string): Violation {
  return { rule, atMs, what };
}

/** A1 */
function checkLimit({ sent }: CounterEvidence): Violation[] {
  const byArrival = sent
    .filter(({ arrivedAtMs }) => Number.isFinite(arrivedAtMs))
    .toSorted((left, right) => left.arrivedAtMs - right.arrivedAtMs);
  const worst = byArrival.find((last, place) => {
    const { limit, windowMs } = last.rules;
    const isNear = (other: Sent): boolean =>
      other.leftAtMs <= last.leftAtMs && Math.abs(other.arrivedAtMs - last.arrivedAtMs) < windowMs;
    // No limit of the simulation lets more than these be near.
    const near = byArrival.slice(Math.max(0, place - 200), place + 200).filter(isNear);
    return near.some(
      (first, from) =>
        first.arrivedAtMs <= last.arrivedAtMs &&
        near.filter(({ arrivedAtMs }, at) => at >= from && arrivedAtMs < first.arrivedAtMs + windowMs).length > limit,
    );
  });
  return worst === undefined
    ? []
    : [
        complain(
          'A1',
          worst.arrivedAtMs,
          `more than ${String(worst.rules.limit)} arrivals in ${String(worst.rules.windowMs)} ms`,
        ),
      ];
}

function refusalsOf({ sent }: CounterEvidence): readonly Sent[] {
  return sent.filter(({ pauseMs }) => pauseMs !== null);
}

/** Whether nothing but the plain rules holds at this time: no refusal lately, no change of the figures. */
function isPlain(evidence: CounterEvidence, fromMs: number, toMs: number): boolean {
  const { windowMs } = rulesAt(evidence, toMs);
  const isRefused = refusalsOf(evidence).some(
    ({ answeredAtMs }) => answeredAtMs <= toMs && answeredAtMs > fromMs - 18 * windowMs,
  );
  return !isRefused && !evidence.changes.some(({ atMs }) => atMs > 0 && atMs <= toMs && atMs > fromMs - windowMs);
}

function rulesAt({ changes }: CounterEvidence, atMs: number): CounterRules {
  return (
    (changes.findLast((change) => change.atMs <= atMs) ?? changes[0])?.rules ?? {
      limit: 60,
      windowMs: 60_000,
      reserve: 3,
    }
  );
}

function departureOf({ sent }: CounterEvidence, { subject, askedAtMs }: Question): number | undefined {
  return sent.find((other) => other.subject === subject && other.leftAtMs >= askedAtMs)?.leftAtMs;
}

/** A2 */
function checkReserve(evidence: CounterEvidence): Violation[] {
  return evidence.questions.flatMap((question): Violation[] => {
    const { askedAtMs: atMs, subject } = question;
    const { windowMs, reserve } = rulesAt(evidence, atMs);
    const held = evidence.sent.filter(
      ({ lane, leftAtMs, answeredAtMs }) => lane === 'person' && leftAtMs <= atMs && answeredAtMs + windowMs > atMs,
    ).length;
    const isAlone = !evidence.questions.some(
      (other) =>
        other !== question &&
        other.askedAtMs <= atMs &&
        (other.answeredAtMs ?? evidence.endMs) > atMs &&
        other.turnedAwayAtMs > atMs,
    );
    const leftAfterMs = (departureOf(evidence, question) ?? evidence.endMs) - atMs;
    const isLate = leftAfterMs > atOnceMs && question.turnedAwayAtMs - atMs > atOnceMs;
    return isLate && isAlone && held < reserve - 1 && isPlain(evidence, atMs, atMs)
      ? [
          complain(
            'A2',
            atMs,
            `${subject} waited ${String(leftAfterMs)} ms though only ${String(held)} of the reserve were used`,
          ),
        ]
      : [];
  });
}

/** A3 */
function checkShares(evidence: CounterEvidence): Violation[] {
  return evidence.crowds.flatMap(({ fromMs, toMs }): Violation[] => {
    const { windowMs, limit } = rulesAt(evidence, fromMs);
    const windows = Math.floor((toMs - fromMs) / windowMs) - 1;
    if (windows < 2 || limit < 40 || !isPlain(evidence, fromMs, toMs)) {
      return [];
    }
    return (['queue', 'catalogue'] as const).flatMap((lane) => {
      const count = evidence.sent.filter(
        (other) => other.lane === lane && other.leftAtMs >= fromMs + windowMs && other.leftAtMs < toMs,
      ).length;
      const owed = (windows - 1) * shares[lane];
      return count < owed
        ? [
            complain(
              'A3',
              toMs,
              `the ${lane} sent ${String(count)} of at least ${String(owed)} among many persons' calls`,
            ),
          ]
        : [];
    });
  });
}

/** A4 */
function checkTurnedAway({ sent, questions }: CounterEvidence): Violation[] {
  return sent.flatMap((one): Violation[] => {
    const mine = questions.filter(
      ({ subject, askedAtMs, isOfScan }) => isOfScan && subject === one.subject && askedAtMs <= one.leftAtMs,
    );
    const isWanted = mine.some(({ turnedAwayAtMs }) => turnedAwayAtMs >= one.leftAtMs);
    return mine.length === 0 || isWanted
      ? []
      : [complain('A4', one.leftAtMs, `${one.subject} leaves though the cashier has turned away from it`)];
  });
}

/** A5 */
function checkAnswers({ questions }: CounterEvidence): Violation[] {
  return questions.flatMap(({ subject, answeredSubject, answeredAtMs }) =>
    answeredSubject === null || answeredSubject === subject
      ? []
      : [complain('A5', answeredAtMs ?? 0, `asked for ${subject}, and answered with ${answeredSubject}`)],
  );
}

/** A6 */
function checkPauses(evidence: CounterEvidence): Violation[] {
  return refusalsOf(evidence).flatMap(({ answeredAtMs, pauseMs }): Violation[] => {
    const hasty = evidence.sent.find(
      ({ leftAtMs }) => leftAtMs > answeredAtMs && leftAtMs < answeredAtMs + (pauseMs ?? 0) - wholeSecondsMs,
    );
    return hasty === undefined
      ? []
      : [
          complain(
            'A6',
            hasty.leftAtMs,
            `${hasty.subject} leaves ${String(hasty.leftAtMs - answeredAtMs)} ms after a 429 that asked for ${String(pauseMs)} ms`,
          ),
        ];
  });
}

/** A7 */
function checkPatience(evidence: CounterEvidence): Violation[] {
  return evidence.questions.flatMap((question): Violation[] => {
    const { windowMs } = rulesAt(evidence, question.askedAtMs);
    const boundMs = 2.5 * windowMs;
    const untilMs = question.askedAtMs + boundMs;
    const isWanted = question.turnedAwayAtMs > untilMs && untilMs < evidence.endMs;
    // One that was asked already is answered without leaving again.
    const hasLeft =
      Math.min(
        departureOf(evidence, question) ?? Number.POSITIVE_INFINITY,
        question.answeredAtMs ?? Number.POSITIVE_INFINITY,
      ) <= untilMs;
    return isWanted && !hasLeft && isPlain(evidence, question.askedAtMs, untilMs)
      ? [complain('A7', untilMs, `${question.subject} has waited for ${String(boundMs)} ms`)]
      : [];
  });
}

/** A8 */
function checkGrowth(evidence: CounterEvidence): Violation[] {
  const refusals = refusalsOf(evidence);
  return refusals.flatMap((refusal, place): Violation[] => {
    const { windowMs, limit } = rulesAt(evidence, refusal.answeredAtMs);
    const { answeredAtMs: atMs, pauseMs } = refusal;
    const before = refusals.slice(0, place).findLast((other) => other.answeredAtMs + (other.pauseMs ?? 0) < atMs);
    const isShown = before !== undefined && atMs - before.answeredAtMs < doubtWindows * windowMs - 60_000;
    const used = evidence.sent.filter(
      ({ leftAtMs, answeredAtMs }) => leftAtMs <= atMs && answeredAtMs + windowMs > atMs,
    ).length;
    const fromMs = atMs + (pauseMs ?? 0);
    const isSteady = !evidence.changes.some(
      (change) => change.atMs > atMs - windowMs && change.atMs < fromMs + 2 * windowMs,
    );
    if (!isShown || !isSteady || fromMs + 2 * windowMs > evidence.endMs) {
      return [];
    }
    const max = Math.max(Math.floor(limit / 10), Math.min(used, limit / 2));
    const sent = evidence.sent.filter(
      ({ lane, leftAtMs }) => lane === 'catalogue' && leftAtMs >= fromMs + windowMs && leftAtMs < fromMs + 2 * windowMs,
    ).length;
    return sent > max
      ? [
          complain(
            'A8',
            fromMs,
            `${String(sent)} left in a window soon after a 429, when ${String(used)} were to be had`,
          ),
        ]
      : [];
  });
}

/** A9 */
function checkRecovery(evidence: CounterEvidence): Violation[] {
  const { limit, reserve, windowMs } = rulesAt(evidence, evidence.endMs);
  const isLong =
    evidence.endMs - evidence.aloneFromMs > 19 * windowMs && isPlain(evidence, evidence.endMs, evidence.endMs);
  const count = evidence.sent.filter(({ leftAtMs }) => leftAtMs >= evidence.endMs - windowMs).length;
  return isLong && count < 0.9 * (limit - reserve) - 1
    ? [complain('A9', evidence.endMs, `only ${String(count)} left in the last window, long after others have gone`)]
    : [];
}

/** A10 */
function checkSpare(evidence: CounterEvidence): Violation[] {
  return evidence.sent.flatMap((one): Violation[] => {
    const { lane, leftAtMs: atMs, rules } = one;
    if (lane !== 'spare') {
      return [];
    }
    const asking = evidence.questions.find(
      (question) =>
        question.askedAtMs < atMs &&
        Math.min(question.turnedAwayAtMs, question.answeredAtMs ?? evidence.endMs) > atMs &&
        (departureOf(evidence, question) ?? evidence.endMs) > atMs,
    );
    const held = evidence.sent.filter(
      (other) => other.leftAtMs <= atMs && other.answeredAtMs + rules.windowMs > atMs,
    ).length;
    const isAmidst = evidence.waits.some(({ fromMs, toMs }) => fromMs < atMs && toMs > atMs);
    const trouble = [
      ...(asking === undefined ? [] : [`${asking.subject} waits`]),
      ...(isAmidst ? ['queue or catalogue wait'] : []),
      ...(2 * held > rules.limit ? [`${String(held)} of ${String(rules.limit)} count`] : []),
    ];
    return trouble.length === 0 ? [] : [complain('A10', atMs, `${one.subject} leaves while ${trouble.join(', ')}`)];
  });
}

/** Judges a counter; the earliest violation first. */
export function judgeCounter(evidence: CounterEvidence): readonly Violation[] {
  return [
    checkLimit,
    checkReserve,
    checkShares,
    checkTurnedAway,
    checkAnswers,
    checkPauses,
    checkPatience,
    checkGrowth,
    checkRecovery,
    checkSpare,
  ]
    .flatMap((check) => check(evidence))
    .sort((left, right) => left.atMs - right.atMs);
}
