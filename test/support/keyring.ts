import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { startChild } from './child.ts';
import { temporaryDirectory } from './temporary.ts';

/** Whether a keychain can be had here. */
export function hasKeyring(): boolean {
  return ['setsid', 'dbus-run-session', 'dbus-send', 'gnome-keyring-daemon'].every(
    (command) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0,
  );
}

export interface Keyring {
  /** The variables that a process needs in its environment to find it. */
  readonly environment: Readonly<Record<string, string>>;
  /** As the system does when nobody has been at the machine for a while. */
  lock(): void;
  /** As the person does who comes back. */
  unlock(): Promise<void>;
  /** Sends the signal to the keychain's own process. */
  signal(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

/** `absent`: a bus that knows no keychain; `denied`: one that lets nobody speak to it. */
type KeyringMood = 'open' | 'absent' | 'denied';

function busConfiguration(mood: KeyringMood): string {
  const denial = mood === 'denied' ? '<deny send_destination="org.freedesktop.secrets"/>' : '';
  return `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>${denial}</policy></busconfig>`;
}

const password = 'made-up\n';

/**
 * Says the password as the system's sign-in does: over the keychain's own socket (gnome-keyring's
 * pam/gkr-pam-client.c).
 */
function sendUnlock(path: string): Promise<void> {
  const operation = Buffer.alloc(12);
  operation.writeUInt32BE(12 + password.length, 0);
  operation.writeUInt32BE(1, 4);
  operation.writeUInt32BE(password.length, 8);
  return new Promise((resolve, reject) => {
    const socket = connect(path, () =>
      socket.write(Buffer.concat([Buffer.alloc(1), operation, Buffer.from(password)])),
    );
    socket.on('error', reject);
    socket.once('data', (answer: Buffer) => {
      socket.destroy();
      const isDone = answer.length >= 8 && answer.readUInt32BE(4) === 0;
      if (isDone) {
        resolve();
      } else {
        reject(new Error(`the keychain says ${answer.toString('hex')}`));
      }
    });
  });
}

/** Starts an unlocked keychain that keeps its files in this folder. */
export async function startKeyring(mood: KeyringMood = 'open', home = temporaryDirectory()): Promise<Keyring> {
  mkdirSync(home, { recursive: true });
  const files = { HOME: home, XDG_DATA_HOME: home, XDG_RUNTIME_DIR: home };
  // A bus of few words starts no keychain by itself, so that what was killed stays away.
  const configuration = join(home, 'bus.conf');
  writeFileSync(configuration, busConfiguration(mood));
  const open = 'printf "made-up\\n" | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1';
  const isThere =
    'until dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets | grep -q true; do sleep 0.05; done';
  const script = `${mood === 'absent' ? 'true' : `${open} && ${isThere}`} && echo "bus $DBUS_SESSION_BUS_ADDRESS" && exec sleep 600 >/dev/null 2>&1`;
  const child = startChild('setsid', ['dbus-run-session', '--config-file', configuration, '--', 'sh', '-c', script], {
    environment: files,
  });
  const [, address = ''] = await child.waitForLine(/^bus (\S+)$/);
  const environment = { ...files, DBUS_SESSION_BUS_ADDRESS: address };
  const send = (...parameters: string[]): string =>
    execFileSync('dbus-send', ['--session', '--print-reply', ...parameters], {
      env: { PATH: process.env['PATH'], ...environment },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const processId = (): number =>
    Number(
      /uint32 (\d+)/.exec(
        send(
          '--dest=org.freedesktop.DBus',
          '/',
          'org.freedesktop.DBus.GetConnectionUnixProcessID',
          'string:org.freedesktop.secrets',
        ),
      )?.[1],
    );
  return {
    environment,
    lock: () => {
      send(
        '--dest=org.freedesktop.secrets',
        '/org/freedesktop/secrets',
        'org.freedesktop.Secret.Service.Lock',
        'array:objpath:/org/freedesktop/secrets/collection/login',
      );
    },
    unlock: () => sendUnlock(join(home, 'keyring', 'control')),
    signal: (signal) => {
      process.kill(processId(), signal);
    },
    stop: async () => {
      // The bus and all that hangs on it are one group of processes.
      process.kill(-(child.process.pid ?? 0), 'SIGKILL');
      await child.stop('SIGKILL');
    },
  };
}
