//     open ─close, quit─▶ nothing to send ─▶ ends
//       ▲                └▶ asked ─quit─▶ ends
//       ├──────────stay──────┤ └─when sent─▶ hidden ─all sent─▶ ends
//       └──────────────window opened────────────┘
//
//   E1  The question is the system's own and asks the terminal itself, so that a page that crashed or hangs changes
//       nothing.
//   E2  What ends the app without a person is never held up: a signal, the system's end of the session, an end that has
//       begun. Then an open question goes away.
//   E3  While it is asked, closing once more asks nothing anew.
//   E4  Hidden until all is sent, the app ends when nothing waits and nothing of it needs a person, and not while the
//       companion bar is used.
import { app, dialog, type BrowserWindow } from 'electron';
import type { TerminalState } from '../../contract/terminal-state.ts';
import { toDecideOf } from '../../contract/waiting.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { endingQuestionOf, isAllSent, type EndingChoice, type EndingQuestion } from './ending-view.ts';

export interface EndingParts {
  readonly window: BrowserWindow;
  readonly terminal: Pick<Terminal, 'handlers'>;
  /** False for a window that fills the screen: closing it asks nothing, for it has its own way out. */
  readonly hasTray: boolean;
  /** Whether there is a tray in which the app can go on. */
  readonly canGoOn: () => boolean;
  /** Whether somebody uses the companion bar now. */
  readonly isBarShown: () => boolean;
}

export type Ending = ReturnType<typeof createEnding>;

const barPatienceMs = 1000;

/** Asks before the app ends, over the window where that is shown. */
export function createEnding({ window, terminal, hasTray, canGoOn, isBarShown }: EndingParts) {
  const quitting = new AbortController();
  let isAsking = false;
  /** The number of updates that needed a decision when the app was hidden until all is sent; null while it is not. */
  let toDecideBefore: number | null = null;
  let later: NodeJS.Timeout | undefined;

  app.on('before-quit', () => quitting.abort()); // E2

  async function read(): Promise<TerminalState | null> {
    const state = await terminal.handlers['terminal:read']({});
    return state.ok ? state.value : null;
  }

  async function ask({ message, detail, answers }: EndingQuestion): Promise<EndingChoice> {
    const options: Electron.MessageBoxOptions = {
      type: 'question',
      title: 'Tillside',
      message,
      detail,
      buttons: answers.map(({ label }) => label),
      defaultId: 0,
      cancelId: answers.findIndex(({ choice }) => choice === 'stay'),
      noLink: true,
      signal: quitting.signal,
    };
    const isOver = !window.isDestroyed() && window.isVisible();
    const { response } = await (isOver ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options));
    return answers[response]?.choice ?? 'stay';
  }

  function note(state: TerminalState): void {
    if (toDecideBefore === null || !isAllSent(state, toDecideBefore)) {
      return;
    }
    if (isBarShown()) {
      clearTimeout(later);
      later = setTimeout(() => void read().then((now) => now !== null && note(now)), barPatienceMs); // E4
    } else {
      app.quit();
    }
  }

  async function end(): Promise<void> {
    const state = await read();
    const question = state === null ? null : endingQuestionOf(state, canGoOn());
    const choice = question === null ? 'end' : await ask(question);
    if (quitting.signal.aborted) {
      return;
    }
    if (choice === 'end') {
      app.quit();
    } else if (choice === 'endWhenSent' && !window.isDestroyed()) {
      toDecideBefore = state === null ? 0 : toDecideOf(state.queue);
      window.hide();
      // It may have been sent while the question stood.
      const now = await read();
      if (now !== null) {
        note(now);
      }
    }
  }

  function request(): void {
    if (isAsking) {
      return; // E3
    }
    isAsking = true;
    void end()
      // A question that cannot be shown holds nobody up.
      .catch(() => app.quit())
      .finally(() => {
        isAsking = false;
      });
  }

  window.on('close', (event) => {
    // Unless the window only hides, or is held.
    if (hasTray && !quitting.signal.aborted && !event.defaultPrevented) {
      event.preventDefault();
      request();
    }
  });

  return {
    /** A person wants the app to end: asks first where something waits to be sent. */
    request,
    /** The terminal's state has changed. */
    note,
    /** The window is shown again: the app goes on. */
    stay: () => {
      toDecideBefore = null;
    },
  };
}
