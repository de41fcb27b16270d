// Whether what the terminal says of its connection, and of what is being sent, agrees with the wire within a bound.
import type { Exchange } from './network.ts';
import { deathsOf, type Run, type Violation } from './judging.ts';
import type { WireAnswer } from './referee.ts';
import type { Reported } from './reported-evidence.ts';

/** Snapshots are sent a moment after the change. */
const reportingMs = 1_000;
/** The longest that an unanswered call is waited for before it is told (W3 of app/platform/connection.ts). */
const silenceMs = 8_000 + reportingMs;
type Meaning = 'answer' | 'fault' | 'cut' | 'nothing';

/** Whether it is some machine's page: the platform answers JSON (API v3 §2). */
function isPage({ headers, body }: Pick<WireAnswer, 'headers' | 'body'>): boolean {
  return body.trim() !== '' && (/\bhtml\b/i.test(headers['content-type'] ?? '') || /^\s*</.test(body));
}

function meaningOf({ outcome }: Exchange): Meaning {
  if (outcome === null) {
    return 'nothing';
  }
  if (!outcome.ok) {
    const { kind } = outcome.failure;
    return kind === 'unreachable' || kind === 'tlsRejected' || kind === 'timedOut' ? 'cut' : 'nothing';
  }
  const { status } = outcome.value;
  if (status >= 500) {
    return 'fault';
  }
  return status < 200 || (status >= 300 && status < 400) || isPage(outcome.value) ? 'nothing' : 'answer';
}

/** I29 */
export function checkConnection(run: Run): Violation[] {
  const { evidence, exchanges, refusals } = run;
  const { all, changes } = evidence.reported;
  const deaths = deathsOf(evidence);
  const troubles = [...changes, ...evidence.fullDisks, ...evidence.sessionTroubles, ...evidence.copy.sleeps];
  const isUnsure = (fromMs: number, toMs: number): boolean =>
    troubles.some((trouble) => trouble.fromMs <= toMs && trouble.toMs >= fromMs) ||
    evidence.damages.some(({ atMs }) => atMs <= toMs);

  /** The report at that time of the run that sent this; null where nobody can say. */
  function reportedAt(life: number, fromMs: number, atMs: number): Reported | null {
    const isOver = (deaths.get(life) ?? Number.POSITIVE_INFINITY) <= atMs || run.endMs <= atMs;
    const reported = isOver || isUnsure(fromMs, atMs) ? undefined : all.findLast((one) => one.atMs <= atMs);
    return reported?.life === life && reported.state !== null ? reported : null;
  }

  const ofLife = Map.groupBy(exchanges, ({ life }) => life);
  return exchanges.flatMap((exchange): Violation[] => {
    const { life, sentAtMs, endedAtMs, number } = exchange;
    const mine = ofLife.get(life) ?? [];
    const between = (fromMs: number, toMs: number): readonly Meaning[] =>
      mine
        .filter((other) => other.endedAtMs !== null && other.endedAtMs > fromMs && other.endedAtMs <= toMs)
        .map(meaningOf);
    const violation = (atMs: number, what: string): Violation[] => [
      { rule: 'I29', atMs, what: `${what} #${String(number)}` },
    ];
    const isDown = (reported: Reported | null): boolean =>
      reported === null || reported.state === 'offline' || reported.state === 'noAnswer';

    const silentMs = sentAtMs + silenceMs;
    if ((endedAtMs === null || endedAtMs > silentMs) && between(sentAtMs - 1, silentMs).length === 0) {
      const reported = reportedAt(life, sentAtMs, silentMs);
      return isDown(reported) ? [] : violation(silentMs, `"${reported?.state ?? ''}" though nothing answers`);
    }
    if (endedAtMs === null) {
      return [];
    }
    const heardMs = endedAtMs + reportingMs;
    const reported = reportedAt(life, sentAtMs, heardMs);
    const after = between(endedAtMs - 1, heardMs);
    const meaning = meaningOf(exchange);
    if (meaning === 'cut' && !isDown(reported) && !between(sentAtMs - 1, heardMs).includes('answer')) {
      return violation(heardMs, `"${reported?.state ?? ''}" after the failure of`);
    }
    if (meaning === 'answer' && reported !== null && isDown(reported) && after.every((one) => one === 'answer')) {
      const isSilent = mine.some((other) => other.sentAtMs > endedAtMs && other.sentAtMs <= heardMs);
      const isRefused = refusals.some((one) => one.life === life && one.atMs >= endedAtMs && one.atMs <= heardMs);
      return isSilent || isRefused ? [] : violation(heardMs, `"${reported.state ?? ''}" after the answer of`);
    }
    if (exchange.key !== null && reported !== null && reported.inFlight > 0) {
      const isRecent = (one: { readonly key: string | null; readonly sentAtMs: number }, endMs: number): boolean =>
        one.key !== null && one.sentAtMs <= heardMs && endMs >= heardMs - reportingMs;
      const isOpen =
        mine.some((other) => other !== exchange && isRecent(other, other.endedAtMs ?? heardMs)) ||
        refusals.some((other) => other.life === life && isRecent(other, other.atMs));
      return isOpen ? [] : violation(heardMs, 'a change is sending after the end of');
    }
    return [];
  });
}
