import { later } from './clock.ts';
import { isLost } from './focus.ts';

/** What else takes a lost focus, such as an answer or a closing dialog, comes first. */
const afterOthersMs = 100;

/**
 * A button that is disabled while it works loses the focus: it has it again once it can be pressed, unless something
 * else has it by then, or a person has pressed elsewhere. Answers what ends this.
 */
export function keepPressedButton(): () => void {
  let focused: EventTarget | null = null;
  let atWork: HTMLButtonElement | null = null;
  const note = ({ type, target }: Event): void => {
    // A click on what has the focus already brings no `focusin`.
    const isInside = focused instanceof Element && target instanceof Node && focused.contains(target);
    if (type === 'focusin' || !isInside) {
      focused = type === 'focusin' ? target : null;
    }
    atWork = null;
  };
  const watch = new MutationObserver((changes) => {
    for (const { target } of changes) {
      if (target === focused && target instanceof HTMLButtonElement && target.disabled) {
        atWork = target;
      }
    }
    const button = atWork;
    if (button !== null && !button.disabled) {
      later(afterOthersMs, () => {
        if (button === atWork && isLost()) {
          button.focus({ preventScroll: true });
        }
      });
    }
  });
  document.addEventListener('focusin', note);
  document.addEventListener('pointerdown', note);
  watch.observe(document.body, { subtree: true, attributeFilter: ['disabled'] });
  return () => {
    document.removeEventListener('focusin', note);
    document.removeEventListener('pointerdown', note);
    watch.disconnect();
  };
}
