import type { Session } from 'electron';
import { pageOrigin } from '../app/hosts/electron/own-pages.ts';

export { registerPageScheme } from '../app/hosts/electron/scheme.ts';

/** Serves the pages of this session from the dev server. Stands in for the app's own only in what `npm run dev` builds. */
export function servePage(session: Session): Promise<void> {
  const server = process.env['TILLSIDE_DEV_SERVER'] ?? '';
  const allowed = [pageOrigin, server, server.replace('http:', 'ws:')].map((origin) => `${origin}/`);
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    answer({ cancel: ![...allowed, 'devtools://'].some((start) => url.startsWith(start)) });
  });
  session.protocol.handle('app', async ({ url, headers }) => {
    const { pathname, search } = new URL(url);
    return fetch(`${server}${pathname}${search}`, { headers });
  });
  return Promise.resolve();
}
