import { createContext, use } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore, type StoreApi } from 'zustand';
import type { Language } from '../../app/contract/basics.ts';
import type { ProductHit } from '../../app/contract/products.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import type { Id } from '../../app/domain/int64.ts';
import { languageOf } from '../../app/domain/language.ts';
import { formatNumber } from '../formats/numbers.ts';
import { blockedByOf, cutOf, type BlockedBy } from '../formats/blocked-by.ts';
import type { Stores } from './stores.ts';

export const ShopsContext = createContext<Stores | null>(null);

/** The stores of this page. */
export function useStores(): Stores {
  const stores = use(ShopsContext);
  if (stores === null) {
    throw new Error('a component outside of the stores');
  }
  return stores;
}

/** A store of a screen that is read late: made when it is first shown, for the first screen has no use for it. */
export function useLateStore<Store>(create: (stores: Stores) => Store): Store {
  const stores = useStores();
  const { late } = stores;
  if (!late.has(create)) {
    late.set(create, create(stores));
  }
  return late.get(create) as Store;
}

/** A part of the terminal's state; only for what is rendered after the first snapshot came. */
export function useTerminal<Part>(select: (state: TerminalState) => Part): Part {
  return useStore(useStores().terminal, (store) => {
    if (store.state === null) {
      throw new Error('the terminal has not been read yet');
    }
    return select(store.state);
  });
}

/** How often changes have been missed; whoever has read something that is shown reads it again then. */
export function useMissed(): number {
  return useStore(useStores().terminal, ({ missed }) => missed);
}

/** Whether somebody is signed in, or was until the platform ended it; else only this terminal's copy is open. */
export function useIsSignedIn(): boolean {
  return useTerminal((state) => state.phase === 'ready');
}

/** Why the platform cannot be asked just now; null when it can. */
export function useBlockedBy(): BlockedBy | null {
  return useTerminal(blockedByOf);
}

/** Whether the platform cannot be reached, or does not answer; null while neither is known. */
export function useCut(): ReturnType<typeof cutOf> {
  return useTerminal(cutOf);
}

const noStocks: readonly Id[] = [];

/** The stocks that this terminal works with, the first of them first. */
export function useStockIds(): readonly Id[] {
  return useTerminal((state) => state.profile?.stockIds ?? noStocks);
}

/** A hook for a part of one store. */
function hookFor<State>(storeOf: (stores: Stores) => StoreApi<State>) {
  return function usePart<Part>(select: (state: State) => Part): Part {
    return useStore(storeOf(useStores()), select);
  };
}

export const useLookup = hookFor((stores) => stores.lookup);
export const useDetails = hookFor((stores) => stores.details);
export const useTour = hookFor((stores) => stores.tour);
export const useExpiry = hookFor((stores) => stores.expiry);
export const useCoupons = hookFor((stores) => stores.coupons.store);
export const useQueue = hookFor((stores) => stores.queue.store);
export const useStock = hookFor((stores) => stores.stock);
export const useStocktakes = hookFor((stores) => stores.stocktakes.store);
export const useNavigation = hookFor((stores) => stores.navigation);

/** The words and the language that numbers and times are written in. */
export function useWords(): { readonly t: ReturnType<typeof useTranslation>['t']; readonly language: Language } {
  const { t, i18n } = useTranslation();
  return { t, language: languageOf(i18n.language) };
}

/** Returns the values that a sentence with a count needs. */
export function useCounted(): (count: number) => { readonly count: number; readonly formatted: string } {
  const { language } = useWords();
  return (count) => ({ count, formatted: formatNumber(count, language) });
}

/** A stock's display name, with its ID where several have the same one; the ID until the name is known. */
export function useStockName(): (stockId: Id, name: string | null) => string {
  const { t } = useWords();
  const stocks = useTerminal((state) => state.catalogue.stocks);
  return (stockId, name) => {
    if (name === null) {
      return t('shell.header.stock', { id: stockId });
    }
    return stocks.some((other) => other.name === name && other.stockId !== stockId) ? `${name} (${stockId})` : name;
  };
}

/** Which stock a hit's figure is of; null where there is but one. */
export function useStockOfHit(): (hit: ProductHit) => string | null {
  const nameOf = useStockName();
  const hasSeveral = useStockIds().length > 1;
  return ({ stockId, stockName }) => (hasSeveral ? nameOf(stockId, stockName) : null);
}
