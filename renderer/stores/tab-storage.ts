import type { DraftPlace } from './kept-drafts.ts';

const storageName = 'drafts';

/** Where drafts lie. */
export const tabStorage: DraftPlace = {
  read: () => window.sessionStorage.getItem(storageName),
  write: (text) => {
    window.sessionStorage.setItem(storageName, text);
  },
};
