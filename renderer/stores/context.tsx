import { createContext, use } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import type { Language } from '../../app/contract/basics.ts';
import type { ProductHit } from '../../app/contract/products.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import type { Id } from '../../app/domain/int64.ts';
import { languageOf } from '../../app/domain/language.ts';
import { formatNumber } from '../formats/numbers.ts';
import { hindranceOf, type Hindrance } from '../formats/blocked-by.ts';
import type { Navigation } from './navigation.ts';
import type { CouponMirror } from '../coupons/coupons-store.ts';
import type { DetailsMirror } from '../lookup/details-store.ts';
import type { ExpiryMirror } from '../lookup/expiry-store.ts';
import type { Tour } from '../shell/tour-store.ts';
import type { LookupMirror } from '../lookup/lookup-store.ts';
import type { QueueMirror } from '../queue/queue-store.ts';
import type { StockMirror } from '../stock/stock-store.ts';
import type { Stores } from './stores.ts';

export const StoresContext = createContext<Stores | null>(null);

/** The stores of this page. */
export function useStores(): Stores {
  const stores = use(StoresContext);
  if (stores === null) {
    throw new Error('a component outside of the stores');
  }
  return stores;
}

/** A part of the terminal's state; only for what is rendered after the first snapshot came. */
export function useTerminal<Part>(select: (state: TerminalState) => Part): Part {
  return useStore(useStores().terminal, (mirror) => {
    if (mirror.state === null) {
      throw new Error('the terminal has not been read yet');
    }
    return select(mirror.state);
  });
}

/** Whether somebody is signed in, or was until the platform ended it; else only this terminal's copy is open. */
export function useIsSignedIn(): boolean {
  return useTerminal((state) => state.phase === 'ready');
}

/** Why the platform cannot be asked just now; null when it can. */
export function useHindrance(): Hindrance | null {
  return useTerminal(hindranceOf);
}

const noStocks: readonly Id[] = [];

/** The stocks that this terminal works with, the first of them first. */
export function useStockIds(): readonly Id[] {
  return useTerminal((state) => state.profile?.stockIds ?? noStocks);
}

export function useLookup<Part>(select: (mirror: LookupMirror) => Part): Part {
  return useStore(useStores().lookup, select);
}

export function useDetails<Part>(select: (mirror: DetailsMirror) => Part): Part {
  return useStore(useStores().details, select);
}

export function useTour<Part>(select: (tour: Tour) => Part): Part {
  return useStore(useStores().tour, select);
}

export function useExpiry<Part>(select: (mirror: ExpiryMirror) => Part): Part {
  return useStore(useStores().expiry, select);
}

export function useCoupons<Part>(select: (mirror: CouponMirror) => Part): Part {
  return useStore(useStores().coupons.mirror, select);
}

export function useQueue<Part>(select: (mirror: QueueMirror) => Part): Part {
  return useStore(useStores().queue.mirror, select);
}

export function useStock<Part>(select: (mirror: StockMirror) => Part): Part {
  return useStore(useStores().stock, select);
}

export function useNavigation<Part>(select: (navigation: Navigation) => Part): Part {
  return useStore(useStores().navigation, select);
}

/** The words and the language that numbers and times are written in. */
export function useWords(): { readonly t: ReturnType<typeof useTranslation>['t']; readonly language: Language } {
  const { t, i18n } = useTranslation();
  return { t, language: languageOf(i18n.language) };
}

/** What a sentence with a count needs. */
export function useCounted(): (count: number) => { readonly count: number; readonly formatted: string } {
  const { language } = useWords();
  return (count) => ({ count, formatted: formatNumber(count, language) });
}

/** Which stock a hit's figure is of; null where there is but one. */
export function useStockOfHit(): (hit: ProductHit) => string | null {
  const { t } = useWords();
  const hasSeveral = useStockIds().length > 1;
  return ({ stockId, stockName }) => (hasSeveral ? (stockName ?? t('header.stock', { id: stockId })) : null);
}
