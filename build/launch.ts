import { spawn } from 'node:child_process';
import { buildParts, type BuildPart } from './parts.ts';
import { projectDirectory, stopUnlessWritable } from './project.ts';
import { isStale } from './stale.ts';

/** Chatter of the scripts goes to stderr: the first line of output belongs to the host. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Builds what is missing or older than its sources. */
export async function buildStale(parts = Object.keys(buildParts) as readonly BuildPart[]): Promise<void> {
  const stale = parts.filter((part) => isStale(projectDirectory, buildParts[part]));
  if (stale.length > 0) {
    stopUnlessWritable();
    say(`Building ${stale.join(', ')} ...`);
    const { buildApp } = await import('./build.ts');
    await buildApp(stale, 'warn');
  }
}

const parentCheckMs = 200;

/**
 * Ends this process as if it had been told to when the one that started it is gone: npm passes a signal on to the shell
 * that runs a script, and that shell dies of it without passing it on.
 */
export function endWithParent(): void {
  if (process.env['npm_lifecycle_event'] === undefined) {
    return;
  }
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid !== parent) {
      clearInterval(check);
      process.kill(process.pid, 'SIGTERM');
    }
  }, parentCheckMs);
  check.unref();
}

/** Runs a program until it ends, passes our signals on to it, and ends with its exit code. */
export function become(program: string, args: readonly string[], environment: NodeJS.ProcessEnv): void {
  const child = spawn(program, args, { stdio: 'inherit', env: environment });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', (error) => {
    say(`${program}: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code) => process.exit(code ?? 1));
}

/** Is the browser host, in this very process, with the flags of this process. */
export async function serve(): Promise<void> {
  await buildStale(['renderer']);
  await import('../app/serve.ts');
}
