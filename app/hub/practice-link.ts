import { z } from 'zod';
import { parseJson } from '../domain/json.ts';
import { createListeners } from '../domain/listeners.ts';
import { fail, mapResult, succeed, type Result } from '../domain/result.ts';
import type { Clock, Http, Timer } from '../ports.ts';
import { maxDocumentLength, maxRecordsLength, type HubFailure, type HubLink } from './link.ts';

/** Longer than the practice platform keeps a bell waiting. */
const bellTimeoutMs = 30_000;
const bellRetryMs = 3_000;

const count = z.int().min(0);
const readingSchema = z.object({
  version: count,
  document: z.string().nullable(),
  isIntact: z.boolean(),
  life: z.string().nullable(),
  rows: z.array(z.object({ member: z.string(), version: count, record: z.string() })).nullable(),
  serverMs: z.number(),
});
const writtenSchema = z.object({ isWritten: z.boolean() });
const bellSchema = z.object({ last: count, accounts: z.array(z.string()) });

/** Makes one call of the hub that the practice platform of this control panel's address keeps. */
export async function callPracticeHub<Value>(
  http: Http,
  controlUrl: string,
  call: Readonly<Record<string, unknown>>,
  schema: z.ZodType<Value>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Result<Value, HubFailure>> {
  const [address = '', key = ''] = controlUrl.split('#');
  const sent = await http.send({
    method: 'POST',
    url: `${address}hub`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(call),
    timeoutMs,
    maxBytes: 2 * (maxDocumentLength + maxRecordsLength),
    ...(signal === undefined ? {} : { signal }),
  });
  if (!sent.ok) {
    return fail({ kind: sent.failure.kind === 'timedOut' ? 'noAnswer' : 'unreachable' });
  }
  const { status, body } = sent.value;
  if (status === 401) {
    return fail({ kind: 'wrongPassword' });
  }
  const parsed = schema.safeParse(status === 200 ? parseJson(body) : null);
  return parsed.success ? succeed(parsed.data) : fail({ kind: 'failed' });
}

/** The way to the hub of the practice store whose control panel has this address. */
export function createPracticeLink(http: Http, clock: Pick<Clock, 'after'>, controlUrl: string): HubLink {
  const ending = new AbortController();
  const bell = createListeners<[account: string]>();
  let heard: number | null = null;
  let isListening = false;
  let timer: Timer | null = null;

  function call<Value>(what: Readonly<Record<string, unknown>>, schema: z.ZodType<Value>, timeoutMs: number) {
    return callPracticeHub(http, controlUrl, what, schema, timeoutMs, ending.signal);
  }

  async function hearBell(): Promise<void> {
    const rung = await call({ call: 'bell', after: heard }, bellSchema, bellTimeoutMs);
    if (ending.signal.aborted) {
      return;
    }
    if (rung.ok) {
      heard = rung.value.last;
      rung.value.accounts.forEach((account) => bell.emit(account));
    }
    timer = clock.after(rung.ok ? 0 : bellRetryMs, () => void hearBell());
  }

  return {
    read: (account, timeoutMs, since) => call({ call: 'read', account, since }, readingSchema, timeoutMs),
    write: async (account, { version, serverMs }, document, timeoutMs, rows) => {
      const asked = { call: 'write', account, version, serverMs, document, rows };
      const written = await call(asked, writtenSchema, timeoutMs);
      return mapResult(written, ({ isWritten }) => isWritten);
    },
    onBell: (listener) => {
      bell.add(listener);
      if (!isListening) {
        isListening = true;
        void hearBell();
      }
    },
    close: () => {
      ending.abort();
      timer?.cancel();
      return Promise.resolve();
    },
  };
}
