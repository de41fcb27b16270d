import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/context.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';

const LinkDialog = lazyPart(async () => (await import('./link-dialog.tsx')).LinkDialog);

/** Asks what a link asks for. */
export function Links(): ReactElement | null {
  const { link, close } = useStore(useStores().links);
  return link === null ? null : <LinkDialog link={link} close={close} />;
}
