import { useEffect, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { afterDialogs, isDialogOpen } from '../dom/dialogs.ts';
import { useStores } from '../stores/context.tsx';
import { lazyDialog } from '../ui/lazy-part.tsx';

const LinkDialog = lazyDialog(async () => (await import('./link-dialog.tsx')).LinkDialog);

/** Asks what a link asks for, once no other dialog is open: behind a PIN's it would have the keyboard unseen. */
export function Links(): ReactElement | null {
  const { link, isShown, setShown, close } = useStore(useStores().links);
  const isWaiting = link !== null && !isShown;
  useEffect(() => {
    const show = (): void => setShown(true);
    if (isWaiting && isDialogOpen()) {
      return afterDialogs(show);
    }
    if (isWaiting) {
      show();
    }
    return undefined;
  }, [isWaiting, setShown]);
  // Whoever comes is asked anew.
  useEffect(() => () => setShown(false), [setShown]);
  return link === null || !isShown ? null : <LinkDialog link={link} close={close} />;
}
