import { protocol, type Session } from 'electron';
import { openPage } from '../page.ts';
import { safeScreen, safeScreenPath } from '../safe-screen.ts';

/** Chromium's net::ERR_FAILED. */
const failed = -2;

/** Makes the scheme known; before Electron is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/**
 * Serves the renderer in this folder to the pages of this session; resolves when the first page is on its way. Throws
 * when it has not been built.
 */
export function servePage(session: Session, rendererDirectory: string): Promise<void> {
  const page = openPage(rendererDirectory);
  const first = Promise.withResolvers<void>();
  // Not `handle`: it loads Node's whole fetch before the first page can be on its way.
  // oxlint-disable-next-line typescript/no-deprecated
  session.protocol.registerBufferProtocol('app', (request, answer) => {
    try {
      const url = URL.parse(request.url);
      const isOurs = request.method === 'GET' && url?.host === 'tillside';
      const isSafeScreen = isOurs && url.pathname === safeScreenPath;
      const { status, headers, body } = isSafeScreen
        ? safeScreen(url.searchParams.get('language') ?? '')
        : page.read(isOurs ? url.pathname : '');
      setImmediate(first.resolve);
      answer({ statusCode: status, headers: { ...headers }, data: Buffer.from(body) });
    } catch {
      // A file that cannot be read now.
      answer({ error: failed });
    }
  });
  return first.promise;
}
