import { resolve } from 'node:path';
import { startChild, type Child } from './child.ts';

const root = resolve(import.meta.dirname, '../..');

export interface BrowserHost {
  /** The address to open, with its one-time token. */
  readonly url: string;
  readonly child: Child;
}

/** The browser host as people start it. */
export const hostSource = resolve(root, 'app/serve.ts');

/**
 * Starts a browser host on a free port with these flags and waits for its address. `script` may be a bundle of its
 * source, which starts sooner. Throws when it ends or says nothing.
 */
export async function startBrowserHost(
  flags: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  { patienceMs = 30_000, script = hostSource }: { readonly patienceMs?: number; readonly script?: string } = {},
): Promise<BrowserHost> {
  const child = startChild(process.execPath, [script, '--port', '0', ...flags], { environment });
  try {
    const [, url = ''] = await child.waitForLine(
      /^Tillside is at (http:\/\/127(?:\.\d+){3}:\d+\/\?token=\S+)$/,
      patienceMs,
    );
    return { url, child };
  } catch (error) {
    await child.stop('SIGKILL');
    throw error;
  }
}
