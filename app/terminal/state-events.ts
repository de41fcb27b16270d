import type { ProductCard } from '../contract/products.ts';
import type { Notice, TerminalState } from '../contract/terminal-state.ts';
import type { EventListener } from '../contract/bridge.ts';
import type { ScannerReading } from '../domain/scanner-device.ts';
import type { Clock, Shell, Timer } from '../ports.ts';
import { onlyStorageError } from '../storage/database.ts';

/** What is told in the snapshot but known here alone. */
export interface Told {
  readonly revision: number;
  readonly notices: Notice[];
}

/** What the lists show, in short: the same as long as nothing of it has changed. */
export interface ListVersions {
  /** Which store is open. */
  readonly store: object | null;
  readonly queue: string;
  /** Of the settings alone; a list of coupons shows the queue as well. */
  readonly coupons: string;
}

export interface TellingParts {
  readonly clock: Clock;
  readonly log: Shell['log'];
  /** Everything that screens need, with what is known here. Throws StorageError. */
  readonly snapshot: (told: Told) => TerminalState;
  /** Throws StorageError. */
  readonly listVersions: () => ListVersions;
  /** Calls back with each card that may be on a screen and has changed. Throws StorageError. */
  readonly changedCards: (tell: (card: ProductCard) => void) => void;
}

export interface StateEvents {
  subscribe(listener: EventListener): () => void;
  /** Something that a screen may show has changed; told soon, together with whatever else changes meanwhile. */
  readonly changed: () => void;
  /** A figure or a coupon on some card may have changed, too. */
  cardsChanged(): void;
  /** A scanner without a keyboard has read this; told at once. */
  readonly scanRead: (reading: ScannerReading) => void;
  /**
   * Tells nothing until the action has ended, and then once: while one store makes way for another there is nothing to
   * show.
   */
  readonly quietly: <Value>(action: () => Promise<Value>) => Promise<Value>;
  /** Tells a person once; the same again takes the place of the one before. */
  readonly notify: (kind: Notice['kind'], detail: string) => void;
  /** What it was about is over. */
  readonly withdraw: (kind: Notice['kind']) => void;
  dismiss(id: number): void;
  told(): Told;
  /** Nothing is told from now on. */
  close(): void;
}

// Changes that come together are told together.
const eventDelayMs = 30;
const maxNotices = 20;

/** Begins at revision 0 with nobody listening. */
export function createTelling({ clock, log, snapshot, listVersions, changedCards }: TellingParts): StateEvents {
  const listeners = new Set<EventListener>();
  let notices: readonly Notice[] = [];
  let noticeId = 0;
  let revision = 0;
  let timer: Timer | null = null;
  let versions: ListVersions = { store: null, queue: '', coupons: '' };
  let areCardsTouched = false;
  let isClosed = false;
  let isQuiet = false;
  // The last attempt to tell of a change found the store unreadable.
  let isUnreadable = false;

  function told(): Told {
    return { revision, notices: [...notices] };
  }

  function tell(call: (listener: EventListener) => void): void {
    for (const listener of listeners) {
      call(listener);
    }
  }

  function tellAll(): void {
    revision += 1;
    const now = listVersions();
    const hasQueueMoved = now.store !== versions.store || now.queue !== versions.queue;
    const haveCouponsMoved = hasQueueMoved || now.coupons !== versions.coupons;
    tell((listener) => {
      listener('terminal:changed', snapshot(told()));
      if (hasQueueMoved) {
        listener('queue:changed', { revision });
      }
      if (haveCouponsMoved) {
        listener('coupon:changed', { revision });
      }
    });
    versions = now;
    if (areCardsTouched) {
      changedCards((card) => {
        tell((listener) => {
          listener('product:changed', card);
        });
      });
      areCardsTouched = false;
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
        tellAll();
        isUnreadable = false;
      } catch (error) {
        noteUnreadable(error);
      }
    });
  }

  /** A store that cannot be read just now is no reason to end: it is said once, and the next change tries again. */
  function noteUnreadable(error: unknown): void {
    log('error', 'terminal: what is to be shown cannot be read', { ...onlyStorageError(error).failure });
    if (!isUnreadable) {
      isUnreadable = true;
      notify('storageFull', '');
    }
  }

  function notify(kind: Notice['kind'], detail: string): void {
    noticeId += 1;
    notices = [
      ...notices.filter((notice) => notice.kind !== kind || notice.detail !== detail),
      { id: noticeId, kind, detail },
    ].slice(-maxNotices);
    changed();
  }

  function keepNotices(isKept: (notice: Notice) => boolean): void {
    notices = notices.filter(isKept);
    changed();
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
        tell((listener) => {
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
    notify,
    withdraw: (kind) => keepNotices((notice) => notice.kind !== kind),
    dismiss: (id) => keepNotices((notice) => notice.id !== id),
    told,
    close: () => {
      isClosed = true;
      timer?.cancel();
    },
  };
}
