/** False when the browser refuses. */
export function copyText(text: string): boolean {
  const give = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    // Not also what stands selected in a field.
    event.stopImmediatePropagation();
  };
  document.addEventListener('copy', give, { capture: true, once: true });
  // The clipboard's own interface asks for a permission, and the window grants none.
  // oxlint-disable-next-line typescript/no-deprecated
  const isCopied = document.execCommand('copy');
  document.removeEventListener('copy', give, { capture: true });
  return isCopied;
}
