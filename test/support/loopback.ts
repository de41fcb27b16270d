// The loopback address for programs, over fake handlers or a real terminal, for as long as the running test.
import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';
import { WebSocket, type ClientOptions } from 'ws';
import type { EventListener, Handlers } from '../../app/contract/bridge.ts';
import { defaultLocalApi } from '../../app/contract/local-api.ts';
import type { LocalApiChoice } from '../../app/domain/local-api.ts';
import { createNodeClock } from '../../app/hosts/node/node-ports.ts';
import { createLoopback } from '../../app/hosts/programs/loopback.ts';
import type { Clock } from '../../app/ports.ts';
import { createFakeEvents, createFakeHandlers } from './fake-handlers.ts';
import { ask, type Answer } from './gated-host.ts';

export const patience = { timeout: 10_000, interval: 10 };
export const listedOrigin = 'https://till.example.com';

export interface OpenedLoopback {
  /** Waits until it stands so, and answers its port. */
  readonly until: (status: string) => Promise<number>;
  /** Pages' handlers, whose scans are heard. */
  readonly handlers: Handlers;
  readonly token: string;
  readonly good: { readonly Authorization: string };
  readonly logged: unknown[][];
  choose(change: Partial<LocalApiChoice>, tokenHash?: string | null): void;
  newToken(): { readonly token: string; readonly hash: string };
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body: string, headers?: Record<string, string>): Promise<Answer>;
  /** A listener with the events that it was told. */
  listen(protocols?: string[], options?: ClientOptions): Promise<{ socket: WebSocket; received: unknown[] }>;
  close(): Promise<void>;
}

interface Terminal {
  readonly handlers: Handlers;
  readonly subscribe: (listener: EventListener) => () => void;
}

/** Opens it on a free port, switched on and with a token. */
export async function openLoopback(
  terminal: Partial<Terminal> = {},
  {
    clock = createNodeClock(),
    patienceMs,
    ...chosen
  }: Partial<LocalApiChoice> & { clock?: Clock; patienceMs?: number } = {},
): Promise<OpenedLoopback> {
  const logged: unknown[][] = [];
  const log = (...line: unknown[]): void => void logged.push(line);
  const api = createLoopback({ clock, log, ...(patienceMs === undefined ? {} : { patienceMs }) });
  onTestFinished(api.close);
  const { token, hash } = api.newToken();
  let choice: LocalApiChoice = { ...defaultLocalApi, isOn: true, port: 0, ...chosen };
  let keptHash: string | null = hash;
  const hashes = (): readonly string[] => (keptHash === null ? [] : [keptHash]);
  api.use(choice, hashes());
  const handlers = api.begin({
    handlers: terminal.handlers ?? createFakeHandlers(),
    subscribe: terminal.subscribe ?? createFakeEvents().subscribe,
  });
  const until = async (status: string): Promise<number> => {
    await expect.poll(() => api.status().status, patience).toBe(status);
    return api.status().openPort ?? 0;
  };
  await until('open');
  const port = (): number => api.status().openPort ?? 0;
  const good = { Authorization: `Bearer ${token}` };
  return {
    until,
    handlers,
    token,
    good,
    logged,
    choose: (change, tokenHash = keptHash) => {
      choice = { ...choice, ...change };
      keptHash = tokenHash;
      api.use(choice, hashes());
    },
    newToken: () => api.newToken(),
    get: (path, headers = good) => ask(port(), 'GET', path, headers),
    put: (path, body, headers = { ...good, 'Content-Type': 'application/json' }) =>
      ask(port(), 'PUT', path, headers, body),
    listen: async (protocols = ['tillside.v1', `token.${token}`], options = {}) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port()}/v1/events`, protocols, options);
      onTestFinished(() => socket.terminate());
      const received: unknown[] = [];
      socket.on('message', (data: Buffer) => received.push(JSON.parse(data.toString('utf8'))));
      await once(socket, 'open');
      return { socket, received };
    },
    close: api.close,
  };
}
