// What a screen is shown of a hub, whatever somebody with the key has written there.
import { expect, test } from 'vitest';
import { hubReadingSchema } from '../../../app/contract/hub.ts';
import { parseDocument, type HubDocument } from '../../../app/hub/document.ts';
import { stateOf } from '../../../app/hub/hub-state.ts';
import { documentOf, memberOf, nothingHeld, nowMs } from '../../support/hub-document.ts';

const last = Number.MAX_SAFE_INTEGER;
const me = memberOf();

/** Whether the contract knows what is shown of this document; null where the document is none. */
function isShown(written: HubDocument): boolean | null {
  const document = parseDocument(JSON.parse(JSON.stringify(written)));
  if (document === null) {
    return null;
  }
  const state = { mode: 'shared', failure: null, heardMs: 5, growsMs: 6, own: 0, share: 0, document };
  const hub = {
    member: { state: () => state, windowMs: () => 60_000 },
    texts: { holders: () => new Set() },
    sharedSinceMs: () => 0,
    historyOf: () => [],
  };
  const rateLimit = { read: () => ({ history: [], held: nothingHeld }), state: () => ({ limit: 60 }) };
  const open = { target: { hub: { self: { id: 'me' } } }, rateLimit, hub };
  const shown = stateOf(open as never, hub as never, { now: () => 1_700_000_000_000, uptimeMs: () => 1 } as never);
  const place = { terminalName: 'Till 1', host: 'hub', port: 5432, database: 'tillside' };
  const reading = { ...place, isPractice: false, fingerprint: null, state: shown };
  return hubReadingSchema.safeParse({ hub: reading, readAt: 0 }).success;
}

const silent = { writtenHiMs: nowMs - 60_000 };

test.each<[what: string, written: HubDocument, shown: boolean | null]>([
  ['of tills', documentOf({ me, other: memberOf({ share: 30, ...silent }) }), true],
  ['of many thousand slots', documentOf({ me, other: memberOf({ share: 9_999, ...silent }) }), true],
  ['of shares without end', documentOf({ me, a: memberOf({ share: last }), b: memberOf({ share: last }) }), null],
  ['of slots without end', documentOf({ me, other: memberOf({ held: { ...nothingHeld, person: last } }) }), null],
  ['that lends in no time of ours', documentOf({ me }, { lendsFromMs: 1e300 }), true],
])('a document %s is shown, or none', (_, written, shown) => {
  expect(isShown(written)).toBe(shown);
});
