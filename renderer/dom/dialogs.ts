/** True while a dialog waits for its answer. */
export const isDialogOpen = (): boolean => document.querySelector('[aria-modal="true"]') !== null;
