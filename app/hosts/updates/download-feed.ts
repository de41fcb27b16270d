import type { Http, Shell } from '../../ports.ts';

const exchangeTimeoutMs = 30_000;
const maxFeedBytes = 100_000;
const maxSignatureBytes = 1000;

async function get(http: Http, log: Shell['log'], url: string, maxBytes: number): Promise<string | null> {
  const answer = await http.send({
    method: 'GET',
    url,
    headers: { 'cache-control': 'no-cache' },
    timeoutMs: exchangeTimeoutMs,
    maxBytes,
  });
  if (!answer.ok) {
    log('warning', 'updates: no answer', { kind: answer.failure.kind });
    return null;
  }
  if (answer.value.status !== 200) {
    log('warning', 'updates: the server refuses', { status: answer.value.status });
    return null;
  }
  return answer.value.body;
}

/** Downloads the feed at this address and the signature beside it; null when either cannot be had. */
export async function downloadFeed(
  http: Http,
  log: Shell['log'],
  address: string,
): Promise<{ readonly text: string; readonly signature: string } | null> {
  const text = await get(http, log, address, maxFeedBytes);
  const signature = text === null ? null : await get(http, log, `${address}.sig`, maxSignatureBytes);
  return text === null || signature === null ? null : { text, signature };
}
