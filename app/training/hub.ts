import { z } from 'zod';
import { maxDocumentLength, maxRecordLength, maxRows, newsPrefix, type HubReading } from '../hub/link.ts';
import { createStoredText } from '../hub/stored-text.ts';
import { answerJson, type PlatformAnswer } from '../service/answers.ts';

/** A bell that nobody rings is answered after so long, in milliseconds. */
const bellWaitMs = 20_000;
const maxRings = 200;
const maxTexts = 5_000;

const account = z.string().min(1).max(500);
const count = z.int().min(0);
const callSchema = z.discriminatedUnion('call', [
  z.strictObject({ call: z.literal('join'), id: z.string().min(1).max(100) }),
  z.strictObject({ call: z.literal('read'), account, since: count.optional() }),
  z.strictObject({
    call: z.literal('write'),
    account,
    version: count,
    serverMs: z.number(),
    document: z.string().max(maxDocumentLength),
    rows: z
      .array(z.strictObject({ member: z.string().max(200), record: z.string().max(maxRecordLength).nullable() }))
      .max(maxRows)
      .optional(),
  }),
  z.strictObject({ call: z.literal('bell'), after: count.nullable() }),
]);
type Call = z.infer<typeof callSchema>;

/** The practice store's hub: registers in memory for tills of this machine. `now` is milliseconds since 1970. */
export function createPracticeHub(now: () => number) {
  const texts = new Map<string, ReturnType<typeof createStoredText>>();
  const rings: { readonly number: number; readonly account: string }[] = [];
  const waiting = new Set<() => void>();
  /** Beside the till whose platform this is. */
  const tills: string[] = [];
  let lastRing = 0;

  const textOf = (name: string) => texts.get(name) ?? createStoredText(now);
  const read = (name: string, since?: number): HubReading => textOf(name).read(since);

  function ring(name: string): void {
    lastRing += 1;
    rings.push({ number: lastRing, account: name });
    rings.splice(0, rings.length - maxRings);
    for (const wake of waiting) {
      wake();
    }
  }

  function write({ account: name, version, serverMs, document, rows }: Extract<Call, { call: 'write' }>): boolean {
    const isFull = !texts.has(name) && texts.size >= maxTexts;
    const text = textOf(name);
    if (isFull || !text.write(version, serverMs, document, rows)) {
      return false;
    }
    texts.set(name, text);
    if (name.startsWith(newsPrefix)) {
      ring(name);
    }
    return true;
  }

  async function waitForRing(after: number): Promise<void> {
    if (after >= lastRing) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          waiting.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, bellWaitMs).unref();
        waiting.add(wake);
      });
    }
  }

  async function carryOut(call: Call): Promise<object> {
    switch (call.call) {
      case 'join':
        if (!tills.includes(call.id)) {
          tills.push(call.id);
        }
        return { till: tills.indexOf(call.id) + 2 };
      case 'read':
        return read(call.account, call.since);
      case 'write':
        return { isWritten: write(call) };
      case 'bell': {
        const after = call.after ?? lastRing;
        if (call.after !== null) {
          await waitForRing(after);
        }
        return { last: lastRing, accounts: rings.filter(({ number }) => number > after).map((one) => one.account) };
      }
    }
  }

  return {
    /** Answers a call of a till that knows the key of this run. */
    answer: async (body: unknown): Promise<PlatformAnswer> => {
      const parsed = callSchema.safeParse(body);
      return parsed.success
        ? answerJson(200, await carryOut(parsed.data))
        : answerJson(422, { message: z.prettifyError(parsed.error).slice(0, 1000) });
    },
  };
}

export type PracticeHub = ReturnType<typeof createPracticeHub>;
