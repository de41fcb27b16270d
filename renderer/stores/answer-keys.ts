import type { StoreApi } from 'zustand/vanilla';
import type { Later } from '../dom/clock.ts';
import type { ShortcutActions } from './shortcut-actions.ts';
import { placeOf, type Place, type ShortcutId } from './shortcuts.ts';
import type { MakeStore } from './make-store.ts';

/** The places where keys act on the answer to what was asked last, such as a scan. */
export type AnswerPlace = Extract<Place, 'lookup' | 'stocktakes'>;

function answerPlaceOf(id: ShortcutId): AnswerPlace | null {
  const place = placeOf(id);
  return place === 'lookup' || place === 'stocktakes' ? place : null;
}

/** Whether a shortcut acts on the answer to what was asked last. */
export function isAnswerKey(id: ShortcutId): boolean {
  return answerPlaceOf(id) !== null;
}

/** The numbers of a place's last question and last answer. */
export interface AskedPlace {
  /** The number of what was asked last, even before anything of it shows. */
  readonly asked: () => number;
  /** The number of what was answered last. */
  readonly answered: () => number;
  /** When the last question came beside the keys, on the page's clock; 0 when it came by keys, which have an order. */
  readonly arrivedAtMs: () => number;
}

/** The subject that the keys of a place would act on. */
export interface KeySubject {
  /** The number of the question that it answers. */
  readonly turn: number;
  /** Another text for whatever a person must have seen before a key may act on it. */
  readonly what: string;
  /** `unasked`: one, but not what was asked for; `choice`: several products, of which none is chosen yet. */
  readonly kind: 'one' | 'unasked' | 'choice' | 'none';
}

/**
 * Why a key has done nothing. `changed`: what it would act on has come after it was pressed; `notNow`: nothing on the
 * screen offers it.
 */
export type WhyNot = 'choice' | 'none' | 'late' | 'overtaken' | 'changed' | 'notNow' | 'badge';

/**
 *     a key ─┬─ its answer is on the screen ───────────────────────→ acts
 *            ├─ its answer is awaited, or not painted yet ─→ waits ─┬─ painted ────────→ acts
 *            │                                                      ├─ another question → nothing, noted when that is painted
 *            │                                                      └─ `longestWaitMs` ─→ nothing, noted
 *            └─ there is nothing that it could act on ─────────────→ nothing, noted
 *
 * 1. A key belongs to the question that was asked last when it was pressed. It acts on that one's answer, or on nothing.
 * 2. It acts on nothing that was not painted: set in a store, or drawn by React, is not seen yet.
 * 3. What comes by itself, such as the platform's answer to a miss, or in place of what was asked for, is acted on only
 *    by keys that were pressed after it was painted.
 * 4. The same key again while it waits is one key, until something else is asked. What waits acts in its order.
 * 5. A key that does nothing says why, once.
 */
export interface AnswerKeys {
  /** Why the last key did nothing, and its number among those. */
  readonly note: { readonly id: ShortcutId; readonly why: WhyNot; readonly number: number } | null;
  /** A key was pressed at this moment of the page's clock; false when it means nothing on this screen. */
  readonly press: (id: ShortcutId, atMs: number) => boolean;
  /** This is in the document now, and not painted yet; null: the place has gone. */
  readonly show: (place: AnswerPlace, subject: KeySubject | null) => void;
  /** Notes that the subject shown there has been painted. */
  readonly paint: (place: AnswerPlace, subject: KeySubject) => void;
}

export interface AnswerKeyPorts {
  readonly make: MakeStore;
  readonly places: Readonly<Record<AnswerPlace, AskedPlace>>;
  readonly run: ShortcutActions['run'];
  readonly isDialogOpen: () => boolean;
  /** A cashier's badge is being read: who switches is not known. */
  readonly isBadgeRead: () => boolean;
  readonly later: Later;
  /** On the clock of the keys' time stamps. */
  readonly nowMs: () => number;
}

/** A person has turned to something else by then. */
export const longestWaitMs = 2_000;
/** Long enough to be read. */
const noteMs = 6_000;

