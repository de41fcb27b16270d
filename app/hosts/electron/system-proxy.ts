import { session as sessions } from 'electron';

/**
 * The operating system's proxies for an address, as "PROXY host:port; DIRECT". Asked of a session that holds no page:
 * that of the pages has a way nowhere (lockdown.ts).
 */
export function systemProxyOf(url: string): Promise<string> {
  const session = sessions.fromPartition('system-proxy');
  session.webRequest.onBeforeRequest((_details, answer) => {
    answer({ cancel: true });
  });
  return session.resolveProxy(url);
}
