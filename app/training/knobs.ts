// Owns the settings that make the training platform behave in each of the ways that API v3 leaves open. A client should work
// with all of them. Never holds what a request does with them.
import { usualDials, type DialTable, type Dials } from './dials.ts';

export const knobTable = {
  elementShape: {
    of: ['nested', 'flat', 'bare'],
    usual: 'nested',
    says: 'The fields that §2 does not show: of listed products, units, balances by option, batches and coupon settings.',
  },
  timeZone: {
    of: ['America/Sao_Paulo', 'America/Manaus', 'America/New_York', 'Asia/Kolkata', 'UTC'],
    usual: 'America/Sao_Paulo',
    says: "The store's time zone, in which every date-time is written (§2).",
  },
  usualOrder: { of: ['id', 'code', 'name'], usual: 'id', says: 'The order of a listing without order_by_field (§4.3).' },
  termMatch: {
    of: ['exactFirst', 'contains'],
    usual: 'exactFirst',
    says: 'What term finds (§4.3): a barcode or code that is exactly it, alone; or all that hold it anywhere.',
  },
  zeroMeans: {
    of: ['zeroBalance', 'noMovements'],
    usual: 'zeroBalance',
    says: 'What amount_in_stock=zero finds (§4.3): a balance of zero, or products that never moved.',
  },
  emptyLastPage: { of: [1, 0], usual: 1, says: 'meta.last_page when nothing is listed (§2).' },
  pageBeyondLast: { of: ['empty', 'notFound'], usual: 'empty', says: 'A page after the last one (§2): no elements, or 404.' },
  exits: { of: ['negative', 'positive'], usual: 'negative', says: 'How movement_type=out counts (§4.4).' },
  balanceWithOptions: {
    of: ['chosen', 'whole'],
    usual: 'chosen',
    says: 'balance with option_ids (§4.4): of the chosen options, or of the whole product all the same.',
  },
  unsetCoupons: { of: ['absent', 'off'], usual: 'absent', says: 'Products whose coupon nobody ever set, in items (§4.6).' },
  hasCoupons: { of: [true, false], usual: true, says: 'Whether the first company has coupons enabled in the ERP settings (§4.7).' },
  couponsOffRefusal: {
    of: ['422:uneditable_entity', '422:unprocessable_entity', '403:forbidden', '400:bad_request'],
    usual: '422:uneditable_entity',
    says: 'Status and code where the ERP settings have coupons off (§4.7).',
  },
  partialUpdates: {
    of: ['nothing', 'goodOnes'],
    usual: 'nothing',
    says: 'What is applied of an update in which some items are refused (§4.7).',
  },
  restoreOfActive: { of: ['refused', 'accepted'], usual: 'refused', says: 'Restoring a user who is not deleted (§4.8): 422, or 204.' },
  accessTokenSeconds: { from: 1, to: 86_400, usual: 3600, says: 'How long an access token is good (§5).' },
  hasExpiresIn: { of: [true, false], usual: true, says: 'Whether a token response carries expires_in (§2).' },
  refreshTokens: {
    of: ['rotated', 'kept', 'none'],
    usual: 'rotated',
    says: 'A refresh gives a new refresh token and ends the old one; gives none and the old one stays good; or there are none at all (§5).',
  },
  missingCredentials: { of: [401, 400], usual: 401, says: 'A token request that lacks a credential: §5 rule 6 says 401, §7 on incomplete requests 400.' },
  scopeWhenAbsent: { of: ['refused', 'all'], usual: 'refused', says: 'A token request without scope (§2): invalid_scope, or the same as *.' },
  scopesMethod: { of: ['GET', 'POST'], usual: 'GET', says: 'The method of oauth/scopes (§4.2).' },
  scopesShape: { of: ['list', 'names', 'wrapped'], usual: 'list', says: 'The answer of oauth/scopes (§4.2).' },
  requestsPerMinute: { from: 1, to: 1_000_000, usual: 60, says: 'The limit of §8.' },
  areTokensCounted: { of: [true, false], usual: true, says: 'Whether token and scope requests, which are not under /api/v3, count towards the limit (§8).' },
  minute: { of: ['sliding', 'fixed'], usual: 'sliding', says: 'Which 60 seconds count (§8): any, or those of the clock.' },
  areRefusedCounted: { of: [false, true], usual: false, says: 'Whether a request that was answered 429 counts towards the limit (§8).' },
  retryAfter: { of: ['seconds', 'date', 'none'], usual: 'seconds', says: 'The Retry-After header of a 429, which API v3 does not name.' },
  keyLookup: {
    of: ['first', 'afterSignIn'],
    usual: 'first',
    // `first` is the letter of §8 rules 3 to 5: whatever is answered to a POST or PUT of a known application is kept.
    says: 'A 401 or 429 to a request with a key (§8): kept under the key like every first answer, or given before the key is seen.',
  },
  replayedAs: {
    of: ['words', 'digits', 'onReplayOnly'],
    usual: 'words',
    says: 'Idempotency-Replayed (§8 rule 5): true and false, 1 and 0, or true on a replay and absent otherwise.',
  },
  errorBodies: { of: ['full', 'codeOnly'], usual: 'full', says: 'Error bodies with all fields, or with the required ones alone (§2).' },
  unshownBodies: {
    of: ['documented', 'empty', 'page', 'otherJson'],
    usual: 'documented',
    says: 'The bodies of 401 and 404, which §4.8 does not show: an error body, nothing, a page, or other JSON.',
  },
  missingHeadersStatus: { of: [400, 422], usual: 400, says: 'The status of missing_headers (§7).' },
  invalidScopeStatus: { of: [400, 401, 403, 422], usual: 400, says: 'The status of invalid_scope (§7).' },
  methodNotAllowedStatus: { of: [405, 400, 404], usual: 405, says: 'The status of method_not_allowed (§7), whose list of statuses has no 405.' },
} as const satisfies DialTable;

export type Knobs = Dials<typeof knobTable>;

/** The fields of a listing's elements and of the other objects that API v3 §2 does not show; see shapes.ts. */
export type ElementShape = Knobs['elementShape'];

export const usualKnobs: Knobs = usualDials(knobTable);
