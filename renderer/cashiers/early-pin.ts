import { later } from '../dom/clock.ts';

/** By then the lock screen is up, or does not come. */
const patienceMs = 5_000;

/** Typed digits, and when they were typed, on the page's clock. */
export interface EarlyDigits {
  readonly digits: string;
  readonly typedAtMs: readonly number[];
}

export const noDigits: EarlyDigits = { digits: '', typedAtMs: [] };

/**
 * Makes what hears the digits of whoever is to come, until the field for their PIN is there: a field of its own that is
 * not seen and has the keyboard, so that what belongs to a scan is taken back from it as from any other. It goes, with
 * all that it holds, when the keyboard goes elsewhere.
 */
export function createEarlyPin(now: () => number) {
  let field: HTMLInputElement | null = null;
  let typed = noDigits;
  let cancel = (): void => undefined;

  function end(): void {
    const ended = field;
    field = null;
    typed = noDigits;
    cancel();
    ended?.remove();
  }

  return {
    /** What would take the keyboard by itself leaves it here meanwhile. */
    isAwaited: (): boolean => field !== null,
    /** `label` says what is going on, for who does not see it. */
    begin(label: string): void {
      end();
      const opened = document.createElement('input');
      opened.className = 'early-pin visually-hidden';
      opened.autocomplete = 'off';
      opened.inputMode = 'none';
      opened.setAttribute('aria-label', label);
      opened.addEventListener('input', () => {
        const digits = opened.value.replaceAll(/[^0-9]/g, '');
        typed = { digits, typedAtMs: digits === '' ? [] : [...typed.typedAtMs, now()].slice(-digits.length) };
      });
      opened.addEventListener('keydown', ({ key }) => key === 'Escape' && end());
      opened.addEventListener('blur', end);
      document.body.append(opened);
      field = opened;
      opened.focus({ preventScroll: true });
      cancel = later(patienceMs, end);
    },
    /** Returns the typed digits; they are kept here no longer. */
    take: (): EarlyDigits => {
      const taken = typed;
      end();
      return taken;
    },
    end,
  };
}
