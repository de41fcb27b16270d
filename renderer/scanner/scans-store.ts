import type { StoreApi } from 'zustand/vanilla';
import { maxStocktakeLines } from '../../app/contract/limits/stocktakes.ts';
import { isLikeBadge } from '../../app/domain/codes/badge.ts';
import type { MakeStore } from '../stores/make-store.ts';

/** So many scans wait at most: a scanner may unload what it has stored for a count. */
const maxKept = maxStocktakeLines;

export interface ScanPorts {
  /** A cashier's badge, whoever is signed in and whatever is open. */
  readonly takeBadge: (text: string) => void;
  /** True when codes can be looked up: somebody is signed in, or whoever stands there may. */
  readonly isReady: () => boolean;
  /** True when a store is open at which somebody must sign in first. */
  readonly awaitsSignIn: () => boolean;
  readonly isDialogOpen: () => boolean;
  readonly isHome: () => boolean;
  /** Goes home and shows the answer. */
  readonly show: (text: string, arrivedAtMs?: number) => void;
  /** Looks it up for the recent ones alone. */
  readonly note: (text: string) => void;
  /** Forgets a lookup: its text was a part of another scan. */
  readonly withdraw: (text: string) => void;
  /** Goes home and says that a scan came in pieces. */
  readonly showPieces: () => void;
}

/**
 *                   ┌─ a cashier's badge: handed on, and nowhere kept
 *                   ├─ in pieces: shown at once, or with the scans that wait
 *                   ├─ before a sign-in: kept unseen ──somebody signs in there──→ all but the last noted, the last shown
 *                   ├─ too early: no store is open
 *     a scan ──────→├─ taken by a screen that takes all: an open count, or the scanner's set-up page
 *                   ├─ shown at home, after those that were still offered were noted
 *                   └─ waiting behind a dialog ──closed at home──────→ all looked up in their order, the last shown
 *                                              ├─closed where a screen takes all──→ taken in their order
 *                                              └─closed elsewhere────→ all but the last noted, the last offered ──→ shown, or noted when put away
 *
 * 1. Every scan that can be looked up reaches the recent lookups, in the order of the scans, whatever is shown.
 * 2. A dialog and what is behind it stay as they are.
 * 3. What a scan withdraws is nowhere any more: neither shown, nor waiting, nor among the recent lookups.
 * 4. What is kept unseen is looked up by nobody and drawn nowhere until somebody has signed in at the same store.
 * 5. A link's code is looked up as a scan's, but a screen that takes all scans does not take it: it is offered there.
 */
export interface ScansStore {
  /** Scans that came before anything could be looked up; shown, and forgotten after a while. */
  readonly early: number;
  /** Scans before a sign-in, for whoever signs in, oldest first. */
  readonly unseen: readonly string[];
  /** Scans during the open dialog, oldest first. */
  readonly waiting: readonly string[];
  /** The last of what was scanned during a dialog that is closed now, until it is shown or put away. */
  readonly offered: string | null;
  /** True when a link asks for it. */
  readonly isOfLink: boolean;
  /** True when the last scan during the open dialog came in pieces. */
  readonly isInPieces: boolean;
  /**
   * A scan's text, or null for one that came in pieces; `withdraws` what was received before and was a part of it;
   * `arrivedAtMs` when one came that was not typed by the scanner, on the page's clock.
   */
  readonly receive: (text: string | null, withdraws?: readonly string[], arrivedAtMs?: number) => void;
  /** The same with a code that a link asks to look up. */
  readonly follow: (code: string, arrivedAtMs: number) => void;
  /** A person wants to see what was tried out. */
  readonly lookUp: (text: string) => void;
  /** The last dialog was closed. */
  readonly endWaiting: () => void;
  readonly showOffered: () => void;
  readonly putAway: () => void;
  readonly forgetEarly: () => void;
  /** Somebody has signed in at the store at which it was scanned. */
  readonly showUnseen: () => void;
  /** A screen takes all scans. */
  readonly isDiverted: boolean;
  /** Takes all scans that do not wait behind a dialog, until the answered function is called. */
  readonly divert: (next: ScanTaker) => () => void;
}

/** A screen that takes all scans. */
export interface ScanTaker {
  /** Null for one that came in pieces. */
  readonly take: (text: string | null) => void;
  /** Takes back its last scan, which was a part of another scan. */
  readonly withdraw: (text: string) => void;
}

