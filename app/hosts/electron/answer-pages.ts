import type { Session } from 'electron';
import type { PageAnswer } from '../page.ts';

/** Chromium's net::ERR_FAILED. */
const failed = -2;

/**
 * Answers every address of the app's scheme in this session; where `read` throws, the page fails to load. Not by
 * `protocol.handle`, which loads Node's whole fetch before the first page can be on its way (decision 58).
 */
export function answerPages(session: Session, read: (request: Electron.ProtocolRequest) => PageAnswer): void {
  function answerTo(request: Electron.ProtocolRequest): Electron.ProtocolResponse {
    try {
      const { status, headers, body } = read(request);
      return { statusCode: status, headers: { ...headers }, data: Buffer.from(body) };
    } catch {
      return { error: failed };
    }
  }
  // oxlint-disable-next-line typescript/no-deprecated
  session.protocol.registerBufferProtocol('app', (request, answer) => {
    answer(answerTo(request));
  });
}
