import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowserHost } from '../support/browser-host.ts';
import type { Child } from '../support/child.ts';
import type { Platform } from '../support/platform.ts';
import { stockId } from './fixtures.ts';

interface MeasuredHost {
  readonly origin: string;
  /** The name and value of the cookie that lets a page in. */
  readonly cookie: { readonly name: string; readonly value: string };
  readonly child: Child;
  /** Calls a channel and answers what it answers. */
  invoke(channel: string, input: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

/** Makes a data directory with a file that provisions a terminal for this platform. */
export function provision(dataDirectory: string, platform: Platform): void {
  mkdirSync(join(dataDirectory, 'store'), { recursive: true });
  const { url: platformUrl, clientId, clientSecret, companyId } = platform;
  writeFileSync(
    join(dataDirectory, 'provision.json'),
    JSON.stringify({ platformUrl, clientId, clientSecret, companyId, stockIds: [stockId], language: 'en' }),
  );
}

/** Starts the host on a provisioned data directory and goes in through its door. */
export async function startHost(dataDirectory: string): Promise<MeasuredHost> {
  const { url, child } = await startBrowserHost([
    '--data-dir',
    dataDirectory,
    '--provision',
    join(dataDirectory, 'provision.json'),
    '--lang',
    'en',
  ]);
  const { origin } = new URL(url);
  const entered = await fetch(url, { redirect: 'manual' });
  const [name = '', value = ''] = (entered.headers.getSetCookie()[0] ?? '').split(';')[0]?.split('=') ?? [];
  return {
    origin,
    cookie: { name, value },
    child,
    invoke: async (channel, input) => {
      const headers = { Cookie: `${name}=${value}`, Origin: origin, 'Content-Type': 'application/json' };
      const response = await fetch(`${origin}/invoke/${channel}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(input),
      });
      return (await response.json()) as unknown;
    },
    stop: async () => {
      await child.stop();
    },
  };
}

/** The resident set of a process in bytes, as Linux counts it; NaN elsewhere. */
export function residentBytes({ process }: Child): number {
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${process.pid ?? 0}/status`, 'utf8'))?.[1];
    return kibibytes === undefined ? Number.NaN : Number(kibibytes) * 1024;
  } catch {
    return Number.NaN;
  }
}
