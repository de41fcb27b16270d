//     shown ─crashed, or ended because it hangs─▶ gone ─100 ms─▶ shown
//                                                   │ third time in a minute
//                                                   ▼
//                                              safe screen ─try again─▶ shown
//                                                   ├─quit─▶ the app ends
//                                                   └─crashed itself─▶ lost, or safe screen
//
//   R1  A page that crashed is loaded again at the screen that it had. A script can give it any address of its host, under
//       which there is nothing: of that the fragment alone is kept.
//   R2  The third crash within a minute brings the safe screen, which has no script; trying again begins to count anew.
//       Where its quitting is refused, it is shown again without.
//   R3  A safe screen that crashes is not shown again: the app says so in a dialog and ends. Where the screen is held, as a
//       kiosk's and a check station's, that would be a way out of it: there it is shown again after ten seconds.
//   R4  A page hangs when it has left a question unanswered for two seconds and a person presses or scans after them,
//       so that a dialog of the system, over which nobody can press anything in the page, never counts; or when
//       Chromium says so, and it stays so. It is ended. On a machine so busy that this process did not get its own turn
//       in time, and where the page has made a call meanwhile, as one that works through a scanner's keys does, the two
//       seconds begin anew.
//   R5  A page that got elsewhere all the same, for Chromium asks nobody about a blank page, is loaded anew, until it is
//       there: what goes on to a further address meanwhile can end the loading, and nobody tells of it.
import type { WebContents } from 'electron';
import type { Shell } from '../../ports.ts';
import { safeScreenActions, safeScreenAddress, safeScreenPath } from '../safe-screen.ts';
import { pageOrigin } from './own-pages.ts';

export interface PageKeeperOptions {
  readonly contents: WebContents;
  readonly log: Shell['log'];
  /** BCP 47 tag of the language that the terminal speaks now. */
  readonly language: () => string;
  /** When the page last made a call, by `performance.now`; null before its first. */
  readonly lastCallMs: () => number | null;
  /** A person wants the app to end; false where that is not theirs to say. */
  readonly quit: () => Promise<boolean>;
  /** Whether nothing but the right to may end the app or leave the screen. */
  readonly isHeld: () => boolean;
  /** Called when not even the safe screen can be shown (R3). */
  readonly onLost: () => void;
}

const maxFalls = 3;
const crashesWindowMs = 60_000;
const reloadAfterMs = 100;
const takeBackAgainMs = 1_000;
const safeAgainAfterMs = 10_000;
const answerDeadlineMs = 2_000;
/** A timer this late says that the whole machine is busy, not the page. */
const lateTimerMs = 250;
const unresponsivePatienceMs = 3_000;

const pressing: ReadonlySet<string> = new Set([
  'keyDown',
  'rawKeyDown',
  'char',
  'mouseDown',
  'touchStart',
  'pointerDown',
  'gestureTap',
]);

interface Question {
  /** True when the page has had its time to answer (R4). */
  readonly isOverdue: () => boolean;
  /** It was answered, or need not be any more. */
  readonly settle: () => void;
}

function openQuestion(lastCallMs: () => number | null): Question {
  let isOverdue = false;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const dueMs = performance.now() + answerDeadlineMs;
    timer = setTimeout(() => {
      const isAtWork = (lastCallMs() ?? 0) > dueMs - answerDeadlineMs;
      if (isAtWork || performance.now() - dueMs > lateTimerMs) {
        wait();
      } else {
        isOverdue = true;
      }
    }, answerDeadlineMs);
  };
  wait();
  return { isOverdue: () => isOverdue, settle: () => clearTimeout(timer) };
}

