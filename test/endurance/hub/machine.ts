import { mkdirSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Channel, InvokeInput, InvokeOutput } from '../../../app/contract/contract.ts';
import type { HubState } from '../../../app/contract/hub.ts';
import { writeJson } from '../../../app/domain/json.ts';
import { printHubAddress, readHubAddress, type HubAddress } from '../../../app/hub/address.ts';
import { hubAddressName } from '../../../app/hub/membership.ts';
import { terminalRole } from '../../../app/hub/roles.ts';
import type { TrainingPlatform } from '../../../app/training/server.ts';
import { listenLocally } from '../../support/listen.ts';
import { readKeychain } from '../file-keychain.ts';
import { startHost, type Host } from '../host.ts';

/** So long a call is waited for: a host that is stopped answers none. */
const answerWithinMs = 10_000;

/** The way of one till to the server, which can be cut. */
async function openLine(to: number) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server: Server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    if (isCut) {
      near.destroy();
    } else {
      near.pipe(far);
      far.pipe(near);
    }
  });
  const port = await listenLocally(server);
  return {
    port,
    cut: (cut: boolean): void => {
      isCut = cut;
      for (const socket of cut ? sockets : []) socket.destroy();
    },
    close: (): void => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

interface MachineOptions {
  readonly name: string;
  readonly folder: string;
  /** Of `buildHost`. */
  readonly script: string;
  readonly platform: TrainingPlatform;
  /** By which all tills reach it: a hub's account is the platform's address. */
  readonly platformUrl: string;
  /** Null for a till that takes part in no hub. */
  readonly hub: HubAddress | null;
}

/** One till's machine: its disk and keychain, its line to the hub and, while it runs, its browser host. */
export async function openMachine({ name, folder, script, platform, platformUrl, hub }: MachineOptions) {
  mkdirSync(folder, { recursive: true });
  const [provisionPath, keychainPath] = [join(folder, 'till.json'), join(folder, 'keychain.json')];
  const line = hub === null ? null : await openLine(hub.port);
  const { clientId, clientSecret, companyId, email, password } = platform;
  /** Over this machine's line. */
  const printed = (address: HubAddress): string => printHubAddress({ ...address, port: line?.port ?? address.port });
  const paste = (address: HubAddress | null): void => {
    const own = address === null ? {} : { hub: { address: printed(address), name } };
    const place = { platformUrl, clientId, clientSecret, companyId, stockIds: platform.stockIds.slice(0, 1) };
    writeFileSync(provisionPath, writeJson({ ...place, ...own }), { mode: 0o600 });
  };
  paste(hub);
  const kept = (): HubAddress | null => {
    const read = readHubAddress(readKeychain(keychainPath)?.[hubAddressName] ?? '');
    return read.ok ? read.value : null;
  };
  let host: Host | null = null;
  let isStopped = false;
  let entering: Promise<boolean> = Promise.resolve(false);

  /** The answer; null where the host does not run, refuses it, or gives none in time. */
  async function ask<Name extends Channel>(
    channel: Name,
    input: InvokeInput<Name>,
  ): Promise<InvokeOutput<Name> | null> {
    const asked = host;
    if (asked === null || !(await entering)) return null;
    const answer = await Promise.race([
      // A host that goes on after a stop may have closed the connection meanwhile.
      asked.invoke(channel, input).catch(() => null),
      new Promise<null>((resolve) => {
        setTimeout(resolve, answerWithinMs, null);
      }),
    ]);
    return answer?.ok === true ? answer.value : null;
  }

  return {
    name,
    line,
    ask,
    paste,
    /** The host itself, for calls that must not be given up. */
    host: (): Host | null => host,
    isRunning: (): boolean => host !== null && !isStopped,
    start: (): void => {
      if (host !== null) return;
      const environment = { TILLSIDE_TEST_KEYCHAIN: keychainPath };
      const dataDirectory = join(folder, 'data');
      const started = startHost({
        script,
        dataDirectory,
        provisionPath,
        leadMs: 0,
        preloaded: 'file-keychain.ts',
        environment,
      });
      host = started;
      entering = started.enter();
    },
    /** Signs in, unless the keychain has done so. */
    signIn: async (): Promise<void> => {
      const state = await ask('terminal:read', {});
      if (state !== null && state.session.state !== 'signedIn') await ask('session:signIn', { email, password });
    },
    /** Stops or continues it. */
    stop: (stops: boolean): void => {
      isStopped = stops;
      host?.child.process.kill(stops ? 'SIGSTOP' : 'SIGCONT');
    },
    kill: async (): Promise<void> => {
      const ended = host;
      host = null;
      isStopped = false;
      ended?.kill();
      await ended?.child.stop('SIGKILL');
    },
    /** Joins by hand; answers whether it has. */
    join: async (address: HubAddress): Promise<boolean> =>
      (await ask('hub:join', { address: printed(address), name }))?.failure === null,
    hubState: async (): Promise<HubState | null> => (await ask('hub:read', {}))?.hub?.state ?? null,
    storeKey: (): string => kept()?.storeKey ?? '',
    /** Without one it cannot follow, and somebody has to paste the new address. */
    hasOwnSignIn: (): boolean => kept()?.user.startsWith(terminalRole) === false,
  };
}

export type Machine = Awaited<ReturnType<typeof openMachine>>;
