import type { Bridge } from '../bridge/bridge.ts';
import type { Later } from '../dom/clock.ts';
import { groupHits, type HitGroup } from '../formats/products.ts';

/** Products that fit the text that is being typed, or that it may have meant. */
export interface Suggestions {
  readonly suggestions: readonly HitGroup[];
  /** Products that fit what is typed, as far as they were counted. */
  readonly suggestionsFound: number;
  /** True when they were not all counted. */
  readonly hasMoreSuggestions: boolean;
  /** True while no name or code fits what is typed; a number may still be a barcode, which only a lookup knows. */
  readonly isNothingFitting: boolean;
  /** True when nothing fits, and these are what the text may have meant. */
  readonly areMeant: boolean;
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
  areMeant: false,
};

/** Shown while typing, and counted beyond that. */
const maxSuggestions = 8;
/** Lines that fit are read up to here, a product's in each of its stocks; the contract answers no more. */
const maxLinesRead = 50;
/** No person types this fast: a text among such keys is a scanner's, and not worth a search before they rest. */
const keysRestMs = 35;
/** Whoever has typed what nothing fits, and pauses for so long, is shown what it may have meant. */
const meantAfterMs = 150;

/** Reads what a typed text may have meant: the same products, in the same order, as after a lookup that found nothing. */
export async function readMeant(bridge: Bridge, text: string): Promise<readonly HitGroup[] | null> {
  const meant = await bridge.call('lookup:findSimilar', { text });
  return meant.ok ? groupHits(meant.value) : null;
}

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
  /** Set until what is typed is asked for by what it may have meant. */
  let cancelMeant: (() => void) | null = null;
  /** The text that those which are shown may have meant. */
  let meantText: string | null = null;
  const askMeant = async (text: string): Promise<void> => {
    const mine = newest;
    const products = await readMeant(bridge, text);
    if (mine === newest && products !== null && products.length > 0) {
      meantText = text;
      show({ ...noSuggestions, suggestions: products, suggestionsFound: products.length, areMeant: true });
    }
  };
  const ask = async (text: string): Promise<void> => {
    const mine = newest;
    const found = await bridge.call('lookup:search', { text, limit: maxLinesRead });
    if (mine !== newest) {
      return;
    }
    const hits = found.ok ? found.value : [];
    const products = groupHits(hits);
    unfitted = hits.length === 0 ? text : null;
    const isNothingFitting = found.ok && hits.length === 0 && !/^\d+$/.test(text.trim());
    if (isNothingFitting && meantText === text) {
      return; // The copy has grown, and there is still nothing else to show.
    }
    show({
      suggestions: products.slice(0, maxSuggestions),
      suggestionsFound: products.length,
      hasMoreSuggestions: hits.length >= maxLinesRead,
      isNothingFitting,
      areMeant: false,
    });
    if (isNothingFitting) {
      cancelMeant = later(meantAfterMs, () => void askMeant(text));
    }
  };
  const search: SuggestionSearch = {
    cancel() {
      newest += 1;
      unfitted = null;
      cancelRest?.();
      cancelRest = null;
      cancelMeant?.();
      cancelMeant = null;
    },
    noticeCopy() {
      if (unfitted !== null) {
        search.begin(unfitted);
      }
    },
    begin(text) {
      const isRushed = cancelRest !== null;
      search.cancel();
      meantText = text === meantText ? text : null;
      const isLong = text.trim().length >= 2;
      if (!isLong) {
        show(noSuggestions);
      } else if (!isRushed) {
        void ask(text);
      }
      cancelRest = later(keysRestMs, () => {
        cancelRest = null;
        if (isLong && isRushed) {
          void ask(text);
        }
      });
    },
  };
  return search;
}
