// Answers programs on this machine: HTTP on a local socket, which no browser and no other user can reach.
import type { Handlers } from '../../contract/bridge.ts';
import type { Clock, Shell } from '../../ports.ts';
import { isSameSecret, newSecret } from '../node/secrets.ts';
import { createProgramCalls } from './answers.ts';
import { newSocketPath, openDoorFile, removeSocket } from './door.ts';
import { closeServer, createQuickServer, refuse, startListening } from './quick-server.ts';
import { createRoutes } from './routes.ts';

export interface ProgramsOptions {
  readonly dataDirectory: string;
  readonly handlers: Handlers;
  readonly log: Shell['log'];
  readonly clock: Clock;
}

export interface Programs {
  /** Ends every connection and stops listening. */
  close(): Promise<void>;
}

/** A lookup takes some milliseconds of the process that answers scans. */
const pace = { perSecond: 50, atOnce: 50 };

/** Answers programs until it is closed. Where no socket can be opened, that is logged and nothing is answered. */
export async function openPrograms({ dataDirectory, handlers, log, clock }: ProgramsOptions): Promise<Programs> {
  const door = openDoorFile(dataDirectory);
  const left = door.get().socket;
  if (left !== null) {
    removeSocket(left);
  }
  // One that was read once, from a copy of the data folder say, is good for nothing after a start.
  const token = newSecret();
  // Whoever may change something is said in the settings of the loopback address.
  const routes = createRoutes({ calls: createProgramCalls(handlers, log), clock, mayChangeCoupons: () => false, pace });
  const server = createQuickServer(
    (request) =>
      isSameSecret(request.headers.authorization ?? '', `Bearer ${token}`)
        ? routes.answer(request)
        : Promise.resolve(refuse(401, 'tokenNeeded')),
    log,
  );
  let path: string | null = null;
  try {
    path = newSocketPath();
    await startListening(server, { path });
    if (!door.change({ socket: path, token })) {
      throw new Error('programs.json cannot be written');
    }
  } catch (error) {
    log('warning', 'programs: cannot be answered', { reason: error instanceof Error ? error.message : String(error) });
  }
  return {
    close: async () => {
      await closeServer(server);
      if (path !== null) {
        door.change({ socket: null, token: null });
        removeSocket(path);
      }
    },
  };
}
