import { Suspense, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { useIsSignedIn, useStores } from '../stores/context.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';

const BadgeWords = lazyPart(async () => (await import('./badge-words.tsx')).BadgeWords);

/** Above everything: what became of the badge that was scanned last. */
export function BadgeNote(): ReactElement | null {
  const said = useStore(useStores().badge, (store) => store.said);
  const isSignedIn = useIsSignedIn();
  // Who came may have left since, or the platform may have refused them.
  const isOver = !isSignedIn && (said?.outcome === 'came' || said?.outcome === 'here');
  return said === null || isOver ? null : (
    <Suspense fallback={null}>
      <BadgeWords said={said} />
    </Suspense>
  );
}
