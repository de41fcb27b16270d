import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { HubServer } from '../../hub/address.ts';
import { HubError, failureOf, unlessAborted } from './hub-error.ts';
import { guardStream, type PostgresGuard } from '../node/postgres-guard.ts';
import { createServerGuard } from './server-guard.ts';
import { openSocket, type SocketOptions } from './socket.ts';

/** A row as it came, by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>;

/** A session of a PostgreSQL server. Every promise of it rejects with a `HubError` alone. */
export type PgConnection = Awaited<ReturnType<typeof connectPg>>;

/** pg connects its stream by itself. This one stands already: its certificate has been checked before pg says who signs in. */
function asPgStream(socket: Socket, guard: PostgresGuard): Socket {
  const stream = guardStream(socket, guard);
  return Object.assign(stream, {
    connect: () => {
      process.nextTick(() => stream.emit('connect'));
      return stream;
    },
  });
}

/** By the numbers of PostgreSQL's types; a value of any other stays text. pg's own parsers believe the server. */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => text === 't', // bool
  23: Number, // int4
  701: Number, // float8
};

/** pg's error without its words. */
function asHubError(error: unknown): HubError {
  if (error instanceof HubError) {
    return error;
  }
  const { kind, detail } = failureOf(error);
  if (detail === undefined && error instanceof Error) {
    // pg has no codes for what it finds by itself.
    if (error.message.startsWith('SASL')) return new HubError('wrongPassword');
    if (error.message.startsWith('Connection terminated')) return new HubError('unreachable');
  }
  return new HubError(kind, detail);
}

/** Connects and signs in; `onBell` is called with what the server says on a channel that is listened to. Rejects with a `HubError`. */
export async function connectPg(
  server: HubServer,
  signal: AbortSignal,
  { onBell, ...options }: SocketOptions & { readonly onBell?: (account: string) => void } = {},
) {
  // Most terminals have no hub, and start without it.
  const { Client } = await import('pg');
  const { socket, fingerprint } = await openSocket(server, signal, options).catch((error: unknown) => {
    throw asHubError(error);
  });
  const canBind = socket instanceof TLSSocket;
  const guard = createServerGuard(canBind);
  let isOpen = true;
  const destroy = (): void => {
    isOpen = false;
    socket.destroy();
  };
  // Everything is named: what is not, pg would take from the environment.
  const client = new Client({
    user: server.user,
    password: () => server.password,
    host: server.host,
    port: server.port,
    database: server.database,
    ssl: false,
    sslnegotiation: 'postgres',
    stream: () => asPgStream(socket, guard),
    enableChannelBinding: canBind,
    types: { getTypeParser: (type: number) => parsers[type] ?? String },
    application_name: 'tillside',
    // Elsewhere anybody who may make functions could make one that suits a call better than the server's own.
    options: '-c client_encoding=UTF8 -c search_path=pg_catalog,pg_temp',
  });
  // It also comes when a connection is lost that nobody uses.
  client.on('error', destroy);
  client.on('end', destroy);
  const settle = async <Value>(work: Promise<Value>, until: AbortSignal): Promise<Value> => {
    try {
      return await unlessAborted(until, work, destroy);
    } catch (error) {
      throw asHubError(error);
    }
  };
  const ask = (text: string, values: readonly unknown[], until: AbortSignal) => {
    guard.expectAnswer();
    const asked = isOpen ? client.query<Row>(text, [...values]) : Promise.reject(new HubError('unreachable'));
    return settle(asked, until);
  };
  try {
    await settle(client.connect(), signal);
    if (onBell !== undefined) {
      client.on('notification', ({ payload }) => {
        onBell(payload ?? '');
      });
    }
  } catch (error) {
    destroy();
    throw error;
  }
  return {
    /** Of the server's certificate; null without TLS. */
    fingerprint,
    /** False once it has been lost, or given up. */
    isOpen: () => isOpen,
    /**
     * The rows of the last statement. Several statements go without values. At the signal the connection is given up:
     * there is no other way to be sure that no answer comes late.
     */
    // Of several statements pg makes a list.
    query: async (text: string, values: readonly unknown[], until: AbortSignal): Promise<readonly Row[]> =>
      [await ask(text, values, until)].flat().at(-1)?.rows ?? [],
    /** Says goodbye, and waits until the server has heard it or the signal comes. */
    end: async (until: AbortSignal): Promise<void> => {
      await settle(client.end(), until).catch(() => undefined);
      destroy();
    },
    destroy,
  };
}
