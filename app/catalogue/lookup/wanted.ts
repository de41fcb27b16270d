import type { Failure } from '../../domain/failure.ts';
import type { Result } from '../../domain/result.ts';

/** The answer that is under way already for this key, or a new one (K4). */
export function createOnce<Value>() {
  const running = new Map<string, Promise<Value>>();
  return (key: string, start: () => Promise<Value>): Promise<Value> => {
    const before = running.get(key);
    if (before !== undefined) {
      return before;
    }
    const started = start().finally(() => running.delete(key));
    running.set(key, started);
    return started;
  };
}

/** Makes the list of questions whose answer a person waits for now (K5). */
export function createWanted(isOpen: () => boolean) {
  let wanted = new AbortController();
  return {
    signal: (): AbortSignal => wanted.signal,
    // mutant: what a cashier has turned away from is sent all the same (A4)
    turnAway(): void {
      wanted.abort(); // K5
      wanted = new AbortController();
    },
    /** Asks anew when it only joined a question of an earlier lookup, which has been turned away since. */
    async whileShown<Value>(askOnce: () => Promise<Result<Value, Failure>>): Promise<Result<Value, Failure>> {
      const whileWanted = wanted.signal;
      const answer = await askOnce();
      return !answer.ok && answer.failure.kind === 'cancelled' && !whileWanted.aborted && isOpen() ? askOnce() : answer;
    },
  };
}
