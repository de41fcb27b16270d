import { echoOf, failureOf, isPage } from '../platform/answer.ts';
import type { HttpResponse } from '../ports.ts';
import type { Outcome } from './disposition.ts';

// Header values come in any casing, and perhaps twice through a gateway; what cannot be read says nothing.
function isReplayedOf(response: HttpResponse): boolean | undefined {
  const word = (response.headers['idempotency-replayed'] ?? '').split(',')[0]?.replaceAll('"', '').trim().toLowerCase();
  if (word === 'true' || word === '1') {
    return true;
  }
  return word === 'false' || word === '0' ? false : undefined;
}

/** What came back for a request that was sent under this key, as the queue judges it (API v3 §8 rule 5). */
export function readAnswer(response: HttpResponse, key: string): Outcome {
  const isReplayed = isReplayedOf(response);
  return {
    kind: 'answer',
    status: response.status,
    echo: echoOf(response, key),
    isPage: isPage(response),
    ...(isReplayed === undefined ? {} : { isReplayed }),
    failure: failureOf(response),
  };
}