/** Keeps this page up for as long as it exists. Timers run on the machine's own clock, like the page. */
export function keepPage({ contents, log, language, lastCallMs, quit, isHeld, onLost }: PageKeeperOptions): void {
  const home = `${pageOrigin}/`;
  let crashesMs: number[] = [];
  let isSafe = false;
  let takingBack: NodeJS.Timeout | undefined;
  let question: Question | null = null;
  let unresponsive: NodeJS.Timeout | null = null;

  const safeAddress = (hasQuit: boolean): string => `${pageOrigin}${safeScreenAddress(language(), hasQuit)}`;

  function load(address: string): void {
    isSafe = address.startsWith(`${pageOrigin}${safeScreenPath}`);
    // It rejects when the page makes way for another one meanwhile, or is gone: R1 and R5 see to both.
    contents.loadURL(address).catch(() => undefined);
  }

  /** Electron itself crashes when a page is loaded from within the event that tells of its end. */
  function loadSoon(address: string, afterMs = reloadAfterMs): void {
    setTimeout(() => {
      if (!contents.isDestroyed()) {
        load(address);
      }
    }, afterMs);
  }

  function endHanging(reason: string): void {
    if (!contents.isDestroyed() && !contents.isDevToolsOpened()) {
      log('error', 'the page hangs and is ended', { reason });
      contents.forcefullyCrashRenderer();
    }
  }

  function forgetQuestions(): void {
    question?.settle();
    question = null;
    clearTimeout(unresponsive ?? undefined);
    unresponsive = null;
  }

  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    const nowMs = performance.now();
    forgetQuestions();
    crashesMs = [...crashesMs.filter((atMs) => nowMs - atMs < crashesWindowMs), nowMs];
    log('error', 'the page crashed', { reason, exitCode, lately: crashesMs.length, isSafe });
    if (isSafe && isHeld()) {
      loadSoon(safeAddress(true), safeAgainAfterMs); // R3
    } else if (isSafe) {
      onLost(); // R3
    } else if (crashesMs.length >= maxFalls) {
      loadSoon(safeAddress(true)); // R2
    } else {
      loadSoon(`${home}${URL.parse(contents.getURL())?.hash ?? ''}`); // R1
    }
  });

  contents.on('will-frame-navigate', ({ url }) => {
    // Every navigation is prevented (lockdown.ts), so that no further event tells of it; these two addresses are how a
    // page without a script says what was pressed.
    if (isSafe && url === `${pageOrigin}${safeScreenActions.tryAgain}`) {
      crashesMs = [];
      load(home);
    } else if (isSafe && url === `${pageOrigin}${safeScreenActions.quit}`) {
      void quit().then((isEnding) => {
        if (!isEnding) {
          loadSoon(safeAddress(false)); // R2
        }
      });
    }
  });

  /** Each time more of it is waited for: on a slow machine the loading takes long, and loading again begins it anew. */
  function takeBack(patienceMs: number): void {
    if (!contents.isDestroyed()) {
      load(home);
      takingBack = setTimeout(takeBack, patienceMs, 2 * patienceMs);
    }
  }

  contents.on('did-navigate', (_event, url) => {
    clearTimeout(takingBack);
    if (!url.startsWith(home)) {
      log('error', 'the page went elsewhere and is loaded anew');
      takingBack = setTimeout(takeBack, reloadAfterMs, takeBackAgainMs); // R5
    }
  });

  contents.on('input-event', (_event, { type }) => {
    if (!pressing.has(type)) {
      return;
    }
    if (question === null) {
      const asked = openQuestion(lastCallMs);
      const settle = (): void => {
        asked.settle();
        question = question === asked ? null : question;
      };
      question = asked;
      // Nothing is asked but whether it still works through what it is told.
      contents.mainFrame.executeJavaScript('0').then(settle, settle);
    } else if (question.isOverdue()) {
      forgetQuestions();
      endHanging('it does not answer while a person presses'); // R4
    }
  });

  contents.on('unresponsive', () => {
    unresponsive ??= setTimeout(() => {
      unresponsive = null;
      endHanging('Chromium says so');
    }, unresponsivePatienceMs);
  });
  contents.on('responsive', () => {
    clearTimeout(unresponsive ?? undefined);
    unresponsive = null;
  });

  load(home);
}
