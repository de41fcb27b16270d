/** The dialog that waits for its answer; null when there is none. */
export const openDialog = (): Element | null => document.querySelector('[aria-modal="true"]');

/** True while a dialog waits for its answer. */
export const isDialogOpen = (): boolean => openDialog() !== null;

/**
 * True of what is drawn behind a dialog that is open or being read: no key of a person acts on it, although it may have
 * the focus until the dialog takes that.
 */
export const isBehindDialog = (element: Element | null): boolean =>
  element !== null &&
  isDialogOpen() &&
  element.closest('#root') !== null &&
  element.closest('[aria-modal="true"]') === null;

/** Calls back once, as soon as no dialog is open, unless the answered function is called first. */
export function afterDialogs(callback: () => void, isOpen = isDialogOpen): () => void {
  const watch = new MutationObserver(() => {
    if (!isOpen()) {
      watch.disconnect();
      callback();
    }
  });
  watch.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['aria-modal'] });
  return () => watch.disconnect();
}
