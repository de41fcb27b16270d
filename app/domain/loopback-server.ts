/**
 * True for a `Host` (RFC 9110 §7.2) by which a program of this machine names a server on this port of it. Any other name
 * leads here because somebody else's server says so (DNS rebinding).
 */
export function isOwnName(host: string | undefined, port: number): boolean {
  return [`127.0.0.1:${port}`, `[::1]:${port}`, `localhost:${port}`].includes(host ?? '');
}

interface Asking {
  readonly socket: { destroy(): unknown };
}

/**
 * Hands on each request of a server whose clients are this machine's programs, and hangs up on a connection that sends
 * another one before its last answer is taken (RFC 9112 §9.3.2 lets it): a client that reads nothing would have as many
 * requests, and their answers, in memory as it likes to send.
 */
export function oneAtATime<
  Request extends Asking,
  Response extends { once(event: 'finish', call: () => void): unknown },
>(
  listener: (request: Request, response: Response) => void,
): {
  readonly listener: (request: Request, response: Response) => void;
  /** True while an answer of this connection has not been taken. */
  readonly isAsking: (socket: object) => boolean;
} {
  const asking = new WeakSet();
  return {
    isAsking: (socket) => asking.has(socket),
    listener: (request, response) => {
      const { socket } = request;
      if (asking.has(socket)) {
        socket.destroy();
        return;
      }
      asking.add(socket);
      response.once('finish', () => asking.delete(socket));
      listener(request, response);
    },
  };
}
