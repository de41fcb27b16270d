// Owns how a host is started as a child of a build script: it inherits the terminal, its signals and its exit code. Never
// decides which host.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildApp, buildParts, type BuildPart } from './build.ts';
import { projectDirectory } from './project.ts';
import { isStale } from './stale.ts';

/** Chatter of the scripts goes to stderr: a host's first line of output belongs to the host. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Builds what is missing or older than its sources. */
export async function buildStale(parts: readonly BuildPart[]): Promise<void> {
  const stale = parts.filter((part) => isStale(projectDirectory, buildParts[part]));
  if (stale.length > 0) {
    say(`Building ${stale.join(', ')} ...`);
    await buildApp(stale, 'warn');
  }
}

/** Runs a program until it ends, passing our signals on to it, and ends with its exit code. */
export function become(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): void {
  const child = spawn(program, args, { stdio: 'inherit', env });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', (error) => {
    say(`${program}: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
}

/** Starts the browser host with these flags. */
export async function serve(flags: readonly string[]): Promise<void> {
  await buildStale(['renderer']);
  become(process.execPath, [join(projectDirectory, 'app', 'serve.ts'), ...flags]);
}
