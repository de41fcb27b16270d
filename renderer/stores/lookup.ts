// Owns the lookup that is on the screen: the field's text, the newest scan's answer, the live figures that improve it, the
// suggestions and the recent ones. Never decides what a text means, and never shows an older scan's answer over a newer one.
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LookupAnswer, ProductCard, ProductHit, RecentLookup } from '../../app/contract/contract.ts';
import type { CouponState } from '../../app/contract/coupons.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import type { Wall } from '../bridge.ts';
import type { Later } from '../now.ts';

export type LookupSource = 'scan' | 'typed';

/** What is being asked from the platform for the answer on the screen. */
export type Improvement = 'none' | 'asking' | 'refreshing';

/**
 * 1. Every find and open takes the next sequence number; only what belongs to the highest one is ever shown.
 * 2. A figure read earlier never replaces one read later.
 * 3. A coupon that a person switched while a figure was being read keeps the newer standing.
 * 4. An answer that comes at once is the first thing that a find shows; that it is waited for shows only when it takes longer.
 */
export interface LookupMirror {
  readonly text: string;
  readonly sequence: number;
  /** The sequence number of `answer`; lower than `sequence` while a newer one is under way. */
  readonly answered: number;
  readonly answer: LookupAnswer | null;
  readonly failure: Failure | null;
  readonly improvement: Improvement;
  /** Why the platform could not be asked or the live figure could not be read; the old figure stays. */
  readonly improvementFailure: Failure | null;
  readonly suggestions: readonly ProductHit[];
  readonly recent: readonly RecentLookup[];

  readonly type: (text: string) => void;
  readonly find: (text: string, source: LookupSource) => Promise<void>;
  readonly open: (hit: ProductHit, stockIds: readonly Id[]) => Promise<void>;
  readonly refresh: () => Promise<void>;
  readonly clear: () => void;
  readonly dropSuggestions: () => void;
  readonly readRecent: () => Promise<void>;
  /** Takes a changed card from the main process. */
  readonly takeCard: (card: ProductCard) => void;
  /** Takes the new standing of a product's coupon. */
  readonly takeCoupon: (productId: Id, coupon: CouponState) => void;
}

/** Cards on the screen whose live figure is read by itself; more would spend the allowance on one scan. */
const refreshedAtMost = 4;
const suggestionsAtMost = 8;
/** A wait shorter than this is not shown: to draw that an answer is awaited would keep the page from taking the answer for a frame. */
const unseenWaitMs = 100;

function isSame(one: ProductCard, other: ProductCard): boolean {
  return one.stockId === other.stockId && one.productId === other.productId;
}

/** The newer of two cards of the same product and stock, figure by figure (invariant 2). */
export function mergeCard(shown: ProductCard, incoming: ProductCard): ProductCard {
  const shownIsNewer = (shown.balance.asOf ?? -1) > (incoming.balance.asOf ?? -1);
  return shownIsNewer ? { ...incoming, balance: shown.balance, options: shown.options } : incoming;
}

function withCards(answer: LookupAnswer | null, change: (card: ProductCard) => ProductCard): LookupAnswer | null {
  return answer?.kind === 'found' ? { ...answer, cards: answer.cards.map(change) } : answer;
}

/**
 * Opens an empty lookup; `isOffline` says whether the platform may be asked just now, `later` calls back after so many milliseconds
 * unless the answered function is called first.
 */
