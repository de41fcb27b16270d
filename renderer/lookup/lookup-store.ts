import type { StoreApi } from 'zustand/vanilla';
import type { LookupAnswer, RecentLookup } from '../../app/contract/lookup.ts';
import type { ProductCard, ProductHit } from '../../app/contract/products.ts';
import type { CouponState } from '../../app/contract/coupons.ts';
import { isLikeBadge } from '../../app/domain/codes/badge.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import { createChoosing, type Choosing } from './choosing.ts';
import { createCopyWatch, type CopyWatchPorts } from './copy-watch.ts';
import { isSame, mergeCard, withCards, withFigure } from './merge-cards.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { isMiss, type HitGroup } from '../formats/products.ts';
import type { Later } from '../dom/clock.ts';
import { createSuggestionSearch, noSuggestions, readMeant, type Suggestions } from './suggestions.ts';
import { createCallLine, type CallLine } from '../stores/call-line.ts';
import type { MakeStore } from '../stores/make-store.ts';

export type LookupSource = 'scan' | 'typed';

/** The request to the platform that is under way for the answer on the screen. */
export type Improvement = 'none' | 'asking' | 'refreshing';

/**
 * 1. Every find and open takes the next sequence number; only what belongs to the highest one is ever shown.
 * 2. A figure read earlier never replaces one read later.
 * 3. A coupon that a person switched while a figure was being read keeps the newer state. So does one of which the
 *    terminal has said more while a switch was being kept, or while the answer was under way: it may come after that.
 * 4. An answer that comes at once is the first thing that a find shows; that it is waited for shows only when it takes
 *    longer.
 * 5. What the platform was not asked because it could not be, or was asked and turned away, is asked when the answer is
 *    shown again or the network has come back.
 * 6. What was looked up, and a text being typed that nothing fitted, are looked up again whenever the copy has grown; the
 *    platform's own answer to a miss stays, and a product or a list until the code itself names others. However a
 *    product was found, it is read again in all stocks; what was found by its name stays the list that it was.
 * 7. A product is shown alone. Of several that a code names, none is shown before a person has chosen it; what the code
 *    said besides stays with the chosen one.
 * 8. Of codes that come faster than they are answered, such as what a scanner has stored, as many are looked up as the
 *    recent lookups hold, in their order, the newest among them; the older ones would not stand there any more.
 * 9. While a dialog is open no product takes the place of another, and no stock joins: that waits until it is closed.
 * 10. What a person types after they have asked stays in the field, whatever is answered meanwhile.
 * 11. What stood in the field before the newest find is not asked for again while that is not answered: Enter then belongs
 *     to it, as the second one of a scanner does.
 */
export interface LookupStore extends Suggestions, Choosing {
  readonly text: string;
  readonly sequence: number;
  /** The sequence number of `answer`; lower than `sequence` while a newer one is under way. */
  readonly answered: number;
  /**
   * The sequence number of the last scan that was answered, or whose product has made way for others; the answer on the
   * screen is told as a scan's when it is the same as `answered`.
   */
  readonly scanned: number;
  /** What a person was alerted to last: it is no news to a screen that is shown again. */
  readonly signalled?: { readonly sequence: number; readonly of: string };
  readonly answer: LookupAnswer | null;
  /**
   * The sequence number of the last scan that came in pieces; what is on the screen says so when it is the same as
   * `answered`.
   */
  readonly inPieces: number;
  /** The stock that a person has opened the product in; it stands first on its card. Null after a scan or a text. */
  readonly chosenStockId: Id | null;
  /** Of so many products that share the code a person has chosen the one on the screen; 0 when there was no choice. */
  readonly chosenOf: number;
  readonly failure: Failure | null;
  readonly improvement: Improvement;
  /** Why the platform could not be asked, or the live figure of the first card not read; the old figure stays. */
  readonly improvementFailure: Failure | null;
  /** Products of the copy that a typed text which was not found may have meant. */
  readonly similar: readonly HitGroup[];
  readonly recent: readonly RecentLookup[];

