import type { IncomingHttpHeaders } from 'node:http';
import { isSameSecret, newSecret } from '../node/secrets.ts';

export interface Admission {
  readonly cookie: string;
  /** Begins and ends with "/". */
  readonly home: string;
}

/** The part of a path that only keeps the cookie from other servers. */
const homePattern = /^\/~[\w-]{22}(?=\/)/;

/** The path without the part that is this browser's own. */
export function withoutHome(pathname: string): string {
  return pathname.replace(homePattern, '');
}

/** The most browsers at a time; the one that came in first has to open a new address. */
const maxSessions = 50;

/** The gate of the host on this port of an address of this machine. */
export function createGate(address: string, port: number) {
  // As a browser names it: at 80 without the port.
  const { host, origin } = new URL(`http://${address}:${port}`);
  // Cookies do not tell ports apart, so two terminals on one machine need two names.
  const cookieName = `tillside-${port}`;
  const sessions: string[] = [];
  let token = newSecret();
  return {
    /** Of the page. */
    origin,
    /** The token that opens the door once. */
    token: () => token,
    /** True for a request to this host by its own name. */
    isForThisHost: (headers: IncomingHttpHeaders) => headers.host === host,
    /** True when the page that sends it, if any, is this host's own. */
    isFromOwnPage: (headers: IncomingHttpHeaders, needsOrigin: boolean) => {
      const site = headers['sec-fetch-site'];
      if (site !== undefined && site !== 'same-origin') {
        return false;
      }
      return headers.origin === undefined ? !needsOrigin : headers.origin === origin;
    },
    /** True for a request with the cookie of a spent token. */
    isAdmitted: (headers: IncomingHttpHeaders) => {
      const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
      const given = cookies.find((cookie) => cookie.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1);
      return given !== undefined && sessions.some((session) => isSameSecret(given, session));
    },
    /** Spends the token: answers the cookie to set and the path of the page, or null when it is not the present one. */
    admit: (given: string): Admission | null => {
      if (!isSameSecret(given, token)) {
        return null;
      }
      token = newSecret();
      const session = newSecret();
      sessions.push(session);
      if (sessions.length > maxSessions) {
        sessions.shift();
      }
      const home = `/~${newSecret().slice(0, 22)}/`;
      return { cookie: `${cookieName}=${session}; HttpOnly; SameSite=Strict; Path=${home}`, home };
    },
  };
}
