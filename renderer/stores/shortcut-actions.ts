import type { ShortcutId } from './shortcuts.ts';

export interface ShortcutActions {
  /** The newest offer counts; the answered function takes it back. */
  readonly offer: (id: ShortcutId, action: () => void) => () => void;
  /** False when nobody offers it just now. */
  readonly run: (id: ShortcutId) => boolean;
}

/** Nobody offers anything yet. */
export function createShortcutActions(): ShortcutActions {
  let offers: readonly { readonly id: ShortcutId; readonly action: () => void }[] = [];
  return {
    offer(id, action) {
      const mine = { id, action };
      offers = [...offers, mine];
      return () => {
        offers = offers.filter((one) => one !== mine);
      };
    },
    run(id) {
      const newest = offers.findLast((one) => one.id === id);
      newest?.action();
      return newest !== undefined;
    },
  };
}
