import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

const maxLinesKept = 50_000;

interface ChildOptions {
  readonly environment?: Readonly<NodeJS.ProcessEnv>;
}

/** A running process with its lines. */
export interface Child {
  readonly process: ChildProcess;
  /** Lines of standard output so far. */
  readonly lines: readonly string[];
  /** Lines of standard error so far. */
  readonly errorLines: readonly string[];
  /**
   * The first line of standard output that matches, past or to come. Throws when the process ends, or `timeoutMs`
   * passes, without one.
   */
  waitForLine(pattern: RegExp, timeoutMs?: number): Promise<RegExpExecArray>;
  /** The same of standard error. */
  waitForErrorLine(pattern: RegExp, timeoutMs?: number): Promise<RegExpExecArray>;
  /** How it ends. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Sends the signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Ends it at once, and waits for the end. */
  kill(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) {
    child.kill('SIGKILL');
  }
});

/**
 * The environment that tests give to programs: what they need to start, and nothing of the keychain or settings of
 * whoever runs them.
 */
export function bareEnvironment(): Record<string, string> {
  const kept = [
    'PATH',
    'HOME',
    'DISPLAY',
    'XAUTHORITY',
    'TMPDIR',
    'TEMP',
    'SystemRoot',
    'LD_LIBRARY_PATH',
    'ELECTRON_OVERRIDE_DIST_PATH',
  ];
  return {
    ...Object.fromEntries(kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
    // There on every Linux, and UTF-8: see `electronEnvironment`.
    LC_ALL: 'C.UTF-8',
    LANGUAGE: 'en_GB',
    TZ: 'America/Sao_Paulo',
    // No address of a session bus: the keychain is not there, in the same way on every machine.
    DBUS_SESSION_BUS_ADDRESS: 'disabled:',
  };
}

/** The same for programs under Node, which take what an earlier one has compiled. */
export function nodeEnvironment(): Record<string, string> {
  const compiled = process.env['NODE_COMPILE_CACHE'];
  return { ...bareEnvironment(), ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled }) };
}

/** How a program ends that closes when it hears this signal. On Windows it hears none: Node ends it at once. */
export function orderlyEnd(signal: NodeJS.Signals): {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
} {
  return process.platform === 'win32' ? { code: null, signal } : { code: 0, signal: null };
}

/** Starts a program without a shell. */
export function startChild(command: string, parameters: readonly string[], options: ChildOptions = {}): Child {
  const child = spawn(command, parameters, {
    env: { ...(command === process.execPath ? nodeEnvironment() : bareEnvironment()), ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    });
    child.once('error', () => {
      running.delete(child);
      resolve({ code: null, signal: null });
    });
  });
  const lines: string[] = [];
  const errorLines: string[] = [];
  const listeners = new Set<() => void>();
  for (const [stream, kept] of [
    [child.stdout, lines],
    [child.stderr, errorLines],
  ] as const) {
    createInterface({ input: stream }).on('line', (line) => {
      if (kept.length < maxLinesKept) {
        kept.push(line);
      }
      for (const listener of listeners) {
        listener();
      }
    });
  }
  const lastLines = (): string => [...lines.slice(-20), ...errorLines.slice(-20)].join('\n');
  const waitFor = (kept: readonly string[], pattern: RegExp, timeoutMs: number): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const settle = (action: () => void): void => {
        clearTimeout(timer);
        listeners.delete(look);
        action();
      };
      const look = (): void => {
        const found = kept.map((line) => pattern.exec(line)).find((match) => match !== null);
        if (found !== undefined) {
          settle(() => {
            resolve(found);
          });
        }
      };
      const timer = setTimeout(() => {
        settle(() => {
          reject(new Error(`no line matched ${String(pattern)} within ${timeoutMs} ms:\n${lastLines()}`));
        });
      }, timeoutMs);
      listeners.add(look);
      void ended.then(({ code, signal }) => {
        look();
        settle(() => {
          reject(
            new Error(
              `${command} ended with ${String(signal ?? code)} before a line matched ${String(pattern)}:\n${lastLines()}`,
            ),
          );
        });
      });
      look();
    });
  return {
    process: child,
    lines,
    errorLines,
    ended,
    waitForLine: (pattern, timeoutMs = 30_000) => waitFor(lines, pattern, timeoutMs),
    waitForErrorLine: (pattern, timeoutMs = 30_000) => waitFor(errorLines, pattern, timeoutMs),
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal);
      }
      return ended;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
