// The idempotency rules of API v3 §8: the first answer to a key is kept whatever it was, and given again for ever.
import { randomUUID } from 'node:crypto';
import { problem, refuse, refuseFields, withHeaders, type PlatformAnswer } from './answers.ts';
import type { Variants } from '../options/variants.ts';
import type { KeptAnswer, TrainingStore } from '../data/store.ts';

const maxKeyLength = 100;
const maxAnswersInMemory = 1000;

/** Where the first answers to keys are kept. */
export type KeptAnswers = Pick<TrainingStore, 'readAnswer' | 'keepAnswer'>;

/** Keeps answers that must not be written to a disk, the newest thousand, for as long as the platform runs. */
export function keepInMemory(): KeptAnswers {
  const answers = new Map<string, KeptAnswer>();
  const nameOf = (clientId: string, key: string): string => JSON.stringify([clientId, key]);
  return {
    readAnswer: (clientId, key) => answers.get(nameOf(clientId, key)) ?? null,
    keepAnswer: (clientId, key, answer) => {
      answers.set(nameOf(clientId, key), answer);
      const [oldest] = answers.keys();
      if (answers.size > maxAnswersInMemory && oldest !== undefined) {
        answers.delete(oldest);
      }
    },
  };
}

/** Whether an answer of this status is kept under its key. */
export function isKept(status: number, { keptRefusals }: Variants): boolean {
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

/** Answers from the key when it was used before by this application; otherwise answers afresh, and keeps that. */
export function answerOnce(
  answers: KeptAnswers,
  clientId: string,
  key: string,
  variants: Variants,
  answerAfresh: () => PlatformAnswer,
): PlatformAnswer {
  const kept = answers.readAnswer(clientId, key);
  if (kept !== null) {
    const type = kept.body.startsWith('<') ? 'text/html; charset=utf-8' : 'application/json';
    const headers: Record<string, string> = kept.body === '' ? {} : { 'content-type': type };
    return echo({ status: kept.status, headers, body: kept.body }, key, true, variants);
  }
  const answer = answerAfresh();
  if (isKept(answer.status, variants)) {
    answers.keepAnswer(clientId, key, { status: answer.status, body: answer.body });
  }
  return echo(answer, key, false, variants);
}

/** Adds the two headers of rule 5 as they are without a key. */
export function echoNoKey(answer: PlatformAnswer, variants: Variants): PlatformAnswer {
  return variants.headersWithoutKey === 'absent'
    ? answer
    : echo(answer, variants.headersWithoutKey === 'generated' ? randomUUID() : null, false, variants);
}

/** Adds the two headers of rule 5. */
export function echo(
  answer: PlatformAnswer,
  key: string | null,
  isReplayed: boolean,
  { replayedAs }: Variants,
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
