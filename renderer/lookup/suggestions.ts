import type { Bridge } from '../bridge/bridge.ts';
import type { Later } from '../dom/clock.ts';
import { groupHits, type HitGroup } from '../formats/products.ts';

/** Products that fit the text that is being typed. */
export interface Suggestions {
  readonly suggestions: readonly HitGroup[];
  /** Products that fit what is typed, as far as they were counted. */
  readonly suggestionsFound: number;
  /** True when they were not all counted. */
  readonly hasMoreSuggestions: boolean;
  /** True while no name or code fits what is typed; a number may still be a barcode, which only a lookup knows. */
  readonly isNothingFitting: boolean;
}

export interface SuggestionSearch {
  /** Takes the text that is in the field now. */
  readonly begin: (text: string) => void;
  /** Drops what is under way; what is shown stays. */
  readonly cancel: () => void;
  /** The copy has grown: a text that nothing fitted is searched for again. */
  readonly noticeCopy: () => void;
}

export const noSuggestions: Suggestions = {
  suggestions: [],
  suggestionsFound: 0,
  hasMoreSuggestions: false,
  isNothingFitting: false,
};

/** Shown while typing, and counted beyond that. */
const maxSuggestions = 8;
/** Lines that fit are read up to here, a product's in each of its stocks; the contract answers no more. */
const maxLinesRead = 50;
/** No person types this fast: a text among such keys is a scanner's, and not worth a search before they rest. */
const keysRestMs = 35;

/** Shows suggestions for what is typed; those for an older text are dropped. */
export function createSuggestionSearch(
  bridge: Bridge,
  show: (suggestions: Suggestions) => void,
  later: Later,
): SuggestionSearch {
  let newest = 0;
  /** Set until the keys rest. */
  let cancelRest: (() => void) | null = null;
  /** The typed text, when nothing fitted it. */
  let unfitted: string | null = null;
  const ask = (text: string): void => {
    const mine = newest;
    void bridge.call('lookup:search', { text, limit: maxLinesRead }).then((found) => {
      if (mine === newest) {
        const hits = found.ok ? found.value : [];
        const products = groupHits(hits);
        unfitted = hits.length === 0 ? text : null;
        show({
          suggestions: products.slice(0, maxSuggestions),
          suggestionsFound: products.length,
          hasMoreSuggestions: hits.length >= maxLinesRead,
          isNothingFitting: found.ok && hits.length === 0 && !/^\d+$/.test(text.trim()),
        });
      }
    });
  };
  const search: SuggestionSearch = {
    cancel() {
      newest += 1;
      unfitted = null;
      cancelRest?.();
      cancelRest = null;
    },
    noticeCopy() {
      if (unfitted !== null) {
        search.begin(unfitted);
      }
    },
    begin(text) {
      const isRushed = cancelRest !== null;
      search.cancel();
      const isLong = text.trim().length >= 2;
      if (!isLong) {
        show(noSuggestions);
      } else if (!isRushed) {
        ask(text);
      }
      cancelRest = later(keysRestMs, () => {
        cancelRest = null;
        if (isLong && isRushed) {
          ask(text);
        }
      });
    },
  };
  return search;
}