  readonly type: (text: string) => void;
  /** `arrivedAtMs`: when it came, on the page's clock, if it came beside the keys; those have an order of their own. */
  readonly find: (text: string, source: LookupSource, arrivedAtMs?: number) => Promise<void>;
  /** The sequence number of the newest find or open, also before anything of it shows, and when it came beside the keys. */
  readonly newest: () => { readonly sequence: number; readonly arrivedAtMs: number };
  /** Whether another text than it and the one before has been typed since the newest find or open (invariant 10). */
  readonly isTypedOver: () => boolean;
  /** Whether the field holds no more than what stood there before the newest find, which is not answered (invariant 11). */
  readonly holdsFormer: () => boolean;
  /** The text of the newest lookup, if it is a scan's that no shop has answered yet. */
  readonly unanswered: () => string | null;
  /** A scan that is not shown, because another came after it: looked up for the recent ones alone. */
  readonly note: (text: string) => Promise<void>;
  /** Forgets a lookup of a scan: its text was a part of another one. */
  readonly withdraw: (text: string) => void;
  /** A scan came in pieces that cannot be put together. */
  readonly showPieces: () => void;
  readonly open: (hit: ProductHit, stockIds: readonly Id[]) => Promise<void>;
  readonly refresh: () => Promise<void>;
  /** The platform can be reached again: asks anew for what is on the screen (invariant 5). */
  readonly askAgain: () => Promise<void>;
  /** A person presses "Ask again" below a miss: the platform is asked anew, whatever it has answered before. */
  readonly askAnew: () => Promise<void>;
  /** The screen is shown again: asks for what was turned away in the meantime (invariant 5). */
  readonly resume: () => Promise<void>;
  /** The copy has grown or is complete: what was not found is looked up again (invariant 6). */
  readonly noticeCopy: () => Promise<void>;
  /** Reads the shown card as the main process has it for whoever is here now: it tells changes of lately shown ones. */
  readonly readAgain: () => Promise<void>;
  readonly clear: () => void;
  readonly dropSuggestions: () => void;
  readonly readRecent: () => Promise<void>;
  /** Takes a changed card from the main process. */
  readonly takeCard: (card: ProductCard) => void;
  /** A product's coupon is about to be switched; what is answered takes the state that the switch answers. */
  readonly beginSwitch: (productId: Id) => (coupon: CouponState) => void;
}

/** The contract takes no longer text; far less is too long for a code already. */
const maxTextLength = 4096;
/**
 * A wait shorter than this is not shown: to draw that an answer is awaited would keep the page from taking the answer
 * for a frame.
 */
const unseenWaitMs = 100;

/** The recent lookups hold no more. */
const maxWaiting = 100;

/** Cards on the screen whose live figure is read by itself; more would spend the rate limit on one scan. */
const maxRefreshed = 4;

/** Nothing is under way for an answer that has just come, and nothing has failed. */
const settled = { failure: null, improvement: 'none', improvementFailure: null } as const;
const notChosen = { chosenStockId: null, chosenOf: 0 } as const;

export interface LookupPorts extends CopyWatchPorts {
  /** Whether the platform may not be asked just now. */
  readonly cannotAsk: () => boolean;
  readonly later: Later;
  /** Somebody has typed a cashier's badge. */
  readonly onBadge: () => void;
}

/** A code as the scanner sent it, and how it came. */
interface Given {
  readonly text: string;
  readonly source: LookupSource;
}

/** Where the answer is kept. */
interface LookupState {
  readonly set: StoreApi<LookupStore>['setState'];
  readonly get: StoreApi<LookupStore>['getState'];
}

/** Which lookup is the newest. */
interface Turns {
  readonly newest: number;
  /** The input of the newest lookup; null for an opened product. */
  readonly given: Given | null;
  readonly isCurrent: (sequence: number) => boolean;
  /** The answer with what was said of its cards since it was asked for. */
  readonly withHeard: (answer: LookupAnswer) => LookupAnswer | null;
}

/** Whether a state that came while a coupon was being switched is what became of the switch, and not from before it. */
const followsSwitch = (state: CouponState, switched: CouponState): boolean =>
  state.isEnabled === switched.isEnabled || state.status === 'parked';

type Answers = ReturnType<typeof createAnswers>;

/** What is shown where there is no answer. */
function createNothing(dialogs: LookupPorts['dialogs'], set: LookupState['set'], turns: Turns) {
  /** For the reason that `why` gives. */
  const showNone = (sequence: number, why: Partial<LookupStore> = {}): void => {
    if (turns.isCurrent(sequence)) {
      set({ answer: null, answered: sequence, ...notChosen, failure: null, ...why });
    }
  };
  const showFailure = async (sequence: number, failure: Failure): Promise<void> => {
    if (dialogs.isOpen()) {
      await dialogs.closed(); // 9
    }
    showNone(sequence, { failure });
  };
  return { showNone, showFailure };
}

