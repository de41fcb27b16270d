import { Suspense, useEffect, useState, type ReactElement } from 'react';
import type { EventPayload } from '../../app/contract/contract.ts';
import { useStores } from '../stores/context.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';

const LinkDialog = lazyPart(async () => (await import('./link-dialog.tsx')).LinkDialog);

/** Hears what links ask for. While one stands on the screen, others are not heard: nothing changes under a finger. */
export function Links(): ReactElement | null {
  const { bridge } = useStores();
  const [link, setLink] = useState<EventPayload<'link:opened'> | null>(null);
  useEffect(() => bridge.subscribe({ 'link:opened': (opened) => setLink((present) => present ?? opened) }), [bridge]);
  return link === null ? null : (
    <Suspense fallback={null}>
      <LinkDialog link={link} close={() => setLink(null)} />
    </Suspense>
  );
}
