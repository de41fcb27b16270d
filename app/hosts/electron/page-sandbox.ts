// Whether the system itself says that the process of a page has Chromium's sandbox: a switch, a kernel or a runtime may
// have left it out, and the preferences of the page tell nothing of that.
import type { App } from 'electron';
import { readFileSync } from 'node:fs';
import type { PageSandboxState } from '../status-file.ts';

interface Confinement {
  /** 2: system calls are filtered (https://man7.org/linux/man-pages/man5/proc_pid_status.5.html). */
  readonly seccomp: number | null;
  /** How many filters; null before Linux 5.9. */
  readonly filters: number | null;
  readonly noNewPrivileges: number | null;
}

function confinementOf(status: string): Confinement {
  const valueOf = (name: string): number | null => {
    const [, digits] = new RegExp(`^${name}:\\s+(\\d+)$`, 'm').exec(status) ?? [];
    return digits === undefined ? null : Number(digits);
  };
  return { seccomp: valueOf('Seccomp'), filters: valueOf('Seccomp_filters'), noNewPrivileges: valueOf('NoNewPrivs') };
}

/** What Linux says of the process with this id, beside this one's own; other systems are not asked. */
export function readSandbox(
  pid: number,
  system: NodeJS.Platform = process.platform,
  read: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): PageSandboxState {
  if (system !== 'linux') {
    return 'unknown';
  }
  try {
    const [page, own] = [confinementOf(read(`/proc/${pid}/status`)), confinementOf(read('/proc/self/status'))];
    if (page.seccomp === null || page.noNewPrivileges === null) {
      return 'unknown';
    }
    // In a container every process has the container's filter.
    const isOwn = page.filters === null || page.filters > (own.filters ?? 0);
    return page.seccomp === 2 && page.noNewPrivileges === 1 && isOwn ? 'on' : 'off';
  } catch {
    return 'unknown';
  }
}

export interface SandboxWatch {
  /** What was seen last, and `off` once it was. */
  readonly state: () => PageSandboxState;
  /** Resolves when a page has been looked at. */
  readonly looked: Promise<void>;
}

/**
 * Looks at the process of every page that comes, before anything that the page says is heard. `onMissing` is called each
 * time that it has no sandbox.
 */
export function watchSandbox(
  app: Pick<App, 'on'>,
  onMissing: () => void,
  read: (pid: number) => PageSandboxState = readSandbox,
): SandboxWatch {
  let state: PageSandboxState = 'unknown';
  const { promise: looked, resolve } = Promise.withResolvers<void>();
  app.on('web-contents-created', (_event, contents) => {
    // Its process is known from then on, and no script of the page has run.
    contents.on('did-navigate', () => {
      const seen = read(contents.getOSProcessId());
      state = state === 'off' ? 'off' : seen;
      if (seen === 'off') {
        onMissing();
      }
      resolve();
    });
  });
  return { state: () => state, looked };
}
