/** A proxy's own address, with user and password where it has them, or null for a direct connection. */
export type Route = URL | null;

export type Environment = Readonly<Record<string, string | undefined>>;

const maxRoutes = 5;

function readProxy(text: string, scheme = 'http'): URL | null {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${scheme}://${text}`);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '' ? url : null;
}

function isExempt(address: URL, list: string): boolean {
  const host = address.hostname.toLowerCase();
  const named = `${host}:${address.port === '' ? '443' : address.port}`;
  return list.split(/[\s,]+/).some((entry) => {
    const wanted = entry.toLowerCase().replace(/^\*?\./, '');
    return entry === '*' || (wanted !== '' && (wanted === host || wanted === named || host.endsWith(`.${wanted}`)));
  });
}

/**
 * The routes to an https address by the variables HTTPS_PROXY, ALL_PROXY and NO_PROXY, in either case; null when they
 * name no proxy at all, so that the system decides. One that cannot be used counts as none.
 */
export function routesOfEnvironment(address: URL, environment: Environment): readonly Route[] | null {
  const read = (...names: readonly string[]): string =>
    names
      .flatMap((name) => [environment[name], environment[name.toUpperCase()]])
      .find((value) => value !== undefined && value !== '') ?? '';
  const proxy = readProxy(read('https_proxy', 'all_proxy'));
  if (proxy === null) {
    return null;
  }
  return [isExempt(address, read('no_proxy')) ? null : proxy];
}

/**
 * The routes in an operating system's answer, in the form of a proxy's automatic configuration: "PROXY one:8080; HTTPS
 * two:443; DIRECT", tried in that order. SOCKS is not spoken here and is left out; an answer with nothing that can be
 * used means a direct connection.
 */
export function routesOfAnswer(answer: string): readonly Route[] {
  const routes = answer
    .slice(0, 2000)
    .split(';')
    .flatMap((entry): Route[] => {
      const [kind = '', place = ''] = entry.trim().split(/\s+/);
      if (/^direct$/i.test(kind)) {
        return [null];
      }
      const proxy =
        /^https?$|^proxy$/i.test(kind) && /^[\w.[\]:-]+$/.test(place)
          ? readProxy(place, /^https$/i.test(kind) ? 'https' : 'http')
          : null;
      return proxy === null ? [] : [proxy];
    });
  return routes.length === 0 ? [null] : routes.slice(0, maxRoutes);
}
