import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** https://peter.sh/experiments/chromium-command-line-switches, as far as they reach into a page. */
const refused = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'remote-debugging-targets',
  'remote-allow-origins',
  'inspect',
  'inspect-brk',
  'inspect-port',
  'inspect-wait',
  'auto-open-devtools-for-tabs',
  'js-flags',
  'load-extension',
  'disable-web-security',
  'disable-site-isolation-trials',
  'allow-running-insecure-content',
  'unsafely-treat-insecure-origin-as-secure',
  'host-rules',
  'host-resolver-rules',
  'enable-blink-features',
  'disable-blink-features',
  'enable-experimental-web-platform-features',
  'ssl-key-log-file',
  'log-net-log',
  'single-process',
  'renderer-cmd-prefix',
  'utility-cmd-prefix',
  'gpu-launcher',
  'browser-subprocess-path',
] as const;

/** Without the sandbox runs who cannot have it, which on Linux is root. */
const sandboxSwitches = [
  'no-sandbox',
  'disable-setuid-sandbox',
  'disable-namespace-sandbox',
  'disable-gpu-sandbox',
  'disable-seccomp-filter-sandbox',
  'allow-sandbox-debugging',
] as const;

/**
 * A file of this name among the package's resources lets a debugger in: for tests of the package as it ships. Who can
 * put it there could put another app there as well (decisions/0020).
 */
const debuggingMark = 'debugging-allowed';

export interface PackagedStart {
  readonly hasSwitch: (name: string) => boolean;
  readonly isRoot: boolean;
  /** The folder that app.asar lies in. */
  readonly resourcesPath: string;
}

/** The first switch that an installed app refuses to start with; null when there is none. */
export function refusedSwitch({ hasSwitch, isRoot, resourcesPath }: PackagedStart): string | null {
  const forbidden = [
    ...(existsSync(join(resourcesPath, debuggingMark)) ? [] : refused),
    ...(isRoot ? [] : sandboxSwitches),
  ];
  return forbidden.find(hasSwitch) ?? null;
}
