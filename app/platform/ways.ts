// Which connection a request takes: the certificates that are trusted, and the proxies on the way.
import { isLoopback } from '../domain/loopback.ts';
import { createPlainAgent, createSecureAgent, trustedCertificates } from './agents.ts';
import { routesOfAnswer, routesOfEnvironment, type Environment, type Route } from './proxy.ts';

export interface HttpOptions {
  /** Sent as `User-Agent` with every request that names none. */
  readonly userAgent: string;
  /** The system's proxies for an address, as "PROXY host:port; DIRECT"; none where it is absent, fails or is slow. */
  readonly proxyOf?: (url: string) => Promise<string>;
  /** The variables that name a proxy, and then decide alone; the process's own unless told. */
  readonly environment?: Environment;
}

type HttpsAgent = ReturnType<typeof createSecureAgent>;

/** A system that is asked for its proxies, and may have to load a script for it, is waited for so long. */
const proxyDeadlineMs = 2000;
const maxAgents = 10;

/** An idle connection is let go after this time, before most servers drop it under a request that has just left. */
const idleConnectionMs = 4000;

/** Settles as soon as the signal says that nobody waits any more, or after so many milliseconds. */
function atLatest<Value>(work: Promise<Value>, waitMs: number, signal: AbortSignal, instead: Value): Promise<Value> {
  const { promise, resolve } = Promise.withResolvers<Value>();
  const stop = (): void => {
    resolve(instead);
  };
  const timer = setTimeout(stop, waitMs);
  signal.addEventListener('abort', stop, { once: true });
  work.then(resolve, stop);
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  });
}

/**
 * Makes the agents for plain HTTP to this machine, and to an https address by the routes that lead there: directly, or
 * through a proxy.
 */
export function createWays({ proxyOf, environment = process.env }: HttpOptions) {
  // The oldest is given up when there are too many.
  const httpsAgents = new Map<string, HttpsAgent>();
  let ca: string[] | undefined;

  async function routesTo(address: URL, signal: AbortSignal): Promise<readonly Route[]> {
    if (isLoopback(address.hostname)) {
      return [null];
    }
    const named = routesOfEnvironment(address, environment);
    if (named !== null || proxyOf === undefined) {
      return named ?? [null];
    }
    // The host is all that the system's own script is told: the path may hold what somebody typed.
    return routesOfAnswer(await atLatest(proxyOf(`${address.origin}/`), proxyDeadlineMs, signal, 'DIRECT'));
  }

  async function agentTo(address: URL, signal: AbortSignal): Promise<HttpsAgent> {
    const routes = await routesTo(address, signal);
    const key = routes.map((route) => route?.href ?? '').join(' ');
    const known = httpsAgents.get(key);
    if (known !== undefined) {
      return known;
    }
    ca ??= trustedCertificates();
    // Said, so that no variable (NODE_TLS_REJECT_UNAUTHORIZED) says otherwise.
    const settings = { keepAlive: true, timeout: idleConnectionMs, ca, rejectUnauthorized: true };
    const agent = createSecureAgent(routes, settings);
    httpsAgents.set(key, agent);
    const [oldest] = httpsAgents.keys();
    if (httpsAgents.size > maxAgents && oldest !== undefined) {
      httpsAgents.delete(oldest);
    }
    return agent;
  }

  return { plainAgent: createPlainAgent({ keepAlive: true, timeout: idleConnectionMs }), agentTo };
}
