import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { startChild, type Child } from './child.ts';

const root = resolve(import.meta.dirname, '../..');

export interface Platform {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly companyId: string;
  /** As a person would type them, with commas between. */
  readonly stockIds: string;
  readonly email: string;
  readonly password: string;
  readonly child: Child;
}

/**
 * Starts `build/platform.ts` on a free port with these flags and waits for its lines; whoever asked ends it. Throws
 * when it ends or says less.
 */
export async function launchPlatform(flags: readonly string[] = []): Promise<Platform> {
  const child = startChild(process.execPath, [resolve(root, 'build/platform.ts'), '--port', '0', ...flags]);
  const read = async (name: string): Promise<string> =>
    (await child.waitForLine(new RegExp(`^${name}:? (.+)$`)))[1] ?? '';
  return {
    url: await read('The training platform is at'),
    clientId: await read('Client ID'),
    clientSecret: await read('Client secret'),
    companyId: await read('Company ID'),
    stockIds: await read('Stock IDs'),
    email: await read('E-mail'),
    password: await read('Password'),
    child,
  };
}

/** The same; it ends with the running test. */
export async function launchPlatformForTest(flags: readonly string[] = []): Promise<Platform> {
  const platform = await launchPlatform(flags);
  onTestFinished(() => platform.child.kill());
  return platform;
}
