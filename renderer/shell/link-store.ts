import type { StoreApi } from 'zustand/vanilla';
import type { EventPayload } from '../../app/contract/contract.ts';
import type { MakeStore } from '../stores/make-store.ts';

/** A link that asks a person; one that looks a code up does not. */
export type Link = Exclude<EventPayload<'link:opened'>, { kind: 'lookup' }>;

/** What a link asks of the shop and the person that are there. One opened before a sign-in is for whoever signs in. */
export interface LinkStore {
  readonly link: Link | null;
  readonly isShown: boolean;
  /** While one stands on the screen, others are not heard: nothing changes under a finger. */
  readonly open: (link: Link) => void;
  /** Whether it stands there, or waits behind another dialog. */
  readonly setShown: (isShown: boolean) => void;
  readonly close: () => void;
}

/** Opens a store in which no link asks for anything. */
export function createLinkStore(make: MakeStore): StoreApi<LinkStore> {
  return make<LinkStore>({ passesOn: true }, (set, get) => ({
    link: null,
    isShown: false,
    open: (link) => set({ link: get().isShown ? get().link : link }),
    setShown: (isShown) => set({ isShown }),
    close: () => set({ link: null, isShown: false }),
  }));
}