export function createLookupStore(wall: Wall, isOffline: () => boolean, later: Later): StoreApi<LookupMirror> {
  // What was typed last, so that a slow search never shows suggestions for an older text.
  let searched = 0;

  return createStore<LookupMirror>((set, get) => {
    let newest = 0;
    const isCurrent = (sequence: number): boolean => newest === sequence;

    const take = (): number => {
      newest += 1;
      searched += 1;
      return newest;
    };

    const announce = (text: string, sequence: number): void => {
      if (isCurrent(sequence) && get().sequence !== sequence) {
        set({ text, sequence, suggestions: [], improvement: 'none', improvementFailure: null });
      }
    };

    const begin = (text: string): number => {
      const sequence = take();
      announce(text, sequence);
      return sequence;
    };

    // `given` is the text as the scanner sent it, which may say more than the answer's.
    const show = async (sequence: number, answer: LookupAnswer, isFresh: boolean, given = answer.text): Promise<void> => {
      if (!isCurrent(sequence)) {
        return;
      }
      set({ answer, answered: sequence, failure: null });
      if (isOffline()) {
        return;
      }
      if (answer.kind === 'found' && !isFresh) {
        await get().refresh();
      } else if ((answer.kind === 'unknown' || answer.kind === 'notCopied') && !answer.asked) {
        await ask(sequence, given);
      }
    };

    const ask = async (sequence: number, text: string): Promise<void> => {
      set({ improvement: 'asking', improvementFailure: null });
      const asked = await wall.call('lookup:ask', { text });
      if (!isCurrent(sequence)) {
        return;
      }
      set({ improvement: 'none' });
      if (!asked.ok) {
        set({ improvementFailure: asked.failure });
        return;
      }
      const hasFigures = asked.value.kind === 'found' && asked.value.cards.every((card) => card.balance.amount !== null);
      await show(sequence, asked.value, hasFigures);
      await get().readRecent();
    };

    const refreshCard = async (sequence: number, card: ProductCard): Promise<Failure | null> => {
      const refreshed = await wall.call('product:refresh', { stockId: card.stockId, productId: card.productId });
      if (!isCurrent(sequence) || !refreshed.ok) {
        return refreshed.ok ? null : refreshed.failure;
      }
      const incoming = refreshed.value;
      set({
        answer: withCards(get().answer, (shown) => {
          if (!isSame(shown, incoming)) {
            return shown;
          }
          const merged = mergeCard(shown, incoming);
          return shown.coupon === card.coupon ? merged : { ...merged, coupon: shown.coupon };
        }),
      });
      return null;
    };

    return {
      text: '',
      sequence: 0,
      answered: 0,
      answer: null,
      failure: null,
      improvement: 'none',
      improvementFailure: null,
      suggestions: [],
      recent: [],

      type(text) {
        set({ text });
        searched += 1;
        const mine = searched;
        if (text.trim().length < 2) {
          set({ suggestions: [] });
          return;
        }
        void wall.call('lookup:search', { text, limit: suggestionsAtMost }).then((found) => {
          if (mine === searched) {
            set({ suggestions: found.ok ? found.value : [] });
          }
        });
      },

      async find(text, source) {
        const sequence = take();
        const cancel = later(unseenWaitMs, () => announce(text, sequence));
        const found = await wall.call('lookup:find', { text, source });
        cancel();
        announce(text, sequence);
        if (found.ok && isCurrent(sequence) && get().text === text) {
          // As a person would read it: without what the scanner adds, and GS1's identifiers in brackets.
          set({ text: found.value.text });
        }
        // The card first: even to ask for the recent ones takes a part of a frame.
        const shown = found.ok ? show(sequence, found.value, false, text) : null;
        if (!found.ok && isCurrent(sequence)) {
          set({ answer: null, answered: sequence, failure: found.failure });
        }
        void get().readRecent();
        await shown;
      },

      async open(hit, stockIds) {
        const sequence = begin(hit.name);
        const others = stockIds.filter((stockId) => stockId !== hit.stockId);
        const read = await Promise.all(
          [hit.stockId, ...others].map((stockId) => wall.call('product:read', { stockId, productId: hit.productId, isOpened: stockId === hit.stockId })),
        );
        const cards = read.flatMap((one) => (one.ok ? [one.value] : []));
        const first = read[0];
        void get().readRecent();
        if (cards.length > 0) {
          await show(sequence, { kind: 'found', text: hit.name, cards }, false);
        } else if (isCurrent(sequence) && first !== undefined && !first.ok) {
          set({ answer: null, answered: sequence, failure: first.failure });
        }
      },

      async refresh() {
        const { answer, sequence, improvement } = get();
        if (answer?.kind !== 'found' || improvement === 'refreshing') {
          return;
        }
        set({ improvement: 'refreshing', improvementFailure: null });
        const failures = await Promise.all(answer.cards.slice(0, refreshedAtMost).map((card) => refreshCard(sequence, card)));
        if (isCurrent(sequence)) {
          set({ improvement: 'none', improvementFailure: failures.find((failure) => failure !== null) ?? null });
        }
      },

      clear() {
        const sequence = begin('');
        set({ answer: null, answered: sequence, failure: null });
      },

      dropSuggestions() {
        searched += 1;
        set({ suggestions: [] });
      },

      async readRecent() {
        const recent = await wall.call('lookup:listRecent', {});
        if (recent.ok) {
          set({ recent: recent.value });
        }
      },

      takeCard(card) {
        set({ answer: withCards(get().answer, (shown) => (isSame(shown, card) ? mergeCard(shown, card) : shown)) });
      },

      takeCoupon(productId, coupon) {
        set({ answer: withCards(get().answer, (card) => (card.productId === productId ? { ...card, coupon } : card)) });
      },
    };
  });
}