/** Shows answers, and asks the platform for what it may know better of them. */
function createAnswers({ bridge, cannotAsk, dialogs }: LookupPorts, { set, get }: LookupState, turns: Turns) {
  // The lookup whose question was turned away.
  let turnedAway = -1;
  /** What is said of live figures is of the answer that they were read for. */
  let shows = 0;

  const show = async (
    sequence: number,
    answer: LookupAnswer,
    isFresh: boolean,
    more: Partial<LookupStore> = notChosen,
  ): Promise<void> => {
    const isHeld = dialogs.isOpen();
    if (isHeld) {
      await dialogs.closed(); // 9
    }
    if (!turns.isCurrent(sequence)) {
      return;
    }
    shows += 1;
    set({ answer: turns.withHeard(answer), answered: sequence, ...more, ...settled });
    if (isHeld) {
      // The copy may have grown while it was held, and been looked at with nothing to look at.
      void get().noticeCopy(); // 6
    }
    if (!isFresh && !cannotAsk()) {
      await askPlatform(sequence);
    }
  };

  /** Asks for all that the platform may know better of what is on the screen. */
  const askPlatform = async (sequence: number): Promise<void> => {
    const { answer } = get();
    if (answer?.kind === 'found') {
      await refresh();
    } else if (isMiss(answer) && !answer.asked) {
      await ask(sequence, turns.given?.text ?? answer.text);
    }
  };

  /** Keeps why the platform gave no answer; a question that was turned away is no failure, but is still to be asked. */
  const fallShort = (failure: Failure | null): void => {
    const isTurnedAway = failure?.kind === 'cancelled';
    turnedAway = isTurnedAway ? turns.newest : -1;
    set({ improvement: 'none', improvementFailure: isTurnedAway ? null : failure });
  };

  const ask = async (sequence: number, text: string): Promise<void> => {
    if (get().improvement === 'asking') {
      return;
    }
    set({ improvement: 'asking', improvementFailure: null });
    const asked = await bridge.call('lookup:ask', { text });
    // The copy may have had it in the meantime.
    if (!turns.isCurrent(sequence) || !isMiss(get().answer)) {
      return;
    }
    fallShort(asked.ok ? null : asked.failure);
    if (!asked.ok) {
      return;
    }
    const hasFigures = asked.value.kind === 'found' && asked.value.cards.every((card) => card.balance.amount !== null);
    await show(sequence, asked.value, hasFigures || isMiss(asked.value));
    await get().readRecent();
  };

  const refreshCard = async (sequence: number, card: ProductCard): Promise<Failure | null> => {
    const refreshed = await bridge.call('product:refresh', { stockId: card.stockId, productId: card.productId });
    if (!turns.isCurrent(sequence) || !refreshed.ok) {
      return refreshed.ok ? null : refreshed.failure;
    }
    const incoming = refreshed.value;
    set({
      recent: withFigure(get().recent, incoming),
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

  const refresh = async (): Promise<void> => {
    const { answer, sequence, improvement, chosenStockId } = get();
    if (answer?.kind !== 'found' || improvement === 'refreshing') {
      return;
    }
    set({ improvement: 'refreshing', improvementFailure: null });
    const mine = shows;
    const cards = answer.cards.slice(0, maxRefreshed);
    const failures = await Promise.all(cards.map((card) => refreshCard(sequence, card)));
    if (turns.isCurrent(sequence) && mine === shows) {
      // It is said below the first figure; the others say their age.
      const first = chosenStockId ?? cards[0]?.stockId;
      const ofFirst = failures.find((_failure, place) => cards[place]?.stockId === first);
      fallShort(ofFirst ?? failures.find((failure) => failure?.kind === 'cancelled') ?? null);
    }
  };

  const askAgain = async (): Promise<void> => {
    if (!cannotAsk() && get().answered === turns.newest) {
      await askPlatform(turns.newest);
    }
  };

  return {
    show,
    ...createNothing(dialogs, set, turns),
    refresh,
    askAgain,
    askAnew: async (): Promise<void> => {
      const { answer, answered } = get();
      if (isMiss(answer) && answered === turns.newest) {
        await ask(turns.newest, turns.given?.text ?? answer.text);
      }
    },
    resume: async (): Promise<void> => {
      if (turnedAway === turns.newest) {
        turnedAway = -1;
        await askAgain();
      }
    },
  };
}

/** Reads the products that a typed text may have meant; for a later lookup it is dropped. */
async function readSimilar(bridge: Bridge, { set, get }: LookupState, turns: Turns, sequence: number): Promise<void> {
  const { answer } = get();
  const isTyped = turns.isCurrent(sequence) && turns.given?.source === 'typed';
  if (!isTyped || (answer?.kind !== 'unknown' && answer?.kind !== 'notCopied')) {
    return;
  }
  const similar = await readMeant(bridge, answer.text);
  if (turns.isCurrent(sequence) && similar !== null) {
    set({ similar });
  }
}

/** Which lookup is the newest (invariant 1). */
function createTurns({ set, get }: LookupState, cancelSearch: () => void) {
  let newest = 0;
  let given: Given | null = null;
  let arrivedAtMs = 0;
  let asked = '';
  let before = '';
  let typed: string | null = null;
  const heard = new Map<string, ProductCard>();
  const placeOf = ({ stockId, productId }: ProductCard): string => `${stockId}/${productId}`;
  const turns = {
    hear: (card: ProductCard): void => void heard.set(placeOf(card), card),
    withHeard: (answer: LookupAnswer): LookupAnswer | null =>
      withCards(answer, (card) => {
        const newer = heard.get(placeOf(card));
        return newer === undefined ? card : mergeCard(card, newer);
      }),
    get arrivedAtMs() {
      return arrivedAtMs;
    },
    get newest() {
      return newest;
    },
    get given() {
      return given;
    },
    isCurrent: (sequence: number): boolean => newest === sequence,
    typeOver: (text: string): void => void (typed = text),
    isTypedOver: (): boolean => typed !== null && typed !== asked && typed !== before,
    holdsFormer: (): boolean => get().answered !== newest && get().text !== asked && !turns.isTypedOver(),
    take(next: Given | null, nextArrivedAtMs = 0, text = next?.text ?? ''): number {
      newest += 1;
      given = next;
      arrivedAtMs = nextArrivedAtMs;
      asked = text;
      before = get().text;
      typed = null;
      heard.clear();
      cancelSearch();
      return newest;
    },
    announce(text: string, sequence: number): void {
      if (newest === sequence && get().sequence !== sequence) {
        const inField = turns.isTypedOver() ? {} : { text, ...noSuggestions }; // 10
        set({ ...inField, sequence, similar: [], improvement: 'none', improvementFailure: null });
      }
    },
    /** For what no code was given for. */
    begin(text: string): number {
      const sequence = turns.take(null, 0, text);
      turns.announce(text, sequence);
      return sequence;
    },
  };
  return turns;
}

interface FindParts {
  readonly later: Later;
  readonly onBadge: () => void;
  readonly line: CallLine;
  readonly visit: () => () => boolean;
}

/** Looks up what was scanned or typed. */
function createFind(
  bridge: Bridge,
  { set, get }: LookupState,
  turns: ReturnType<typeof createTurns>,
  answers: Answers,
  { later, onBadge, line, visit }: FindParts,
): LookupStore['find'] {
  return async (whole, source, arrivedAtMs = 0) => {
    if (isLikeBadge(whole)) {
      onBadge();
      set({ text: '', ...noSuggestions });
      return;
    }
    const text = whole.slice(0, maxTextLength);
    const sequence = turns.take({ text, source }, arrivedAtMs);
    const cancel = later(unseenWaitMs, () => turns.announce(text, sequence));
    const found = await line.call(() => bridge.call('lookup:find', { text, source }), visit());
    cancel();
    if (found === null) {
      return; // 8
    }
    turns.announce(text, sequence);
    if (turns.isCurrent(sequence) && !turns.isTypedOver()) {
      // As a person would read it: without what the scanner adds, and GS1's identifiers in brackets.
      set({ text: found.ok ? found.value.text : text });
    }
    if (source === 'scan' && turns.isCurrent(sequence)) {
      set({ scanned: sequence });
    }
    // The card first: even to ask for the recent ones takes a part of a frame.
    const shown = found.ok ? answers.show(sequence, found.value, false) : answers.showFailure(sequence, found.failure);
    if (!line.isWaiting()) {
      void get().readRecent(); // Once, when the last of many is answered.
    }
    void readSimilar(bridge, { set, get }, turns, sequence);
    await shown;
  };
}

/** Opens an empty lookup. */
export function createLookupStore(make: MakeStore, ports: LookupPorts): StoreApi<LookupStore> {
  const { bridge, later, onBadge } = ports;
  const ending = { end: ({ clear }: LookupStore) => clear(), keeps: ['sequence', 'answered'] as const, passesOn: true };
  return make<LookupStore>(ending, (set, get, visit) => {
    const search = createSuggestionSearch(bridge, set, later);
    const turns = createTurns({ set, get }, search.cancel);
    const answers = createAnswers(ports, { set, get }, turns);
    const watch = createCopyWatch(ports, { set, get }, turns, answers.show);
    const line = createCallLine(maxWaiting);

    return {
      text: '',
      sequence: 0,
      answered: 0,
      scanned: 0,
      inPieces: -1,
      answer: null,
      ...notChosen,
      failure: null,
      improvement: 'none',
      improvementFailure: null,
      ...noSuggestions,
      similar: [],
      recent: [],

      type(typed) {
        const text = typed.slice(0, maxTextLength);
        turns.typeOver(text);
        set({ text });
        search.begin(isLikeBadge(text) ? '' : text);
      },

      find: createFind(bridge, { set, get }, turns, answers, { later, onBadge, line, visit }),

      newest: () => ({ sequence: turns.newest, arrivedAtMs: turns.arrivedAtMs }),
      isTypedOver: turns.isTypedOver,
      holdsFormer: turns.holdsFormer,
      unanswered: () => {
        const isAnswered = get().answered === turns.newest && get().failure?.kind !== 'notReady';
        return turns.given?.source === 'scan' && !isAnswered ? turns.given.text : null;
      },

      async note(whole) {
        const text = whole.slice(0, maxTextLength);
        await line.call(() => bridge.call('lookup:find', { text, source: 'scan' }), visit());
        if (!line.isWaiting()) {
          void get().readRecent();
        }
      },

      withdraw(text) {
        void line.call(() => bridge.call('lookup:withdraw', { text: text.slice(0, maxTextLength) }), visit());
      },

      showPieces() {
        const sequence = turns.begin('');
        answers.showNone(sequence, { scanned: sequence, inPieces: sequence });
        void get().readRecent();
      },

      ...createChoosing({
        bridge,
        get,
        isCurrent: turns.isCurrent,
        begin: (text) => turns.begin(text),
        show: answers.show,
        fail: (sequence, failure) => void answers.showFailure(sequence, failure),
      }),

      refresh: answers.refresh,
      askAgain: answers.askAgain,
      askAnew: answers.askAnew,
      resume: answers.resume,

      readAgain: watch.readAgain,
      noticeCopy: () => {
        search.noticeCopy();
        if (get().recent.some(({ answer }) => answer === 'notCopied')) void get().readRecent();
        return watch.noticeCopy();
      },

      clear: () => answers.showNone(turns.begin('')),

      dropSuggestions() {
        search.cancel();
        set(noSuggestions);
      },

      async readRecent() {
        const recent = await bridge.call('lookup:listRecent', {});
        if (recent.ok) {
          // A figure may have come meanwhile.
          const { answer } = get();
          set({ recent: (answer?.kind === 'found' ? answer.cards : []).reduce(withFigure, recent.value) });
        }
      },

      takeCard(card) {
        turns.hear(card);
        set({
          recent: withFigure(get().recent, card),
          answer: withCards(get().answer, (shown) => (isSame(shown, card) ? mergeCard(shown, card) : shown)),
        });
      },

      beginSwitch(productId) {
        const { answer } = get();
        const before = new Set(answer?.kind === 'found' ? answer.cards.map((card) => card.coupon) : []);
        return (coupon) => {
          set({
            answer: withCards(get().answer, (card) =>
              card.productId !== productId || (!before.has(card.coupon) && followsSwitch(card.coupon, coupon))
                ? card
                : { ...card, coupon },
            ),
          });
        };
      },
    };
  });
}
