import { protocol, type Session } from 'electron';
import { openPage } from '../page.ts';
import { safeScreen, safeScreenPath } from '../safe-screen.ts';
import { answerPages } from './answer-pages.ts';

/** Makes the scheme known; before Electron is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/** Serves this folder to the session's pages; resolves when the first page is on its way. Throws when not built. */
export function servePage(session: Session, rendererDirectory: string): Promise<void> {
  const page = openPage(rendererDirectory);
  const first = Promise.withResolvers<void>();
  answerPages(session, (request) => {
    const url = URL.parse(request.url);
    const isOurs = request.method === 'GET' && url?.host === 'tillside';
    setImmediate(first.resolve);
    return isOurs && url.pathname === safeScreenPath
      ? safeScreen(url.searchParams)
      : page.read(isOurs ? url.pathname : '');
  });
  return first.promise;
}
