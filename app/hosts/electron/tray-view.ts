import type { Language } from '../../contract/basics.ts';
import type { TerminalState } from '../../contract/terminal-state.ts';
import { goingOf, toDecideOf } from '../../contract/waiting.ts';
import { wordsFor } from '../messages.ts';

export type TrayIcon = 'online' | 'offline' | 'waiting' | 'attention';

/** A line of the menu; one without a command only tells. */
export type TrayLine =
  | { readonly kind: 'line' }
  | { readonly kind: 'text'; readonly label: string }
  | { readonly kind: 'command'; readonly label: string; readonly command: TrayCommand };
export type TrayCommand = 'open' | 'companion' | 'quit';

export interface TrayView {
  readonly icon: TrayIcon;
  readonly tooltip: string;
  readonly menu: readonly TrayLine[];
}

/** The words of the notice when the window is closed for the first time and Tillside goes on. */
export function goesOnWords(language: Language): {
  readonly message: string;
  readonly detail: string;
  readonly button: string;
} {
  const { goesOn, goesOnDetail, understood } = wordsFor(language).electron.tray;
  return { message: goesOn, detail: goesOnDetail, button: understood };
}

function nameOfShortcut(shortcut: string, language: Language, isMac: boolean): string {
  const { space, shift } = wordsFor(language).electron.tray;
  const names: Readonly<Record<string, string>> = {
    Control: 'Ctrl',
    Shift: shift,
    Space: space,
    Super: isMac ? '⌘' : 'Win',
  };
  return shortcut
    .split('+')
    .map((part) => names[part] ?? part)
    .join('+');
}

/** A decision for a person shows before a platform that does not answer, and that before waiting updates. */
function iconOf(needsPerson: boolean, isCutOff: boolean, isWaiting: boolean): TrayIcon {
  if (needsPerson) {
    return 'attention';
  }
  if (isCutOff) {
    return 'offline';
  }
  return isWaiting ? 'waiting' : 'online';
}

/** The tray for this state. */
export function trayViewOf(state: TerminalState, isMac: boolean): TrayView {
  const { language, phase, queue, connection, companion } = state;
  const words = wordsFor(language).electron.tray;
  if (state.station.isOn) {
    return {
      icon: 'online',
      tooltip: `Tillside\n${words.station}`,
      menu: [
        { kind: 'text', label: words.station },
        { kind: 'line' },
        { kind: 'command', command: 'open', label: words.open },
      ],
    };
  }
  const formatted = (count: number): string => new Intl.NumberFormat(language).format(count);
  const waiting = goingOf(queue);
  const toDecide = toDecideOf(queue);
  const isReady = phase === 'ready';
  const isSignInNeeded = isReady && connection.state === 'signIn';
  const isCutOff = connection.state === 'offline' || connection.state === 'noAnswer';

  const lines = [
    ...(state.practice === null ? [] : [words.practice]),
    // A locked till works on for whoever has locked it.
    ...(isReady ? [] : [words[phase]]),
    ...(isReady || (phase !== 'firstRun' && isCutOff) ? [words.connection[connection.state]] : []),
    ...(toDecide > 0
      ? [toDecide === 1 ? words.parkedOne : words.parkedSeveral.replace('{count}', formatted(toDecide))]
      : []),
    ...(waiting > 0
      ? [waiting === 1 ? words.waitingOne : words.waitingSeveral.replace('{count}', formatted(waiting))]
      : []),
  ];
  const shortcut = companion?.isShortcutHeld === true ? companion.shortcut : null;
  return {
    icon: iconOf(toDecide > 0 || isSignInNeeded, isReady && isCutOff, waiting > 0),
    tooltip: ['Tillside', ...lines].join('\n'),
    menu: [
      ...lines.map((label) => ({ kind: 'text', label }) as const),
      { kind: 'line' },
      { kind: 'command', command: 'open', label: words.open },
      {
        kind: 'command',
        command: 'companion',
        label:
          shortcut === null ? words.companion : `${words.companion} (${nameOfShortcut(shortcut, language, isMac)})`,
      },
      { kind: 'line' },
      { kind: 'command', command: 'quit', label: words.quit },
    ],
  };
}
