// Answers to questions put to Electron's main process by `application.evaluate`. V8 collects an answer before it is
// sent when the process is busy; the call has run by then (microsoft/playwright#33737). So the app keeps each answer,
// and one that was collected is asked for again: every call runs once.
import type { ElectronApplication } from 'playwright-core';

interface Asked {
  /** The name under which the answer is kept. */
  readonly key: string;
  readonly source: string;
  readonly given: unknown;
  /** The key of the answer that the call is given in place of Electron; null for Electron. */
  readonly on: string | null;
  /** Whether the answer stays in the app. */
  readonly isHandle: boolean;
}

/** Runs in the app: runs the call unless it has run. */
function answerOf(electron: unknown, { key, source, given, on, isHandle }: Asked): unknown {
  const kept = globalThis as unknown as Record<string, { readonly answer: unknown }>;
  if (kept[key] === undefined) {
    // oxlint-disable-next-line no-eval -- a test's own function
    const call = globalThis.eval(`(${source})`) as (what: unknown, given: unknown) => unknown;
    kept[key] = { answer: call(on === null ? electron : kept[on]?.answer, given) };
  }
  return isHandle ? undefined : kept[key].answer;
}

/** Makes sure of the answers of `evaluate`, of `evaluateHandle`, and of `evaluate` and `jsonValue` of its handles. */
export function makeSureOfAnswers(application: ElectronApplication): void {
  const evaluate = application.evaluate.bind(application);
  let calls = 0;
  const ask = async (call: unknown, given: unknown, { on = null, isHandle = false }: Partial<Asked> = {}) => {
    calls += 1;
    const asked: Asked = { key: `answer ${String(calls)}`, source: String(call), given, on, isHandle };
    for (;;) {
      try {
        return { key: asked.key, answer: await evaluate(answerOf, asked) };
      } catch (error) {
        if (!String(error).includes('promise was garbage collected')) {
          throw error;
        }
      }
    }
  };
  Object.assign(application, {
    evaluate: async (call: unknown, given: unknown) => (await ask(call, given)).answer,
    evaluateHandle: async (call: unknown, given: unknown) => {
      const { key: on } = await ask(call, given, { isHandle: true });
      return {
        evaluate: async (onIt: unknown, more: unknown) => (await ask(onIt, more, { on })).answer,
        jsonValue: async () => (await ask((value: unknown) => value, undefined, { on })).answer,
      };
    },
  });
}
