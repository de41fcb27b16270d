// The part that a customer sees of an answer, and of the terminal's state. Both are built up from nothing, so that what
// a later version adds stays inside until somebody lets it out here.
import { idleState } from '../../catalogue/catalogue.ts';
import { stationLimits } from '../../contract/limits/station.ts';
import type { LookupAnswer } from '../../contract/lookup.ts';
import type { ProductCard, ProductHit } from '../../contract/products.ts';
import { defaultSettings } from '../../contract/settings.ts';
import type { StationAnswer, StationChoice, StationProduct, StationStock } from '../../contract/station.ts';
import { noUpdates, signedOut, type TerminalState } from '../../contract/terminal-state.ts';

/** The words or figure that a customer sees; never that there is none, or less. */
export function stationStockOf(
  { amount }: ProductHit['balance'],
  unit: string | null,
  { stockWords, fewBelow }: Pick<StationChoice, 'stockWords' | 'fewBelow'>,
): StationStock {
  if (amount === null || amount <= 0) {
    return { kind: 'askUs' };
  }
  if (stockWords === 'figures') {
    return { kind: 'figure', amount, unit };
  }
  return { kind: amount < fewBelow ? 'few' : 'inStock' };
}

type Facts = Pick<TerminalState, 'profile' | 'catalogue' | 'station'>;

/**
 * The answer for a customer: the products' names, and what is told of the first stock. A product that the first stock
 * does not have is one to ask for, and so is every one until that stock was copied once.
 */
export function stationAnswerOf(answer: LookupAnswer, { profile, catalogue, station }: Facts): StationAnswer {
  const stockId = profile?.stockIds[0];
  const completeAsOf = catalogue.stocks.find((stock) => stock.stockId === stockId)?.completeAsOf ?? null;
  // In a part of the copy a code may still be another product's.
  if (completeAsOf === null || (answer.kind !== 'found' && answer.kind !== 'several')) {
    return { kind: 'askUs' };
  }
  const hits: readonly (ProductHit & Pick<ProductCard, 'fields'>)[] =
    answer.kind === 'found' ? answer.cards : answer.hits;
  const products = [...new Set(hits.map(({ productId }) => productId))]
    .slice(0, stationLimits.products)
    .map((productId): StationProduct => {
      const all = hits.filter((hit) => hit.productId === productId);
      const here = all.find((hit) => hit.stockId === stockId);
      const { name, code } = here ?? all[0] ?? { name: '', code: null };
      const stock: StationStock =
        here === undefined ? { kind: 'askUs' } : stationStockOf(here.balance, here.unit, station);
      const asOf = stock.kind === 'askUs' ? null : (here?.balance.asOf ?? null);
      const fields = (here?.fields ?? [])
        .filter(({ on }) => on.includes('station'))
        .map(({ on: _on, ...field }) => field);
      return { name, code, stock, fields, asOf: asOf === null ? null : Math.max(asOf, completeAsOf) };
    });
  return products.length === 0 ? { kind: 'askUs' } : { kind: 'found', products };
}

/** The state that the page of the check station gets: how it looks and reads a scanner, and nothing of anybody. */
export function stationStateOf(state: TerminalState): TerminalState {
  const { revision, host, mode, language, languageChosen, theme, textSize, scanner, sounds, station, lock } = state;
  return {
    ...defaultSettings,
    revision,
    version: '',
    host,
    // Whether somebody is signed in is no customer's matter.
    phase: 'ready',
    mode,
    practice: null,
    profile: null,
    profileId: null,
    profiles: [],
    isSecretNeeded: false,
    language,
    languageChosen,
    theme,
    textSize,
    scanner,
    sounds,
    station,
    isTourSeen: true,
    session: signedOut,
    connection: { state: 'resting', since: null, failure: null },
    clockAheadMs: null,
    catalogue: idleState,
    queue: noUpdates,
    stocktakeChanges: 0,
    watchList: null,
    scannerDevice: null,
    companion: null,
    localApi: null,
    rateLimit: { limit: 0, used: 0, pausedUntil: null },
    lock: {
      hasPin: true,
      kinds: [],
      opensForMinutes: 0,
      openKinds: [],
      openUntil: null,
      waitUntil: lock.waitUntil,
      newestEntry: 0,
    },
    cashiers: { lockedEmail: null, users: [] },
    isSafeMode: false,
    notices: [],
  };
}
