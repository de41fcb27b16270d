// Listens on this machine's loopback addresses while that is wanted: opened and closed one change after the other. A
// port that is taken is tried again; the app goes on without.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LocalApiStatus } from '../../domain/local-api.ts';
import type { Clock, Shell, Timer } from '../../ports.ts';
import { closeServer, startListening } from './quick-server.ts';

export interface ListenerParts {
  readonly clock: Clock;
  readonly log: Shell['log'];
  readonly makeServer: () => Server;
  /** At which port to listen now, 0 for any free one; a word where not to. */
  readonly wanted: () => number | 'off' | 'noToken';
  readonly onChange: () => void;
  /** Before it closes. */
  readonly onClosing: () => void;
}

interface Opened {
  readonly wantedPort: number;
  readonly port: number;
  readonly servers: readonly Server[];
}

const retryMs = 30_000;
/** So often a free port is looked for that is free on both addresses. */
const maxTries = 5;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
const isNoSuchAddress = (error: unknown): boolean =>
  ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL', 'ENOTSUP'].includes(codeOf(error));

async function listen(server: Server, host: string, port: number): Promise<number> {
  await startListening(server, { host, port, ipv6Only: host.includes(':') });
  return (server.address() as AddressInfo).port;
}

/**
 * Listens on both loopback addresses, or on the one that this machine has: on the other, somebody else would be asked
 * by who calls it "localhost". Throws what the system says.
 */
async function listenOnLoopback(port: number, makeServer: () => Server): Promise<Opened> {
  for (let turn = 1; ; turn += 1) {
    const server = makeServer();
    const chosen = await listen(server, '127.0.0.1', port);
    const other = makeServer();
    try {
      await listen(other, '::1', chosen);
      return { wantedPort: port, port: chosen, servers: [server, other] };
    } catch (error) {
      if (isNoSuchAddress(error)) {
        return { wantedPort: port, port: chosen, servers: [server] };
      }
      await closeServer(server);
      if (port !== 0 || turn === maxTries) {
        throw error;
      }
    }
  }
}

function statusOf(error: unknown): LocalApiStatus['status'] {
  if (codeOf(error) === 'EADDRINUSE') {
    return 'portTaken';
  }
  return ['EACCES', 'EPERM'].includes(codeOf(error)) ? 'notAllowed' : 'failed';
}

/** Begins closed. */
export function createListener({ clock, log, makeServer, wanted, onChange, onClosing }: ListenerParts) {
  let status: LocalApiStatus = { status: 'off', openPort: null };
  let opened: Opened | null = null;
  let turn: Promise<void> = Promise.resolve();
  let retry: Timer | null = null;
  let lastFailure: LocalApiStatus['status'] | null = null;

  function stand(next: LocalApiStatus['status']): void {
    const openPort = opened?.port ?? null;
    if (next !== status.status || openPort !== status.openPort) {
      status = { status: next, openPort };
      onChange();
    }
  }

  async function shut(): Promise<void> {
    retry?.cancel();
    retry = null;
    const before = opened;
    opened = null;
    if (before !== null) {
      onClosing();
      await Promise.all(before.servers.map(closeServer));
      log('info', 'programs: the loopback address is closed', { port: before.port });
    }
  }

  async function open(port: number): Promise<void> {
    if (lastFailure === null) {
      stand('opening');
    }
    try {
      opened = await listenOnLoopback(port, makeServer);
      log('info', 'programs: answered on loopback', { port: opened.port, addresses: opened.servers.length });
      lastFailure = null;
      stand('open');
    } catch (error) {
      const failed = statusOf(error);
      // Said once, not at every try.
      if (failed !== lastFailure) {
        log('warning', 'programs: the loopback address cannot be opened', { port, reason: codeOf(error) });
      }
      lastFailure = failed;
      stand(failed);
      retry = clock.after(retryMs, () => void settle());
    }
  }

  async function settleNow(): Promise<void> {
    const port = wanted();
    if (opened !== null && opened.wantedPort === port) {
      return;
    }
    await shut();
    if (typeof port === 'number') {
      await open(port);
    } else {
      lastFailure = null;
      stand(port);
    }
  }

  function settle(): Promise<void> {
    turn = turn.then(settleNow).catch((error: unknown) => {
      log('error', 'programs: the loopback address failed', { reason: codeOf(error) });
    });
    return turn;
  }

  return { status: (): LocalApiStatus => status /** Looks anew at what is wanted. */, settle };
}
