/** True while a dialog waits for its answer. */
export const isDialogOpen = (): boolean => document.querySelector('[aria-modal="true"]') !== null;

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
