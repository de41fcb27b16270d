import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Channel, InvokeInput, InvokeOutput } from '../../app/contract/contract.ts';
import { writeJson } from '../../app/domain/json.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';
import { startChild, type Child } from '../support/child.ts';

const preload = (name: string): string[] => ['--import', pathToFileURL(resolve(import.meta.dirname, name)).href];

interface HostOptions {
  /** Of `buildHost`. */
  readonly script: string;
  readonly dataDirectory: string;
  readonly provisionPath: string;
  /** How far the machine's uptime runs ahead, see rested.ts. */
  readonly leadMs: number;
  /** A module beside this one to load before the host, such as hasty-commit.ts; null for none. */
  readonly preloaded: string | null;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Host {
  readonly child: Child;
  /** Waits for the address and opens it. Answers false when the process ended before. */
  enter(): Promise<boolean>;
  /** Once it is entered: what lets a page in. */
  door(): { readonly origin: string; readonly cookie: string };
  /** Calls the host as its page would; null when it died before it answered. */
  invoke<Name extends Channel>(
    channel: Name,
    input: InvokeInput<Name>,
  ): Promise<Result<InvokeOutput<Name>, Failure> | null>;
  /** Kills it without a warning. */
  kill(): void;
  /** True when it has ended, or is about to, because of `kill`. */
  isKilled(): boolean;
}

/** Starts the browser host on the data directory. */
export function startHost({
  script,
  dataDirectory,
  provisionPath,
  leadMs,
  preloaded,
  environment = {},
}: HostOptions): Host {
  const child = startChild(
    process.execPath,
    [
      ...preload('rested.ts'),
      ...preload('with-parent.ts'),
      ...(preloaded === null ? [] : preload(preloaded)),
      script,
      '--port',
      '0',
      '--data-dir',
      dataDirectory,
      '--provision',
      provisionPath,
    ],
    { environment: { TILLSIDE_TEST_UPTIME_LEAD_MS: String(leadMs), ...environment } },
  );
  let isKilled = false;
  let origin = '';
  let cookie = '';

  /** The action's answer; null when it failed because the host was killed. */
  async function orNull<Value>(action: () => Promise<Value>): Promise<Value | null> {
    try {
      return await action();
    } catch (error) {
      if (isKilled) {
        return null;
      }
      throw error;
    }
  }

  return {
    child,
    enter: async () => {
      const opened = await orNull(async () => {
        const [, url = ''] = await child.waitForLine(
          /^Tillside is at (http:\/\/127(?:\.\d+){3}:\d+\/\?token=\S+)$/,
          60_000,
        );
        const entered = await fetch(url, { redirect: 'manual' });
        cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
        ({ origin } = new URL(url));
        return true;
      });
      return opened === true;
    },
    door: () => ({ origin, cookie }),
    invoke: async (channel, input) =>
      orNull(async () => {
        const headers = { Cookie: cookie, Origin: origin, 'Content-Type': 'application/json' };
        const response = await fetch(`${origin}/invoke/${channel}`, {
          method: 'POST',
          headers,
          body: writeJson(input),
        });
        return (await response.json()) as Result<InvokeOutput<typeof channel>, Failure>;
      }),
    kill: () => {
      isKilled = true;
      child.process.kill('SIGKILL');
    },
    isKilled: () => isKilled,
  };
}

/**
 * Waits until all of the queue has gone out; answers what is left of it after so many milliseconds, or null. Throws when
 * the terminal does not answer, or has set its queue aside.
 */
export async function drainQueue(host: Host, maxMs: number): Promise<string | null> {
  const endsAt = performance.now() + maxMs;
  for (;;) {
    const state = await host.invoke('terminal:read', {});
    if (state?.ok !== true || state.value.notices.some(({ kind }) => kind === 'queueSetAside')) {
      throw new Error(`the terminal says: ${JSON.stringify(state)}`);
    }
    const { pending, inFlight } = state.value.queue;
    if (pending + inFlight === 0) {
      return null;
    }
    if (performance.now() > endsAt) {
      return `${pending} pending and ${inFlight} under way after ${maxMs / 1000} s`;
    }
    await sleep(50);
  }
}
