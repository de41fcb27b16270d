import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { isLoopback } from '../../domain/loopback.ts';
import type { HubServer } from '../../hub/address.ts';
import { HubError, unlessAborted } from './hub-error.ts';

/** A connection to the server, before anything has been said of who signs in. */
export interface OpenedSocket {
  readonly socket: Socket;
  /** SHA-256 of the server's certificate, in lower-case hex; null without TLS. */
  readonly fingerprint: string | null;
}

export interface SocketOptions {
  /** For whoever does not know the certificate yet: TLS where the server has it, and without it only on loopback. */
  readonly takesAnyCertificate?: boolean;
}

/** SSLRequest, https://www.postgresql.org/docs/current/protocol-message-formats.html */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** Rejects when the socket fails or closes; never leaves an error of it unheard. */
function loss(socket: Socket): Promise<never> {
  return new Promise((_resolve, reject) => {
    socket.on('error', reject);
    socket.once('close', () => {
      reject(new HubError('unreachable'));
    });
  });
}

/** Whether the server takes TLS. Its answer is one byte; what comes with it was not encrypted (CVE-2021-23222). */
async function askForTls(socket: Socket): Promise<boolean> {
  const answered = new Promise<Buffer>((resolve) => {
    socket.once('data', resolve);
  });
  socket.write(sslRequest);
  const answer = (await answered).toString('latin1');
  if (answer !== 'S' && answer !== 'N') {
    // An error of the server in the words of a protocol that is older than TLS, or no PostgreSQL at all.
    throw new HubError('failed', 'noPostgres');
  }
  return answer === 'S';
}

async function encrypt(socket: Socket, host: string): Promise<TLSSocket> {
  const secure = connectTls({
    socket,
    // The fingerprint is compared instead: a shop's server has no certificate that an authority has signed.
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
    ...(isIP(host) === 0 ? { servername: host } : {}),
  });
  const lost = loss(secure);
  await Promise.race([
    new Promise<void>((resolve) => {
      secure.once('secureConnect', resolve);
    }),
    lost,
  ]);
  lost.catch(() => undefined);
  return secure;
}

async function open(
  tcp: Socket,
  server: HubServer,
  { takesAnyCertificate = false }: SocketOptions,
): Promise<OpenedSocket> {
  await new Promise<void>((resolve) => {
    tcp.once('connect', resolve);
  });
  const { host, fingerprint } = server;
  if (fingerprint === null && !takesAnyCertificate && isLoopback(host)) {
    return { socket: tcp, fingerprint: null };
  }
  if (!(await askForTls(tcp))) {
    if (fingerprint === null && takesAnyCertificate && isLoopback(host)) {
      return { socket: tcp, fingerprint: null };
    }
    throw new HubError('noTls');
  }
  const secure = await encrypt(tcp, host);
  // Once `getPeerX509Certificate` is called, Node 24.21 gives pg no certificate to bind the sign-in to.
  const shown = secure.getPeerCertificate().fingerprint256.replaceAll(':', '').toLowerCase();
  if (fingerprint === null ? !takesAnyCertificate : shown !== fingerprint) {
    throw new HubError('otherCertificate');
  }
  return { socket: secure, fingerprint: shown };
}

/**
 * Connects, and encrypts unless it is this machine and no certificate is named. Nothing but the wish for TLS is sent
 * before the certificate has proved to be the one that is named. Rejects with an error for `failureOf`.
 */
export async function openSocket(
  server: HubServer,
  signal: AbortSignal,
  options: SocketOptions = {},
): Promise<OpenedSocket> {
  const tcp = connectTcp({ host: server.host, port: server.port, noDelay: true });
  const lost = loss(tcp);
  lost.catch(() => undefined);
  try {
    return await unlessAborted(signal, Promise.race([open(tcp, server, options), lost]), () => undefined);
  } catch (error) {
    tcp.destroy();
    throw error;
  }
}
