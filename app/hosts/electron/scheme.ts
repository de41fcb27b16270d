import { protocol, type Session } from 'electron';
import { openPage } from '../page.ts';
import { safeScreen, safeScreenPath } from '../safe-screen.ts';

/** Makes the scheme known; before Electron is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/** Serves the renderer in this folder to the pages of this session. Throws when it has not been built. */
export function servePage(session: Session, rendererDirectory: string): void {
  const page = openPage(rendererDirectory);
  session.protocol.handle('app', (request) => {
    const url = URL.parse(request.url);
    const isOurs = request.method === 'GET' && url?.host === 'tillside';
    const isSafeScreen = isOurs && url.pathname === safeScreenPath;
    const { status, headers, body } = isSafeScreen
      ? safeScreen(url.searchParams.get('language') ?? '')
      : page.read(isOurs ? url.pathname : '');
    return new Response(body, { status, headers });
  });
}
