import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const program = `
import os, sys, threading, tty
near, far = os.openpty()
tty.setraw(far)
print(os.ttyname(far), flush=True)
def hear():
    while True:
        sys.stdout.buffer.write(os.read(near, 4096))
        sys.stdout.flush()
threading.Thread(target=hear, daemon=True).start()
while True:
    line = sys.stdin.buffer.read1(4096)
    if not line: break
    os.write(near, line)
`;

export interface Pty {
  /** The port's path. */
  readonly path: string;
  send(text: string | Uint8Array): void;
  /** All that was written to the port. */
  received(): Buffer;
  /** It takes nothing more. */
  stall(): void;
  /** As when the plug is pulled. */
  close(): Promise<void>;
}

/** Why there can be no pseudo-terminal here; null when there can. */
export function whyNoPty(): string | null {
  const tried = process.platform === 'linux' ? spawnSync('python3', ['-c', 'import os; os.openpty()']) : null;
  return tried?.status === 0 ? null : 'no pseudo-terminal (python3 on Linux makes one)';
}

/** Makes one. Throws where `whyNoPty` has a reason. */
export async function openPty(): Promise<Pty> {
  const child = spawn('python3', ['-c', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => undefined);
  const [first] = (await once(child.stdout, 'data')) as [Buffer];
  const path = first.toString().trim();
  const heard: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => heard.push(part));
  return {
    path,
    send: (text) => void child.stdin.write(text),
    received: () => Buffer.concat(heard),
    stall: () => void child.kill('SIGSTOP'),
    close: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
    },
  };
}

/**
 * The serial port whose place a pseudo-terminal takes for one process: one that the system has, so that the browser
 * lists it.
 */
const portPath = '/dev/ttyS0';

/** Why no process can be shown a pseudo-terminal as a serial port here; null when it can. */
export function whyNoPortOfItsOwn(): string | null {
  if (whyNoPty() !== null || !existsSync(portPath) || !existsSync('/sys/class/tty/ttyS0')) {
    return `no ${portPath} whose place a pseudo-terminal could take`;
  }
  return spawnSync('unshare', ['--mount', 'true']).status === 0 ? null : 'no mount namespace without root';
}

/**
 * Makes a program called "electron" that runs this one in a mount namespace of its own, in which the pseudo-terminal
 * stands at `/dev/ttyS0`; the answered function removes it.
 */
export function wrapWithPort(
  executable: string,
  pty: Pty,
): { readonly executablePath: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'tillside-port-'));
  const executablePath = join(folder, 'electron');
  const script = `#!/bin/sh\nexec unshare --mount sh -c 'mount --bind "$0" ${portPath} && exec "$@"' '${pty.path}' '${executable}' "$@"\n`;
  writeFileSync(executablePath, script, { mode: 0o755 });
  return { executablePath, remove: () => rmSync(dirname(executablePath), { recursive: true, force: true }) };
}
