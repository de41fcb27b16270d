import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { useIsSignedIn, useStores } from '../stores/context.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';

const BadgeWords = lazyPart(async () => (await import('./badge-words.tsx')).BadgeWords);

/** Above everything: what became of the badge that was scanned last. */
export function BadgeNote(): ReactElement | null {
  const shown = useStore(useStores().badge, (store) => store.shown);
  const isSignedIn = useIsSignedIn();
  // Who came may have left since, or the platform may have refused them.
  const isOver = !isSignedIn && (shown?.outcome === 'came' || shown?.outcome === 'here');
  return shown === null || isOver ? null : <BadgeWords shown={shown} />;
}
