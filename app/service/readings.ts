// The ways in which API v3 can be read where it leaves something open.
import type { OptionTable } from '../contract/training-panel.ts';
import { defaultsOf, type OptionValues } from './option.ts';

export const readingTable = {
  elementShape: {
    of: ['nested', 'flat', 'bare'],
    default: 'nested',
    says: 'The fields that §2 does not show: of listed products, units, balances by option, batches and coupon settings.',
  },
  listedFields: {
    of: ['few', 'more'],
    default: 'few',
    says: 'Whether the elements of a listing carry price, supplier and aisle too, which API v3 does not show; not in shape bare.',
  },
  timeZone: {
    of: ['America/Sao_Paulo', 'America/Manaus', 'America/New_York', 'Asia/Kolkata', 'UTC'],
    default: 'America/Sao_Paulo',
    says: "The store's time zone, in which every date-time is written (§2).",
  },
  defaultOrder: {
    of: ['id', 'code', 'name'],
    default: 'id',
    says: 'The order of a listing without order_by_field (§4.3).',
  },
  emptyLastPage: { of: [1, 0], default: 1, says: 'meta.last_page when nothing is listed (§2).' },
  pageBeyondLast: {
    of: ['empty', 'notFound'],
    default: 'empty',
    says: 'A page after the last one (§2): no elements, or 404.',
  },
  exits: { of: ['negative', 'positive'], default: 'negative', says: 'How movement_type=out counts (§4.4).' },
  balanceWithOptions: {
    of: ['chosen', 'whole'],
    default: 'chosen',
    says: 'balance with option_ids (§4.4): of the chosen options, or of the whole product all the same.',
  },
  couponsOfCompany: {
    of: ['own', 'first', 'bad_request', 'unprocessable_entity', 'forbidden', 'not_found'],
    default: 'own',
    says: "Listing coupon settings with the company header, which §4.6 does not list: that company's, the first company's as if there were no header, or a refusal of any company.",
  },
  couponsWithoutCompany: {
    of: ['first', 'missing_headers', 'forbidden'],
    default: 'first',
    says: "Listing coupon settings without the company header, which §4.6 does not list: the first company's, a header is missing, or 403.",
  },
  couponsOffRefusal: {
    of: ['422:uneditable_entity', '422:unprocessable_entity', '403:forbidden', '400:bad_request'],
    default: '422:uneditable_entity',
    says: 'Status and code where the ERP settings have coupons off (§4.7).',
  },
  partialUpdates: {
    of: ['nothing', 'goodOnes'],
    default: 'nothing',
    says: 'What is applied of an update in which some items are refused (§4.7).',
  },
  emptyItems: {
    of: ['accepted', 'refused'],
    default: 'accepted',
    says: 'An update whose items is an empty list (§4.7 asks for the list): 204, or 422.',
  },
  itemsFrom: { of: [0, 1], default: 0, says: 'From where items.N in a 422 counts (§2).' },
  itemValues: {
    of: ['product', 'empty'],
    default: 'product',
    says: 'validations.value of an item whose product is unknown: its id, or empty (§2).',
  },
  restoreOfActive: {
    of: ['refused', 'accepted'],
    default: 'refused',
    says: 'Restoring a user who is not deleted (§4.8): 422, or 204.',
  },
  accessTokenSeconds: { from: 1, to: 86_400, default: 3600, says: 'How long an access token is good (§5).' },
  hasExpiresIn: { of: [true, false], default: true, says: 'Whether a token response carries expires_in (§2).' },
  refreshTokens: {
    of: ['rotated', 'kept', 'none'],
    default: 'rotated',
    says: 'A refresh gives a new refresh token and ends the old one; gives none and the old one stays good; or there are none at all (§5).',
  },
  missingCredentials: {
    of: [401, 400],
    default: 401,
    says: 'A token request that lacks a credential: §5 rule 6 says 401, §7 on incomplete requests 400.',
  },
  scopeWhenAbsent: {
    of: ['refused', 'all'],
    default: 'refused',
    says: 'A token request without scope (§2): invalid_scope, or the same as *.',
  },
  scopesMethod: { of: ['GET', 'POST'], default: 'GET', says: 'The method of oauth/scopes (§4.2).' },
  scopesShape: { of: ['list', 'names', 'wrapped'], default: 'list', says: 'The answer of oauth/scopes (§4.2).' },
  requestsPerMinute: { from: 1, to: 1_000_000, default: 60, says: 'The limit of §8.' },
  areTokensCounted: {
    of: [true, false],
    default: true,
    says: 'Whether token and scope requests, which are not under /api/v3, count towards the limit (§8).',
  },
  minute: {
    of: ['sliding', 'fixed'],
    default: 'sliding',
    says: 'Which 60 seconds count (§8): any, or those of the clock.',
  },
  areRefusedCounted: {
    of: [false, true],
    default: false,
    says: 'Whether a request that was answered 429 counts towards the limit (§8).',
  },
  retryAfter: {
    of: ['seconds', 'date', 'none'],
    default: 'seconds',
    says: 'The Retry-After header of a 429, which API v3 does not name.',
  },
  keysRequired: {
    of: ['declared', 'all'],
    default: 'declared',
    says: 'Which requests are refused without Idempotency-Key: those that declare it (§4.7, §4.8), or every POST and PUT, token requests too (§8 rule 1).',
  },
  keptRefusals: {
    of: ['both', 'unauthorized', 'tooMany', 'none'],
    default: 'both',
    // `both` is the letter of §8 rule 3: whatever is answered to a POST or PUT of a known application is kept.
    says: 'Which of 401 and 429 are kept under the key of a request like every first answer (§8 rule 3); the other is given before the key is seen.',
  },
  tokenKeys: {
    of: ['kept', 'echoed', 'ignored'],
    default: 'kept',
    says: 'A key at /oauth/token: the first answer is kept and replayed (§8 rules 3 to 5), the two headers come back but each request is answered afresh, or nothing.',
  },
  headersWithoutKey: {
    of: ['absent', 'replayedOnly', 'generated'],
    default: 'absent',
    says: 'The two headers of §8 rule 5 where a POST or PUT had no key: none, Idempotency-Replayed alone, or both with an identifier of its own.',
  },
  replayedAs: {
    of: ['words', 'digits', 'onReplayOnly'],
    default: 'words',
    says: 'Idempotency-Replayed (§8 rule 5): true and false, 1 and 0, or true on a replay and absent otherwise.',
  },
  errorBodies: {
    of: ['full', 'codeOnly'],
    default: 'full',
    says: 'Error bodies with all fields, or with the required ones alone (§2).',
  },
  unshownBodies: {
    of: ['documented', 'empty', 'page', 'otherJson'],
    default: 'documented',
    says: 'The bodies of 401 and 404, which §4.8 does not show: an error body, nothing, a page, or other JSON.',
  },
  invalidParameters: {
    of: [422, 400],
    default: 422,
    says: 'A query parameter out of its bounds: unprocessable_entity as §7 has it for parameters, or bad_request as its codes do.',
  },
  missingHeadersStatus: { of: [400, 422], default: 400, says: 'The status of missing_headers (§7).' },
  invalidScopeStatus: { of: [400, 401, 403, 422], default: 400, says: 'The status of invalid_scope (§7).' },
  methodNotAllowedStatus: {
    of: [405, 400, 404],
    default: 405,
    says: 'The status of method_not_allowed (§7), whose list of statuses has no 405.',
  },
} as const satisfies OptionTable;

export type Readings = OptionValues<typeof readingTable>;

/** The fields of a listing's elements and of the other objects that API v3 §2 does not show; see shapes.ts. */
export type ElementShape = Readings['elementShape'];

export const defaultReadings: Readings = defaultsOf(readingTable);
