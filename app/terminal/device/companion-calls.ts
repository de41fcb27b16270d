import type { CompanionChoice } from '../../contract/companion.ts';
import type { Notice, TerminalState } from '../../contract/terminal-state.ts';
import type { HandlersOf } from '../../contract/bridge.ts';
import { fail, succeed } from '../../domain/result.ts';
import type { Desktop } from '../../ports.ts';

export interface CompanionParts {
  /** Undefined where the page is all there is. */
  readonly desktop: Desktop | undefined;
  readonly choice: () => CompanionChoice;
  readonly notify: (kind: Notice['kind'], detail: string) => void;
  readonly withdraw: (kind: Notice['kind']) => void;
}

const nothing = succeed({});

/** Joins the companion bar's choices with the desktop. */
export function createCompanion({ desktop, choice, notify, withdraw }: CompanionParts) {
  let isShortcutHeld = true;
  let asked: string | null = null;
  const ask = (call: (present: Desktop) => void): ReturnType<HandlersOf<'companion'>['companion:hide']> => {
    if (desktop === undefined) {
      return Promise.resolve(fail({ kind: 'notReady' }));
    }
    call(desktop);
    return Promise.resolve(nothing);
  };
  const handlers: HandlersOf<'companion' | 'window'> = {
    'companion:fit': ({ height }) => ask((present) => present.fitCompanion(height)),
    'companion:hide': () => ask((present) => present.hideCompanion()),
    'window:show': () => ask((present) => present.showWindow()),
  };
  return {
    handlers,
    /** The state that screens show; null without a desktop. */
    state: (): TerminalState['companion'] => (desktop === undefined ? null : { ...choice(), isShortcutHeld }),
    /** Holds the shortcut that is chosen now in place of the one before. */
    hold: () => {
      const { shortcut } = choice();
      // One that was refused may have come free since.
      if (desktop === undefined || (shortcut === asked && isShortcutHeld)) {
        return;
      }
      asked = shortcut;
      isShortcutHeld = desktop.holdShortcut(shortcut);
      withdraw('shortcutTaken');
      if (!isShortcutHeld && shortcut !== null) {
        notify('shortcutTaken', shortcut);
      }
    },
  };
}
