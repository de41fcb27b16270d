// Owns the idempotency rules of API v3 §8: the first answer to a key is kept whatever it was, and given again for ever.
// Handling is synchronous, so a second request with a key always finds the first one's answer. Never applies anything itself.
import { problem, refuse, refuseFields, withHeaders, type PlatformAnswer } from './answers.ts';
import type { Knobs } from './knobs.ts';
import type { TrainingStore } from './store.ts';

const longestKey = 100;

/** Refuses a missing or too long key, which is then not kept; null when the key is good. */
export function refuseKey(key: string | undefined): PlatformAnswer | null {
  if (key === undefined || key === '') {
    return refuse(400, 'missing_headers', 'O cabeçalho Idempotency-Key é obrigatório.', [problem('Idempotency-Key', 'required')]);
  }
  return key.length > longestKey ? refuseFields([problem('Idempotency-Key', 'max_length', [longestKey])]) : null;
}

/** Answers from the key when it was used before by this application; otherwise answers afresh, and keeps that. */
export function answerOnce(
  store: TrainingStore,
  clientId: string,
  key: string,
  replayedAs: Knobs['replayedAs'],
  answerAfresh: () => PlatformAnswer,
): PlatformAnswer {
  const kept = store.readAnswer(clientId, key);
  if (kept !== null) {
    const type = kept.body.startsWith('<') ? 'text/html; charset=utf-8' : 'application/json';
    const headers: Record<string, string> = kept.body === '' ? {} : { 'content-type': type };
    return echo({ status: kept.status, headers, body: kept.body }, key, true, replayedAs);
  }
  const answer = answerAfresh();
  store.keepAnswer(clientId, key, { status: answer.status, body: answer.body });
  return echo(answer, key, false, replayedAs);
}

/** Adds the two headers of rule 5. */
export function echo(answer: PlatformAnswer, key: string, isReplayed: boolean, replayedAs: Knobs['replayedAs']): PlatformAnswer {
  const replayed = { words: String(isReplayed), digits: isReplayed ? '1' : '0', onReplayOnly: isReplayed ? 'true' : null }[replayedAs];
  return withHeaders(answer, { 'idempotency-key': key, ...(replayed === null ? {} : { 'idempotency-replayed': replayed }) });
}
