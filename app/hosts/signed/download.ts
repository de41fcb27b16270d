import { fail, mapResult, succeed, type Result } from '../../domain/result.ts';
import type { Http, HttpResponse } from '../../ports.ts';

const exchangeTimeoutMs = 30_000;
const maxTextBytes = 100_000;
const maxSignatureBytes = 1000;
const maxEtagLength = 200;

/** OpenSSL's words when it refuses a server's certificate because this machine's clock is wrong. */
const outOfDate = /certificate (?:is not yet valid|has expired)/;

export interface SignedText {
  readonly text: string;
  readonly signature: string;
  /** The server's name for just this text (RFC 9110 §8.8.3); null where it gives none. */
  readonly etag: string | null;
  /** The server's clock (RFC 9110 §6.6.1), in milliseconds since 1970; null where it does not tell it. */
  readonly servedAt: number | null;
}

/** The text is still the one that the tag names. */
export interface SameText extends Pick<SignedText, 'servedAt'> {
  readonly text: null;
}

interface Download {
  readonly http: Http;
  readonly warn: (message: string, details: Readonly<Record<string, unknown>>) => void;
  readonly address: string;
}

type DownloadFailure = 'failed' | 'date';

async function get(
  { http, warn }: Download,
  url: string,
  maxBytes: number,
  etag: string | null,
): Promise<Result<HttpResponse, DownloadFailure>> {
  const answer = await http.send({
    method: 'GET',
    url,
    headers: { 'cache-control': 'no-cache', ...(etag === null ? {} : { 'if-none-match': etag }) },
    timeoutMs: exchangeTimeoutMs,
    maxBytes,
  });
  if (!answer.ok) {
    const { kind, message = '' } = answer.failure;
    warn('no answer', { kind });
    return fail(kind === 'tlsRejected' && outOfDate.test(message) ? 'date' : 'failed');
  }
  const { status } = answer.value;
  if (status !== 200 && (status !== 304 || etag === null)) {
    warn('the server refuses', { status });
    return fail('failed');
  }
  return succeed(answer.value);
}

/**
 * Downloads the text at this address and the signature beside it, unless it is still the one with this `etag`.
 * Fails with `date` where the server's certificate is not valid on this machine's date.
 */
export async function downloadSigned(download: Download): Promise<Result<SignedText, DownloadFailure>>;
export async function downloadSigned(
  download: Download,
  etag: string | null,
): Promise<Result<SignedText | SameText, DownloadFailure>>;
export async function downloadSigned(
  download: Download,
  etag: string | null = null,
): Promise<Result<SignedText | SameText, DownloadFailure>> {
  const { address } = download;
  const answer = await get(download, address, maxTextBytes, etag);
  if (!answer.ok) {
    return answer;
  }
  const { status, headers, body } = answer.value;
  const date = Date.parse(headers['date'] ?? '');
  const servedAt = Number.isNaN(date) ? null : date;
  if (status === 304) {
    return succeed({ text: null, servedAt });
  }
  const signature = await get(download, `${address}.sig`, maxSignatureBytes, null);
  const named = headers['etag'] ?? '';
  return mapResult(signature, ({ body: written }) => ({
    text: body,
    signature: written,
    etag: named === '' || named.length > maxEtagLength ? null : named,
    servedAt,
  }));
}
