import { isTextField, typeInto } from '../dom/fields.ts';
import { choosesByNumber } from '../dom/number-choice.ts';

/** True where a space may do more than typing or scrolling. */
const acts = (element: Element): boolean =>
  element.matches('button, summary, input, select, a[href], [role]:not([role="region"])');

/** The browser's own: characters that follow one another this closely are looked for in a list as one text. */
const searchedTogetherMs = 1000;

interface HeldPress {
  /** The element that had the focus. */
  readonly element: Element;
  readonly event: KeyboardEvent;
  readonly atMs: number;
}

export interface HeldKeys {
  /** True when this key must not reach what has the focus before it is known whose it is. */
  readonly mustHold: (focused: Element | null, key: string) => boolean;
  readonly hold: (focused: Element | null, event: KeyboardEvent) => void;
  /**
   * They were a person's, all but the newest ones: does what they ask for, in their order, each where it was pressed.
   */
  readonly release: (allBut?: number) => void;
  /** They were a scan's. */
  readonly drop: () => void;
}

/** Holds nothing yet. */
export function createHeldKeys(): HeldKeys {
  let held: readonly HeldPress[] = [];
  // The last search in a list.
  let searched: { readonly list: Element; readonly text: string; readonly atMs: number } | null = null;

  /**
   * Chooses the next option that begins with what was typed, as the browser does, which opens the list for a space that
   * no search goes on with.
   */
  const chooseIn = (list: HTMLSelectElement, character: string, atMs: number): void => {
    const before = searched?.list === list && atMs - searched.atMs < searchedTogetherMs ? searched.text : '';
    if (before === '' && character === ' ') {
      list.showPicker();
      return;
    }
    searched = { list, text: before + character.toLowerCase(), atMs };
    // The same character again and again goes through all that begin with it.
    const isAgain = [...searched.text].every((one) => one === searched?.text[0]);
    const wanted = isAgain ? character.toLowerCase() : searched.text;
    const count = list.options.length;
    const from = list.selectedIndex + (isAgain ? 1 : 0);
    const places = Array.from({ length: count }, (_, step) => (from + step) % count);
    const place = places.find(
      (one) => list.options[one]?.disabled === false && list.options[one].label.trim().toLowerCase().startsWith(wanted),
    );
    if (place !== undefined && place !== list.selectedIndex) {
      list.selectedIndex = place;
      list.dispatchEvent(new Event('input', { bubbles: true }));
      list.dispatchEvent(new Event('change', { bubbles: true }));
    }
  };

  const act = ({ element, event, atMs }: HeldPress): void => {
    const focused = document.activeElement;
    const target = element.isConnected ? element : (focused ?? document.body);
    const isTaken = !target.dispatchEvent(event);
    // Who types outside of a field is led into one by the key itself.
    const receiver = document.activeElement === focused ? target : document.activeElement;
    if (isTaken || event.key.length > 1 || event.ctrlKey || event.metaKey) {
      return;
    }
    if (isTextField(receiver)) {
      typeInto(receiver, event.key);
    } else if (receiver instanceof HTMLSelectElement) {
      chooseIn(receiver, event.key, atMs);
    } else if (event.key === ' ' && receiver instanceof HTMLElement) {
      pressSpace(receiver, event.shiftKey);
    }
  };

  return {
    mustHold: (focused, key) =>
      held.length > 0 ||
      (/^[1-9]$/.test(key) && choosesByNumber(focused)) ||
      (key.length === 1 &&
        focused !== null &&
        acts(focused) &&
        !isTextField(focused) &&
        (key === ' ' || focused instanceof HTMLSelectElement)),
    hold(focused, event) {
      held = [
        ...held,
        { element: focused ?? document.body, event: new KeyboardEvent('keydown', event), atMs: event.timeStamp },
      ];
    },
    release(allBut = 0) {
      while (held.length > allBut) {
        const [first, ...rest] = held;
        held = rest;
        if (first !== undefined) {
          const focused = document.activeElement;
          act(first);
          const moved = document.activeElement;
          // Where this one moved the focus to, those behind it would have come.
          held =
            moved === focused
              ? held
              : held.map((press) =>
                  press.element === first.element ? { ...press, element: moved ?? document.body } : press,
                );
        }
      }
    },
    drop() {
      held = [];
    },
  };
}

/** Does what a space does that no listener took: presses, else scrolls by a page. */
function pressSpace(element: HTMLElement, isBackwards: boolean): void {
  if (element.matches('button, summary, input')) {
    element.click();
    return;
  }
  let box: Element | null = element;
  while (
    box !== null &&
    (box.scrollHeight <= box.clientHeight || !/auto|scroll/.test(getComputedStyle(box).overflowY))
  ) {
    box = box.parentElement;
  }
  box?.scrollBy({ top: (isBackwards ? -1 : 1) * 0.875 * box.clientHeight });
}
