// Requests to a server at a steady pace, and how long each took since it was due.
import { Agent, request } from 'node:http';

/** One request and who sends it. */
export interface Wanted {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** How a run of requests went. */
export interface Load {
  /** From when each was due to the last byte of its answer, in milliseconds. */
  readonly tookMs: readonly number[];
  /** Answers with another status than 200. */
  readonly failed: number;
}

const maxSockets = 64;

/** Sends the request by the agent; answers the status and the body. */
export function send(origin: string, { path, headers }: Wanted, agent: Agent): Promise<readonly [number, string]> {
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}${path}`, { agent, headers: { ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        resolve([response.statusCode ?? 0, Buffer.concat(chunks).toString('utf8')]);
      });
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Sends so many a second, each when it is due, whether or not those before it were answered. */
export async function sendAtPace(origin: string, wanted: readonly Wanted[], perSecond: number): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets });
  const startMs = performance.now();
  const tookMs: number[] = [];
  let failed = 0;
  const running: Promise<void>[] = [];
  for (const [place, one] of wanted.entries()) {
    const dueMs = startMs + (place * 1000) / perSecond;
    const restMs = dueMs - performance.now();
    if (restMs > 1) {
      await new Promise((resolve) => setTimeout(resolve, restMs));
    }
    const sentMs = performance.now();
    running.push(
      send(origin, one, agent).then(([status]) => {
        tookMs.push(performance.now() - Math.min(dueMs, sentMs));
        failed += status === 200 ? 0 : 1;
      }),
    );
  }
  await Promise.all(running);
  agent.destroy();
  return { tookMs, failed };
}
