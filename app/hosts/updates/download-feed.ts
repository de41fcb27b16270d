import { fail, mapResult, succeed, type Result } from '../../domain/result.ts';
import type { Http, Shell } from '../../ports.ts';

const exchangeTimeoutMs = 30_000;
const maxFeedBytes = 100_000;
const maxSignatureBytes = 1000;

/** What a server's certificate is refused with where this machine's clock is wrong, in OpenSSL's words. */
const outOfDate = /certificate (?:is not yet valid|has expired)/;

async function get(
  http: Http,
  log: Shell['log'],
  url: string,
  maxBytes: number,
): Promise<Result<string, 'failed' | 'date'>> {
  const answer = await http.send({
    method: 'GET',
    url,
    headers: { 'cache-control': 'no-cache' },
    timeoutMs: exchangeTimeoutMs,
    maxBytes,
  });
  if (!answer.ok) {
    const { kind, message = '' } = answer.failure;
    log('warning', 'updates: no answer', { kind });
    return fail(kind === 'tlsRejected' && outOfDate.test(message) ? 'date' : 'failed');
  }
  if (answer.value.status !== 200) {
    log('warning', 'updates: the server refuses', { status: answer.value.status });
    return fail('failed');
  }
  return succeed(answer.value.body);
}

/**
 * Downloads the feed at this address and the signature beside it. Fails with `date` where the server's certificate is
 * not valid on this machine's date.
 */
export async function downloadFeed(
  http: Http,
  log: Shell['log'],
  address: string,
): Promise<Result<{ readonly text: string; readonly signature: string }, 'failed' | 'date'>> {
  const text = await get(http, log, address, maxFeedBytes);
  if (!text.ok) {
    return text;
  }
  const signature = await get(http, log, `${address}.sig`, maxSignatureBytes);
  return mapResult(signature, (value) => ({ text: text.value, signature: value }));
}
