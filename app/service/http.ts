import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gatherBytes } from '../domain/gathered-bytes.ts';
import type { PlatformRequest } from './answers.ts';

/** Many times the largest that a till sends: a hundred coupons. */
const largestBodyBytes = 256 * 1024;

async function readBody(incoming: IncomingMessage): Promise<string | null> {
  const bytes = gatherBytes();
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    // A body that is too long is read to its end, but not kept, so that the refusal still reaches the caller.
    if (size <= largestBodyBytes) {
      bytes.add(chunk);
    }
  }
  return size > largestBodyBytes ? null : bytes.all().toString('utf8');
}

/** Reads a request to its end. Throws when the caller hangs up. */
export async function readRequest(incoming: IncomingMessage): Promise<PlatformRequest> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    headers[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  }
  return { method: incoming.method ?? '', target: incoming.url ?? '', headers, body: await readBody(incoming) };
}

/** An answer as it goes over the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

/** Sends the answer, or the first `share` of its bytes as if they were all. */
export function sendAnswer(response: ServerResponse, { status, headers, body }: WireAnswer, share = 1): void {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
  const sent = bytes.subarray(0, Math.floor(bytes.length * share));
  // A 204 has no length (RFC 9110 §8.6).
  const length = status === 204 ? {} : { 'content-length': String(sent.length) };
  response.writeHead(status, { ...headers, ...length });
  response.end(sent);
}

/** Listens there from when it answers on; resolves to the port. Rejects with the system's error. */
export async function startListening(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
