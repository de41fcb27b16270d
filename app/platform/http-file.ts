// The way to a file that is too large to be held whole. It goes as every other request does (ways.ts): Chromium's own
// would take another proxy, no proxy's password, and other certificates.
import { request as requestPlainly, type IncomingMessage } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { isLoopback } from '../domain/loopback.ts';
import { createWays, type HttpOptions } from './ways.ts';

/** An answer of any status, whose body comes part by part. */
export interface OpenedFile {
  readonly status: number;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Asks for the file at an address; follows no redirect. The signal ends the connection, at any time. */
export type OpenFile = (url: string, signal: AbortSignal) => Promise<OpenedFile>;

/** Makes the world's. Rejects where there is no answer, and for plain HTTP to another machine. */
export function createOpenFile(options: HttpOptions): OpenFile {
  const { plainAgent, agentTo } = createWays(options);
  // A body is counted and compared as it comes: packed it would be another one.
  const headers = { 'user-agent': options.userAgent, 'accept-encoding': 'identity' };
  return async (url, signal) => {
    const address = new URL(url);
    if (address.protocol !== 'https:' && !isLoopback(address.hostname)) {
      throw new Error('the address is not secure');
    }
    const outgoing =
      address.protocol === 'https:'
        ? requestSecurely(address, { agent: await agentTo(address, signal), headers, signal })
        : requestPlainly(address, { agent: plainAgent, headers, signal });
    // Whoever waits for the answer is told by that, and whoever reads the body there.
    outgoing.on('error', () => undefined);
    const { promise: answered, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    outgoing.once('response', resolve).once('error', reject);
    // A server that changes the protocol is left without an error.
    outgoing.once('close', () => {
      reject(new Error('there is no answer'));
    });
    outgoing.end();
    const answer = await answered;
    return { status: answer.statusCode ?? 0, body: answer };
  };
}
