// The idempotency rules of API v3 §8: the first answer to a key is kept whatever it was, and given again for ever.
import { randomUUID } from 'node:crypto';
import { problem, refuse, refuseFields, withHeaders, type PlatformAnswer } from './answers.ts';
import type { Readings } from './readings.ts';
import type { Effect, KeptAnswer, Ledger } from './ports.ts';

const maxKeyLength = 100;
const maxAnswersInMemory = 1000;

/** Where the first answers to keys are kept. */
export type KeptAnswers = Pick<Ledger, 'readAnswer' | 'keepAnswer'>;

/** Keeps answers that must not be written to a disk, the newest thousand, for as long as the service runs. */
export function keepInMemory(): KeptAnswers {
  const answers = new Map<string, KeptAnswer>();
  const nameOf = (clientId: string, key: string): string => JSON.stringify([clientId, key]);
  return {
    readAnswer: (clientId, key) => answers.get(nameOf(clientId, key)) ?? null,
    keepAnswer: (clientId, key, answer, effect) => {
      effect();
      answers.set(nameOf(clientId, key), answer);
      const [oldest] = answers.keys();
      if (answers.size > maxAnswersInMemory && oldest !== undefined) {
        answers.delete(oldest);
      }
    },
  };
}

/** Whether an answer of this status is kept under its key. */
export function isKept(status: number, { keptRefusals }: Readings): boolean {
  const kind = { 401: 'unauthorized', 429: 'tooMany' }[status];
  return kind === undefined || keptRefusals === 'both' || keptRefusals === kind;
}

/** Refuses a missing or too long key, which is then not kept; null when the key is good. */
export function refuseKey(key: string | undefined): PlatformAnswer | null {
  if (key === undefined || key === '') {
    return refuse(400, 'missing_headers', 'O cabeçalho Idempotency-Key é obrigatório.', [
      problem('Idempotency-Key', 'required'),
    ]);
  }
  return key.length > maxKeyLength ? refuseFields([problem('Idempotency-Key', 'max_length', [maxKeyLength])]) : null;
}

/** What a request comes to: its answer, and the change that takes place with it. */
export interface Outcome {
  readonly answer: PlatformAnswer;
  readonly effect: Effect;
}

/** The answer alone. */
export const changeNothing = (answer: PlatformAnswer): Outcome => ({ answer, effect: () => {} });

/** The keys whose first requests are under way, by application. */
export type UnderWay = Map<string, Promise<unknown>>;

/**
 * Answers from the key when it was used before by this application; otherwise answers afresh, and keeps that. A request
 * whose key is under way waits for its answer.
 */
export async function answerOnce(
  underWay: UnderWay,
  answers: KeptAnswers,
  clientId: string,
  key: string,
  readings: Readings,
  answerAfresh: () => Promise<Outcome>,
): Promise<PlatformAnswer> {
  const name = JSON.stringify([clientId, key]);
  const answer = async (): Promise<PlatformAnswer> => {
    const kept = await answers.readAnswer(clientId, key);
    if (kept !== null) {
      const type = kept.body.startsWith('<') ? 'text/html; charset=utf-8' : 'application/json';
      const headers: Record<string, string> = kept.body === '' ? {} : { 'content-type': type };
      return echo({ status: kept.status, headers, body: kept.body }, key, true, readings);
    }
    const outcome = await answerAfresh();
    const { status, body } = outcome.answer;
    if (isKept(status, readings)) {
      await answers.keepAnswer(clientId, key, { status, body }, outcome.effect);
    } else {
      outcome.effect();
    }
    return echo(outcome.answer, key, false, readings);
  };
  const before = underWay.get(name);
  const own = before === undefined ? answer() : before.then(answer, answer);
  underWay.set(name, own);
  return own.finally(() => {
    if (underWay.get(name) === own) {
      underWay.delete(name);
    }
  });
}

/** Adds the two headers of rule 5 as they are without a key. */
export function echoNoKey(answer: PlatformAnswer, readings: Readings): PlatformAnswer {
  return readings.headersWithoutKey === 'absent'
    ? answer
    : echo(answer, readings.headersWithoutKey === 'generated' ? randomUUID() : null, false, readings);
}

/** Adds the two headers of rule 5. */
export function echo(
  answer: PlatformAnswer,
  key: string | null,
  isReplayed: boolean,
  { replayedAs }: Readings,
): PlatformAnswer {
  const replayed = {
    words: String(isReplayed),
    digits: isReplayed ? '1' : '0',
    onReplayOnly: isReplayed ? 'true' : null,
  }[replayedAs];
  return withHeaders(answer, {
    ...(key === null ? {} : { 'idempotency-key': key }),
    ...(replayed === null ? {} : { 'idempotency-replayed': replayed }),
  });
}
