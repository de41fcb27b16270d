// Owns what becomes of each scan that the page has heard: looked up, kept while a dialog waits for its answer, offered afterwards, shown
// where somebody tries the scanner out, or told to be too early. Never hears keys, and never looks anything up itself.
import { createStore, type StoreApi } from 'zustand/vanilla';

/** Scans that are kept while a dialog is open; a person would long have closed it. */
const mostKept = 50;

export interface ScanPorts {
  /** True when somebody is signed in, so that codes can be looked up. */
  readonly isReady: () => boolean;
  readonly isDialogOpen: () => boolean;
  readonly isHome: () => boolean;
  /** Goes home and shows the answer. */
  readonly show: (text: string) => void;
  /** Looks it up for the recent ones alone. */
  readonly note: (text: string) => void;
}

/**
 *                   ┌─ too early: nobody is signed in
 *     a scan ──────→├─ tried out: the set-up page is open
 *                   ├─ shown at home, after those that were still offered were noted
 *                   └─ waiting behind a dialog ──closed at home──────→ all looked up in their order, the last shown
 *                                              └─closed elsewhere────→ all but the last noted, the last offered ──→ shown, or noted when put away
 *
 * 1. Every scan of somebody who is signed in reaches the recent lookups, in the order of the scans, whatever is shown.
 * 2. A dialog and what is behind it stay as they are.
 */
export interface ScansMirror {
  /** Scans that came before somebody was signed in; told, and forgotten after a while. */
  readonly early: number;
  /** What was scanned during the open dialog, oldest first. */
  readonly waiting: readonly string[];
  /** The last of what was scanned during a dialog that is closed now, until it is shown or put away. */
  readonly offered: string | null;
  readonly hear: (text: string) => void;
  /** A person wants to see what was tried out. */
  readonly lookUp: (text: string) => void;
  /** The last dialog was closed. */
  readonly endWaiting: () => void;
  readonly showOffered: () => void;
  readonly putAway: () => void;
  readonly forgetEarly: () => void;
  /** Somebody signed out, or another store was opened: what was scanned before is not for whoever comes next. */
  readonly forget: () => void;
  /** Takes the scans while no dialog is open, until the answered function is called. */
  readonly divert: (listener: (text: string) => void) => () => void;
}

/** Opens a store that has heard nothing. */
export function createScansStore({ isReady, isDialogOpen, isHome, show, note }: ScanPorts): StoreApi<ScansMirror> {
  let tried: ((text: string) => void) | null = null;
  return createStore<ScansMirror>((set, get) => ({
    early: 0,
    waiting: [],
    offered: null,
    hear(text) {
      if (!isReady()) {
        set({ early: get().early + 1 });
        return;
      }
      if (isDialogOpen()) {
        set({ waiting: [...get().waiting, text].slice(-mostKept) }); // 2
        return;
      }
      if (tried !== null) {
        tried(text);
        return;
      }
      get().putAway(); // 1
      set({ early: 0 });
      show(text);
    },
    lookUp: show,
    endWaiting() {
      const { waiting } = get();
      set({ waiting: [] });
      const last = waiting.at(-1);
      if (last === undefined) {
        return;
      }
      if (!isReady()) {
        set({ early: get().early + 1 });
        return;
      }
      get().putAway();
      if (isHome()) {
        waiting.forEach(show);
        return;
      }
      waiting.slice(0, -1).forEach(note);
      set({ offered: last });
    },
    showOffered() {
      const { offered } = get();
      set({ offered: null });
      if (offered !== null) {
        show(offered);
      }
    },
    putAway() {
      const { offered } = get();
      set({ offered: null });
      if (offered !== null) {
        note(offered);
      }
    },
    forgetEarly() {
      set({ early: 0 });
    },
    forget() {
      set({ offered: null });
    },
    divert(listener) {
      tried = listener;
      return () => {
        tried = tried === listener ? null : tried;
      };
    },
  }));
}
