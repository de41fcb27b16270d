// The way to an https address through a proxy: CONNECT (RFC 9110 §9.3.6).
import type { AgentOptions } from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** Within it the proxy has to open the way; the exchange's own deadline covers the whole. */
const tunnelDeadlineMs = 10_000;
/** The most that a proxy may say before the way is open. */
const maxHeadBytes = 16_384;

/** The text as it was meant: what was written as `%40` is a sign, and any other `%` is one itself. */
function plainOf(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (signs) => {
    try {
      return decodeURIComponent(signs);
    } catch {
      return signs;
    }
  });
}

/** Opens a way through the proxy to `target`, "host:port". Rejects when the proxy does not open it in time. */
export function openTunnel(proxy: URL, target: string, ca: AgentOptions['ca']): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const credentials = `${plainOf(proxy.username)}:${plainOf(proxy.password)}`;
    const authorization =
      credentials === ':' ? '' : `Proxy-Authorization: Basic ${Buffer.from(credentials).toString('base64')}\r\n`;
    const host = proxy.hostname.replaceAll(/^\[|\]$/g, '');
    const isSecure = proxy.protocol === 'https:';
    const port = Number(proxy.port || (isSecure ? 443 : 80));
    const socket = isSecure
      ? connectTls({
          host,
          port,
          servername: /[a-z]/i.test(host) && !host.includes(':') ? host : '',
          ...(ca === undefined ? {} : { ca }),
          ALPNProtocols: ['http/1.1'],
          rejectUnauthorized: true,
        })
      : connectTcp({ host, port });
    let head = Buffer.alloc(0);

    const settle = (): void => {
      clearTimeout(deadline);
      socket.off('data', onData).off('error', onError).off('end', onEnd);
    };
    const giveUp = (what: string): void => {
      settle();
      socket.on('error', () => undefined);
      socket.destroy();
      reject(new Error(`the proxy ${proxy.host} ${what}`));
    };
    const onError = (error: Error): void => {
      giveUp(`cannot be reached: ${error.message}`);
    };
    const onEnd = (): void => {
      giveUp('closed the connection');
    };
    const onData = (chunk: Buffer): void => {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end === -1 ? head.length > maxHeadBytes : end + 4 < head.length) {
        giveUp('said more than an answer');
        return;
      }
      if (end === -1) {
        return;
      }
      const [, status = ''] = /^HTTP\/1\.[01] (\d{3})(?: |\r)/.exec(head.toString('latin1')) ?? [];
      if (!/^2\d\d$/.test(status)) {
        giveUp(`does not open the way: ${status === '' ? 'no answer of HTTP' : status}`);
        return;
      }
      settle();
      socket.pause();
      resolve(socket);
    };
    const deadline = setTimeout(() => {
      giveUp('did not answer in time');
    }, tunnelDeadlineMs);
    socket.on('data', onData).on('error', onError).on('end', onEnd);
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization}\r\n`);
  });
}
