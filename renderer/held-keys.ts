// Owns the few keys that do something at once where no text is typed: a space presses the focused button, and a character chooses from a
// focused list. They are held until it is known whether a scan begins with them, and done then in the page's own way if it was a person.
// Never judges whose keys they are.

/** True where a space may do more than typing or scrolling. */
const acts = (element: Element | null): element is HTMLElement => element instanceof HTMLElement && element.matches('button, summary, input, select, a[href], [role]');

/** Chooses the next option of a list that begins with a text, as the browser does for what is typed. */
function chooseByText(list: HTMLSelectElement, text: string): void {
  const wanted = text.toLowerCase();
  const count = list.options.length;
  // A single character goes on from the present option, so that pressing it again chooses the next one.
  const from = list.selectedIndex + (text.length === 1 ? 1 : 0);
  const places = Array.from({ length: count }, (_, step) => (from + step) % count);
  const place = places.find((one) => list.options[one]?.disabled === false && list.options[one].label.trim().toLowerCase().startsWith(wanted));
  if (place !== undefined && place !== list.selectedIndex) {
    list.selectedIndex = place;
    list.dispatchEvent(new Event('input', { bubbles: true }));
    list.dispatchEvent(new Event('change', { bubbles: true }));
  }
}

/** Does what a space does on the element: what its own listeners make of it, else a click. */
function pressSpace(element: HTMLElement): void {
  const isTaken = !element.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', code: 'Space', bubbles: true, cancelable: true }));
  if (isTaken) {
    return;
  }
  if (element instanceof HTMLSelectElement) {
    element.showPicker();
  } else if (element.matches('button, summary, input, [role="button"]')) {
    element.click();
  }
}

export interface HeldKeys {
  /** True when a key with this character must not reach what has the focus before it is known whose it is. */
  readonly mustHold: (focused: Element | null, character: string) => boolean;
  readonly hold: (focused: Element, character: string) => void;
  /** They were a person's: does what they ask for. */
  readonly release: () => void;
  /** They were a scan's. */
  readonly drop: () => void;
}

/** Holds nothing yet; `isTextField` says where characters are typed. */
export function createHeldKeys(isTextField: (element: Element | null) => boolean): HeldKeys {
  let held: { readonly element: HTMLElement; text: string } | null = null;
  return {
    mustHold: (focused, character) => character.length === 1 && acts(focused) && !isTextField(focused) && (character === ' ' || focused instanceof HTMLSelectElement),
    hold(focused, character) {
      if (focused instanceof HTMLElement) {
        held = held?.element === focused ? { element: focused, text: held.text + character } : { element: focused, text: character };
      }
    },
    release() {
      const person = held;
      held = null;
      if (person === null || !person.element.isConnected) {
        return;
      }
      if (person.text === ' ') {
        pressSpace(person.element);
      } else if (person.element instanceof HTMLSelectElement) {
        chooseByText(person.element, person.text);
      }
    },
    drop() {
      held = null;
    },
  };
}
