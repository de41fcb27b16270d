import { useEffect, useState, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { afterDialogs, isDialogOpen } from '../dom/dialogs.ts';
import { useStores } from '../stores/context.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import type { Link } from './link-store.ts';

const LinkDialog = lazyPart(async () => (await import('./link-dialog.tsx')).LinkDialog);

/** Asks what a link asks for, once no other dialog is open: behind a PIN's it would have the keyboard unseen. */
export function Links(): ReactElement | null {
  const { link, close } = useStore(useStores().links);
  const [asked, setAsked] = useState<Link | null>(null);
  useEffect(() => {
    const ask = (): void => setAsked(link);
    if (link !== null && isDialogOpen()) {
      return afterDialogs(ask);
    }
    ask();
    return undefined;
  }, [link]);
  return link === null || asked !== link ? null : <LinkDialog link={link} close={close} />;
}