interface ShownSubject {
  readonly subject: KeySubject;
  /** Whether it is the first answer to its question. */
  readonly isFirst: boolean;
  /** Null while it is not painted. */
  paintedAtMs: number | null;
}

interface WaitingKey {
  readonly id: ShortcutId;
  readonly place: AnswerPlace;
  readonly turn: number;
  readonly giveUp: () => void;
}

/** Opens it with no key pressed. */
export function createAnswerKeys({
  make,
  places,
  run,
  isDialogOpen,
  isBadgeRead,
  later,
  nowMs,
}: AnswerKeyPorts): StoreApi<AnswerKeys> {
  const shown: Record<AnswerPlace, ShownSubject | null> = { lookup: null, stocktakes: null };
  let waiting: readonly WaitingKey[] = [];
  let number = 0;
  let clearNote = (): void => undefined;

  const end = (): void => {
    waiting.forEach(({ giveUp }) => giveUp());
    waiting = [];
    clearNote();
  };

  return make<AnswerKeys>({ end }, (set, get) => {
    const showNote = (id: ShortcutId, why: WhyNot): void => {
      number += 1;
      set({ note: { id, why, number } }); // 5
      clearNote();
      clearNote = later(noteMs, () => set({ note: null }));
    };

    const act = (id: ShortcutId, { kind }: KeySubject): void => {
      if (kind === 'choice' || kind === 'none') {
        showNote(id, kind);
      } else if (isDialogOpen()) {
        showNote(id, 'changed');
      } else if (isBadgeRead()) {
        showNote(id, 'badge');
      } else if (run(id)) {
        clearNote();
        set({ note: null });
      } else {
        showNote(id, 'notNow');
      }
    };

    const stopWaiting = (key: WaitingKey): void => {
      key.giveUp();
      waiting = waiting.filter((one) => one !== key);
    };

    const wait = (id: ShortcutId, place: AnswerPlace): void => {
      const turn = places[place].asked();
      if (waiting.some((one) => one.id === id && one.turn === turn)) {
        return; // 4
      }
      const key: WaitingKey = {
        id,
        place,
        turn,
        giveUp: later(longestWaitMs, () => {
          stopWaiting(key);
          showNote(id, turn === places[place].asked() ? 'late' : 'overtaken');
        }),
      };
      waiting = [...waiting, key];
    };

    return {
      note: null,

      press(id, atMs) {
        const place = answerPlaceOf(id);
        if (place === null) {
          return run(id);
        }
        const { asked, answered, arrivedAtMs } = places[place];
        const there = shown[place];
        if (there === null && asked() === answered()) {
          return false;
        }
        const isAwaited = there === null || there.subject.turn !== asked();
        const isOwn = atMs >= arrivedAtMs() && (isAwaited || (there.isFirst && there.subject.kind !== 'unasked'));
        if (!isAwaited && there.paintedAtMs !== null && (isOwn || atMs >= there.paintedAtMs)) {
          act(id, there.subject); // 1
        } else if (isOwn) {
          wait(id, place); // 2
        } else {
          showNote(id, 'changed'); // 3
        }
        return true;
      },

      show(place, subject) {
        const before = shown[place];
        shown[place] =
          subject === null ? null : { subject, isFirst: before?.subject.turn !== subject.turn, paintedAtMs: null };
      },

      paint(place, subject) {
        const there = shown[place];
        if (there?.subject !== subject) {
          return;
        }
        there.paintedAtMs = nowMs();
        if (subject.turn !== places[place].asked()) {
          return;
        }
        if (subject.kind === 'one' && get().note?.why === 'choice') {
          set({ note: null });
        }
        // The latest first: what acts takes the note away that those before it did nothing.
        for (const key of waiting.filter((one) => one.place === place).toSorted((a, b) => b.turn - a.turn)) {
          stopWaiting(key);
          if (key.turn === subject.turn && subject.kind !== 'unasked') {
            act(key.id, subject);
          } else {
            showNote(key.id, key.turn === subject.turn ? 'changed' : 'overtaken'); // 3
          }
        }
      },
    };
  });
}
