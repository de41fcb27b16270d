// Owns a real keychain for tests: a gnome-keyring of its own on a session bus of its own, unlocked, in a temporary folder. Never
// touches the keychain of whoever runs the tests.
import { spawnSync } from 'node:child_process';
import { startChild } from './child.ts';
import { temporaryDirectory } from './temporary.ts';

/** Whether a keychain can be had here. */
export function hasKeyring(): boolean {
  return ['setsid', 'dbus-run-session', 'gnome-keyring-daemon'].every((command) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0);
}

export interface Keyring {
  /** What a process needs in its environment to find it. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts an unlocked keychain. */
export async function startKeyring(): Promise<Keyring> {
  const home = temporaryDirectory();
  const files = { HOME: home, XDG_DATA_HOME: home, XDG_RUNTIME_DIR: home };
  const script = 'printf "made-up\\n" | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1 && echo "bus $DBUS_SESSION_BUS_ADDRESS" && exec sleep 600 >/dev/null 2>&1';
  const child = startChild('setsid', ['dbus-run-session', '--', 'sh', '-c', script], { environment: files });
  const [, address = ''] = await child.waitForLine(/^bus (\S+)$/);
  return {
    environment: { ...files, DBUS_SESSION_BUS_ADDRESS: address },
    stop: async () => {
      // The bus and all that hangs on it are one group of processes.
      process.kill(-(child.process.pid ?? 0), 'SIGKILL');
      await child.stop('SIGKILL');
    },
  };
}
