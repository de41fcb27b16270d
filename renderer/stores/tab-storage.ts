// Owns the one place outside of the main process where anything of the page lies: the tab's own storage, which outlives the page's process and
// ends with the window. For drafts alone; never a secret, and nothing that must last.
import type { DraftPlace } from './kept-drafts.ts';

const storageName = 'drafts';

/** Where drafts lie. */
export const tabStorage: DraftPlace = {
  read: () => window.sessionStorage.getItem(storageName),
  write: (text) => {
    window.sessionStorage.setItem(storageName, text);
  },
};