/** The waiting scans without this text; null when it does not wait. */
function without(
  text: string,
  { unseen, waiting, offered }: Pick<ScansStore, 'unseen' | 'waiting' | 'offered'>,
): Partial<ScansStore> | null {
  if (offered === text && waiting.length === 0) {
    return { offered: null };
  }
  const but = (texts: readonly string[]): readonly string[] =>
    texts.filter((_, other) => other !== texts.lastIndexOf(text));
  if (waiting.includes(text)) {
    return { waiting: but(waiting) };
  }
  return unseen.includes(text) ? { unseen: but(unseen) } : null;
}

/** Opens a store that has received nothing. */
export function createScansStore(make: MakeStore, ports: ScanPorts): StoreApi<ScansStore> {
  const { takeBadge, isReady, awaitsSignIn, isDialogOpen, isHome, show, note, withdraw, showPieces } = ports;
  let taker: ScanTaker | null = null;
  return make<ScansStore>({ keeps: ['early', 'isDiverted'], passesOn: true }, (set, get) => {
    /** Takes back a scan received during a dialog: it has not been looked up yet. */
    const takeBack = (text: string): void => {
      const left = without(text, get());
      if (left === null) {
        (taker?.withdraw ?? withdraw)(text);
      } else {
        set(left);
      }
    };
    return {
      early: 0,
      unseen: [],
      waiting: [],
      offered: null,
      isOfLink: false,
      isInPieces: false,
      receive(text, withdraws = [], arrivedAtMs = 0) {
        if (text !== null && isLikeBadge(text)) {
          withdraws.forEach(takeBack);
          takeBadge(text);
          return;
        }
        const kept = text === null ? [] : [text];
        if (!isReady()) {
          withdraws.forEach(takeBack); // 3
          const unseen = [...get().unseen, ...kept].slice(-maxKept);
          set({ early: get().early + 1, ...(awaitsSignIn() ? { unseen } : {}) });
          return;
        }
        withdraws.forEach(takeBack); // 3
        if (isDialogOpen()) {
          set({ waiting: [...get().waiting, ...kept].slice(-maxKept), isInPieces: text === null }); // 2
          return;
        }
        if (taker !== null) {
          taker.take(text);
          return;
        }
        get().putAway(); // 1
        set({ early: 0 });
        if (text === null) {
          showPieces();
        } else {
          show(text, arrivedAtMs);
        }
      },
      follow(code, arrivedAtMs) {
        if (taker === null || !isReady()) {
          get().receive(code, [], arrivedAtMs);
        } else {
          get().putAway(); // 1
          set({ offered: code, isOfLink: true }); // 5
        }
      },
      lookUp: (text) => show(text),
      endWaiting() {
        const { waiting, isInPieces } = get();
        set({ waiting: [], isInPieces: false });
        if (taker !== null && isReady()) {
          for (const text of [...waiting, ...(isInPieces ? [null] : [])]) {
            taker.take(text);
          }
          return;
        }
        const last = waiting.at(-1);
        if (last === undefined) {
          if (isInPieces && isReady() && isHome()) showPieces();
          return;
        }
        if (!isReady()) {
          set({ early: get().early + 1 });
          return;
        }
        get().putAway();
        if (isHome()) {
          waiting.forEach((text) => show(text));
          if (isInPieces) showPieces();
          return;
        }
        waiting.slice(0, -1).forEach(note);
        set({ offered: last, isOfLink: false });
      },
      showOffered() {
        const { offered } = get();
        set({ offered: null });
        if (offered !== null) {
          show(offered);
        }
      },
      putAway() {
        const { unseen, offered } = get();
        set({ unseen: [], offered: null });
        [...unseen, ...(offered === null ? [] : [offered])].forEach(note);
      },
      forgetEarly: () => set({ early: 0 }),
      showUnseen() {
        const { unseen } = get();
        const last = unseen.at(-1);
        if (last !== undefined) {
          set({ unseen: unseen.slice(0, -1), early: 0 });
          get().putAway();
          show(last);
        }
      },
      isDiverted: false,
      divert(next) {
        taker = next;
        set({ isDiverted: true });
        return () => {
          taker = taker === next ? null : taker;
          set({ isDiverted: taker !== null });
        };
      },
    };
  });
}
