import { useEffect, useRef } from 'react';
import { useStores } from './context.tsx';
import { shortcutOf, type ShortcutId } from './shortcuts.ts';

const isDialogOpen = (): boolean => document.querySelector('[aria-modal="true"]') !== null;

/** Offers what the shortcut stands for, as long as the component is there; null: not just now. */
export function useShortcut(id: ShortcutId, action: (() => void) | null): void {
  const { shortcuts } = useStores();
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  const isOffered = action !== null;
  useEffect(() => (isOffered ? shortcuts.offer(id, () => latest.current?.()) : undefined), [id, isOffered, shortcuts]);
}

/** Hears the shortcuts of every screen; what is nearer to the focus takes a key first. */
export function useShortcutKeys(): void {
  const { shortcuts } = useStores();
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
      // A till is locked whatever is open.
      const isFree = id === 'lockTill' || (!wasOpen && !isDialogOpen());
      const isTaken = isFree && (event.repeat || shortcuts.run(id));
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
  }, [shortcuts]);
}
