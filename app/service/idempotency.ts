// The idempotency rules of API v3 §8: the first answer to a key is kept whatever it was, and given again for ever.
import { randomUUID } from 'node:crypto';
import { problem, refuse, refuseFields, withHeaders, type PlatformAnswer } from './answers.ts';
import type { Readings } from './readings.ts';
import { OvertakenError, type AnswerRecord, type Effect, type KeptAnswer, type Ledger } from './ports.ts';
import type { Seal } from './seal.ts';

const maxKeyLength = 100;

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
  /** Null where nothing changes. */
  readonly effect: Effect | null;
}

/** The answer alone. */
export const changeNothing = (answer: PlatformAnswer): Outcome => ({ answer, effect: null });

/**
 * Answers afresh and makes the change, in one with the record of the answer where there is one: afresh once more where
 * another request was faster. `before` is the answer that the key had all the same.
 */
export async function carryOut(
  ledger: Ledger,
  answerAfresh: () => Promise<Outcome>,
  recordOf: (answer: PlatformAnswer) => AnswerRecord | null = () => null,
  isAgain = false,
): Promise<{ readonly answer: PlatformAnswer; readonly before: KeptAnswer | null }> {
  const { answer, effect } = await answerAfresh();
  const record = recordOf(answer);
  try {
    return { answer, before: effect === null && record === null ? null : await ledger.change(effect, record) };
  } catch (error) {
    if (isAgain || !(error instanceof OvertakenError)) {
      throw error;
    }
    return carryOut(ledger, answerAfresh, recordOf, true);
  }
}

/** The keys whose first requests are under way, by application. */
export type UnderWay = Map<string, Promise<unknown>>;

/**
 * Answers from the key when it was used before by this application; otherwise answers afresh, and keeps that. A request
 * whose key is under way waits for its answer.
 */
export async function answerOnce(
  underWay: UnderWay,
  ledger: Ledger,
  seal: Seal,
  clientId: string,
  key: string,
  readings: Readings,
  answerAfresh: () => Promise<Outcome>,
): Promise<PlatformAnswer> {
  const name = JSON.stringify([clientId, key]);
  const replay = (kept: KeptAnswer): PlatformAnswer => {
    const opened = seal.open(kept);
    if (opened === null) {
      return echo(refuseFields([problem('Idempotency-Key', 'unique')]), key, false, readings);
    }
    const { status, body } = opened;
    const type = body.startsWith('<') ? 'text/html; charset=utf-8' : 'application/json';
    return echo({ status, headers: body === '' ? {} : { 'content-type': type }, body }, key, true, readings);
  };
  const recordOf = ({ status, body }: PlatformAnswer): AnswerRecord | null =>
    isKept(status, readings) ? { clientId, key, ...seal.close({ status, body }) } : null;
  const answer = async (): Promise<PlatformAnswer> => {
    const kept = await ledger.readAnswer(clientId, key);
    if (kept !== null) {
      return replay(kept);
    }
    const { answer: fresh, before } = await carryOut(ledger, answerAfresh, recordOf);
    // One that is not kept may be refused because the same request was made elsewhere meanwhile.
    const made = before ?? (isKept(fresh.status, readings) ? null : await ledger.readAnswer(clientId, key));
    return made === null ? echo(fresh, key, false, readings) : replay(made);
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
