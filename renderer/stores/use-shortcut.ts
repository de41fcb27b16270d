import { useEffect, useLayoutEffect, useRef } from 'react';
import { isDialogOpen } from '../dom/dialogs.ts';
import { useStores } from './context.tsx';
import { shortcutOf, type ShortcutId } from './shortcuts.ts';

/** Offers what the shortcut stands for, as long as the component is there; null: not just now. */
export function useShortcut(id: ShortcutId, action: (() => void) | null): void {
  const { shortcuts } = useStores();
  const latest = useRef(action);
  // With what is drawn, never after it: a key acts on what is on the screen.
  useLayoutEffect(() => {
    latest.current = action;
  });
  const isOffered = action !== null;
  useLayoutEffect(
    () => (isOffered ? shortcuts.offer(id, () => latest.current?.()) : undefined),
    [id, isOffered, shortcuts],
  );
}

/** A till is locked, and its text made larger, whatever is open. */
const overDialogs: readonly ShortcutId[] = ['lockTill', 'largerText', 'smallerText', 'normalText'];

/** Hears the shortcuts of every screen; what is nearer to the focus takes a key first. */
export function useShortcutKeys(): void {
  const { answerKeys } = useStores();
  useEffect(() => {
    // A dialog may be gone by the time that the key comes by here: the same Escape must not also go home.
    let wasOpen = false;
    const note = (): void => {
      wasOpen = isDialogOpen();
    };
    const press = (event: KeyboardEvent): void => {
      const id =
        event.defaultPrevented || event.isComposing || event.getModifierState('AltGraph') ? null : shortcutOf(event);
      if (id === null) {
        return;
      }
      const isFree = overDialogs.includes(id) || (!wasOpen && !isDialogOpen());
      const isTaken = isFree && (event.repeat || answerKeys.getState().press(id, event.timeStamp));
      // The browser's own help never opens over the till.
      if (isTaken || id === 'help') {
        event.preventDefault();
      }
    };
    window.addEventListener('keydown', note, true);
    window.addEventListener('keydown', press);
    return () => {
      window.removeEventListener('keydown', note, true);
      window.removeEventListener('keydown', press);
    };
  }, [answerKeys]);
}
