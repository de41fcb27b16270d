// Owns the question whether a dialog stands before the page. Never opens or closes one.

/** True while a dialog waits for its answer. */
export const isDialogOpen = (): boolean => document.querySelector('[aria-modal="true"]') !== null;
