import type { ProductCard } from '../contract/products.ts';
import type { Notice, TerminalState } from '../contract/terminal-state.ts';
import type { EventListener } from '../contract/bridge.ts';
import type { ScannerReading } from '../domain/scanner-device.ts';
import type { Clock, Shell, Timer } from '../ports.ts';
import { onlyStorageError } from '../storage/database.ts';

/** The parts of the snapshot that are known here alone. */
export interface EventState {
  readonly revision: number;
  readonly notices: Notice[];
}

/** The versions of the lists: the same as long as nothing that they show has changed. */
export interface ListVersions {
  /** Which shop is open. */
  readonly shop: object | null;
  readonly queue: string;
  /** Of the settings alone; a list of coupons shows the queue as well. */
  readonly coupons: string;
}

export interface StateEventsParts {
  readonly clock: Clock;
  readonly log: Shell['log'];
  /** Everything that screens need, with what is known here. Throws StorageError. */
  readonly snapshot: (known: EventState) => TerminalState;
  /** Throws StorageError. */
  readonly listVersions: () => ListVersions;
  /**
   * Calls back with each card that may be on a screen and has changed; answers false, and tells none, while nobody is
   * there who may see them. Throws StorageError.
   */
  readonly changedCards: (emit: (card: ProductCard) => void) => boolean;
}

export interface StateEvents {
  subscribe(listener: EventListener): () => void;
  /** Something that a screen may show has changed; emitted soon, together with whatever else changes meanwhile. */
  readonly changed: () => void;
  /** A figure or a coupon on some card may have changed, too. */
  cardsChanged(): void;
  /** A scanner without a keyboard has read this; emitted at once. */
  readonly scanRead: (reading: ScannerReading) => void;
  /** Emits nothing until the action has ended, and then once: a shop that makes way for another has nothing to show. */
  readonly quietly: <Value>(action: () => Promise<Value>) => Promise<Value>;
  /** Tells a person once; the same again takes the place of the one before. */
  readonly notify: (kind: Notice['kind'], detail: string) => void;
  /** Withdraws the notice: its reason is over. */
  readonly withdraw: (kind: Notice['kind']) => void;
  dismiss(id: number): void;
  state(): EventState;
  /** The state for a screen that asks. Throws StorageError. */
  read(): TerminalState;
  /** Nothing is emitted from now on. */
  close(): void;
}

// Changes that come together are emitted together.
const eventDelayMs = 30;
const maxNotices = 20;

/** The notices that a person must see once, the newest last. */
function createNotices(
  changed: () => void,
): Pick<StateEvents, 'notify' | 'withdraw' | 'dismiss'> & { readonly list: () => Notice[] } {
  let notices: readonly Notice[] = [];
  let newestId = 0;

  function keep(isKept: (notice: Notice) => boolean): void {
    notices = notices.filter(isKept);
    changed();
  }

  return {
    list: () => [...notices],
    notify: (kind, detail) => {
      newestId += 1;
      notices = [
        ...notices.filter((notice) => notice.kind !== kind || notice.detail !== detail),
        { id: newestId, kind, detail },
      ].slice(-maxNotices);
      changed();
    },
    withdraw: (kind) => keep((notice) => notice.kind !== kind),
    dismiss: (id) => keep((notice) => notice.id !== id),
  };
}

/** The state that screens were shown last, but for its revision. */
function createShown() {
  const textOf = (shown: TerminalState): string => JSON.stringify({ ...shown, revision: 0 });
  let emitted = '';
  // Some screen has read what was not emitted: going back to what was emitted would be a change to that screen.
  let isAnotherRead = false;
  return {
    noteRead: (shown: TerminalState): TerminalState => {
      isAnotherRead ||= textOf(shown) !== emitted;
      return shown;
    },
    isNew: (shown: TerminalState): boolean => isAnotherRead || textOf(shown) !== emitted,
    noteEmitted: (shown: TerminalState): void => {
      emitted = textOf(shown);
      isAnotherRead = false;
    },
  };
}

/** Begins at revision 0 with nobody listening. */
export function createStateEvents({ clock, log, snapshot, listVersions, changedCards }: StateEventsParts): StateEvents {
  const listeners = new Set<EventListener>();
  const notices = createNotices(changed);
  const screens = createShown();
  let revision = 0;
  let timer: Timer | null = null;
  let versions: ListVersions = { shop: null, queue: '', coupons: '' };
  let areCardsTouched = false;
  let isClosed = false;
  let isQuiet = false;
  // The last attempt to emit a change found the shop unreadable.
  let isUnreadable = false;

  function state(): EventState {
    return { revision, notices: notices.list() };
  }

  function emit(call: (listener: EventListener) => void): void {
    listeners.forEach(call);
  }

  /** Much that may change leaves everything as it was, at rest above all: then no screen is woken. */
  function emitState(): void {
    const now = listVersions();
    const hasQueueMoved = now.shop !== versions.shop || now.queue !== versions.queue;
    const haveCouponsMoved = hasQueueMoved || now.coupons !== versions.coupons;
    const shown = snapshot(state());
    if (!haveCouponsMoved && !screens.isNew(shown)) {
      return;
    }
    revision += 1;
    emit((listener) => {
      listener('terminal:changed', { ...shown, revision });
      if (hasQueueMoved) {
        listener('queue:changed', { revision });
      }
      if (haveCouponsMoved) {
        listener('coupon:changed', { revision });
      }
    });
    screens.noteEmitted(shown);
    versions = now;
  }

  function emitAll(): void {
    emitState();
    if (areCardsTouched) {
      areCardsTouched = !changedCards((card) => emit((listener) => listener('product:changed', card)));
    }
  }

  function changed(): void {
    if (isClosed) {
      return;
    }
    timer ??= clock.after(eventDelayMs, () => {
      timer = null;
      if (isQuiet) {
        return;
      }
      try {
        emitAll();
        isUnreadable = false;
      } catch (error) {
        noteUnreadable(error);
      }
    });
  }

  /** A shop that cannot be read just now is no reason to end: it is said once, and the next change tries again. */
  function noteUnreadable(error: unknown): void {
    log('error', 'terminal: what is to be shown cannot be read', { ...onlyStorageError(error).failure });
    if (!isUnreadable) {
      isUnreadable = true;
      notices.notify('storageFull', '');
    }
  }

  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    changed,
    cardsChanged: () => {
      areCardsTouched = true;
      changed();
    },
    scanRead: (reading) => {
      if (!isClosed) {
        emit((listener) => {
          listener('scanner:read', reading);
        });
      }
    },
    quietly: async (action) => {
      isQuiet = true;
      try {
        return await action();
      } finally {
        isQuiet = false;
        changed();
      }
    },
    notify: notices.notify,
    withdraw: notices.withdraw,
    dismiss: (id) => notices.dismiss(id),
    state,
    read: () => screens.noteRead(snapshot(state())),
    close: () => {
      isClosed = true;
      timer?.cancel();
    },
  };
}
