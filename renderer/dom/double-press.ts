const controls = 'button, a, input, select, textarea, summary, label';

/** The control that a press on this is for; of a label, its own. */
function controlOf(target: EventTarget | null): Element | null {
  const element = target instanceof Element ? target : null;
  const control = element?.closest(controls) ?? element;
  return control instanceof HTMLLabelElement ? (control.control ?? control) : control;
}

interface Press {
  readonly x: number;
  readonly y: number;
  readonly control: Element | null;
}

/**
 * Withholds what a double click presses second where its first press has brought something else under the pointer, such
 * as the next row of a list or what was behind a dialog: nobody has seen that, and it gets no focus. What stays where it
 * was is pressed twice, and so is what is beside it. Acts until the answered function is called.
 */
export function watchDoublePresses(page: Window): () => void {
  let before: Press | null = null;
  let latest: Press | null = null;
  const onPointerDown = ({ isTrusted, clientX: x, clientY: y, target }: PointerEvent): void => {
    if (isTrusted) {
      before = latest;
      latest = { x, y, control: controlOf(target) };
    }
  };
  const isUnseen = (event: MouseEvent): boolean => {
    if (!event.isTrusted || event.detail < 2 || before === null) {
      return false;
    }
    const { x, y, control } = before;
    return controlOf(event.target) !== control && controlOf(page.document.elementFromPoint(x, y)) !== control;
  };
  const onMouseDown = (event: MouseEvent): void => {
    if (isUnseen(event)) {
      // The focus stays: Enter would press what has come there.
      event.preventDefault();
    }
  };
  const onClick = (event: MouseEvent): void => {
    if (isUnseen(event)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      // A third press is the same person's, who has not looked up.
      latest = before;
    }
  };
  const watching = new AbortController();
  const options = { capture: true, signal: watching.signal };
  page.addEventListener('pointerdown', onPointerDown, options);
  page.addEventListener('mousedown', onMouseDown, options);
  page.addEventListener('click', onClick, options);
  return () => watching.abort();
}
