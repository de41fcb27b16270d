import type { Session } from 'electron';

/**
 * Answers the operating system's proxies for an address, as "PROXY host:port; DIRECT". Asked of a session that holds no
 * page: that of the pages has a way nowhere (lockdown.ts). The session is opened, and closed to requests, with the first.
 */
export function createSystemProxyOf(
  openSession: () => Pick<Session, 'resolveProxy' | 'webRequest'>,
): (url: string) => Promise<string> {
  let session: ReturnType<typeof openSession> | null = null;
  return (url) => {
    if (session === null) {
      session = openSession();
      session.webRequest.onBeforeRequest((_details, answer) => {
        answer({ cancel: true });
      });
    }
    return session.resolveProxy(url);
  };
}
