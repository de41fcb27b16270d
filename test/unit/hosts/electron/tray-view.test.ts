// The proof of what the tray says, in each state and language: nothing alarms that is ordinary, what needs a person
// comes first.
import { describe, expect, test } from 'vitest';
import { goesOnWords, trayViewOf } from '../../../../app/hosts/electron/tray-view.ts';
import { defaultCompanion } from '../../../../app/contract/companion.ts';
import type { TerminalState } from '../../../../app/contract/terminal-state.ts';
import { languages } from '../../../../app/domain/language.ts';
import { firstRunState } from '../../../support/fake-handlers.ts';

const ready: TerminalState = {
  ...firstRunState,
  host: 'electron',
  phase: 'ready',
  companion: { ...defaultCompanion, isShortcutHeld: true },
  session: { ...firstRunState.session, state: 'signedIn', email: 'ana@example.com' },
  connection: { state: 'online', since: null, failure: null },
};
const offline = { connection: { state: 'offline', since: 0, failure: null } } as const;
const view = (more: Partial<TerminalState> = {}) => trayViewOf({ ...ready, ...more }, false);
const queue = (more: Partial<TerminalState['queue']>): Partial<TerminalState> => ({
  queue: { ...ready.queue, ...more },
});

test('with nothing else to say it says online, and offers the window, the bar with its keys, the end', () => {
  expect(view()).toEqual({
    icon: 'online',
    tooltip: 'Tillside\nOnline',
    menu: [
      { kind: 'text', label: 'Online' },
      { kind: 'line' },
      { kind: 'command', command: 'open', label: 'Open Tillside' },
      { kind: 'command', command: 'companion', label: 'Companion bar (Ctrl+Alt+Space)' },
      { kind: 'line' },
      { kind: 'command', command: 'quit', label: 'Quit Tillside' },
    ],
  });
});

test('at the check station it offers the window alone, and tells nothing of the till', () => {
  const station = { ...ready.station, isOn: true };
  expect(view({ station, ...offline, ...queue({ pending: 2, parked: 1 }) })).toEqual({
    icon: 'online',
    tooltip: 'Tillside\nCheck station for customers',
    menu: [
      { kind: 'text', label: 'Check station for customers' },
      { kind: 'line' },
      { kind: 'command', command: 'open', label: 'Open Tillside' },
    ],
  });
});

describe('the icon', () => {
  test.each([
    ['offline', offline, 'offline'],
    ['waiting', queue({ pending: 2, inFlight: 1 }), 'waiting'],
    ['offline before waiting', { ...offline, ...queue({ pending: 2 }) }, 'offline'],
    ['a person before all else', { ...offline, ...queue({ pending: 2, parked: 1 }) }, 'attention'],
    ['a platform that does not answer', { connection: { state: 'noAnswer', since: 0, failure: null } }, 'offline'],
    ['a sign-in that is needed', { connection: { state: 'signIn', since: null, failure: null } }, 'attention'],
    ['nobody signed in yet', { phase: 'signIn', ...offline }, 'online'],
    ['not asked yet', { connection: { state: 'checking', since: null, failure: null } }, 'online'],
  ] as const)('tells %s', (_what, more, icon) => {
    expect(view(more).icon).toBe(icon);
  });
});

test.each([
  [
    'en',
    'Tillside\nPractice store\nOffline: scanning goes on, changes wait\n1 change needs your decision\n1,234 changes wait to be sent',
    'Companion bar (Ctrl+Shift+F9)',
  ],
  [
    'pt-BR',
    'Tillside\nLoja de treino\nOffline: a consulta continua, as alterações esperam\n1 alteração precisa da sua decisão\n1.234 alterações esperam envio',
    'Barra de consulta (Ctrl+Shift+F9)',
  ],
  [
    'es',
    'Tillside\nTienda de práctica\nSin conexión: se puede consultar, los cambios esperan\n1 cambio necesita su decisión\n1234 cambios esperan su envío',
    'Barra de consulta (Ctrl+Mayús+F9)',
  ],
] as const)('%s counts and names in its own way', (language, tooltip, companion) => {
  const shown = view({
    language,
    mode: 'practice',
    practice: { isNetworkDown: true, hasPanel: true },
    ...offline,
    ...queue({ pending: 1234, parked: 1 }),
    companion: { ...defaultCompanion, shortcut: 'Control+Shift+F9', isShortcutHeld: true },
  });
  expect(shown.tooltip).toBe(tooltip);
  expect(shown.menu).toContainEqual({ kind: 'command', command: 'companion', label: companion });
});

test('keys that are not held are not promised', () => {
  const bare = { kind: 'command', command: 'companion', label: 'Companion bar' };
  expect(view({ companion: { ...defaultCompanion, isShortcutHeld: false } }).menu).toContainEqual(bare);
  expect(view({ companion: { ...defaultCompanion, shortcut: null, isShortcutHeld: true } }).menu).toContainEqual(bare);
});

test.each([
  ['firstRun', 'Not set up yet'],
  // A locked till works on for whoever has locked it.
  ['signIn', 'Nobody is signed in\nOffline: scanning goes on, changes wait'],
] as const)('in the phase %s it says so first', (phase, said) => {
  expect(view({ phase, ...offline }).tooltip).toBe(`Tillside\n${said}`);
});

test('one of something is never told as several, and every language has all its words', () => {
  expect(view(queue({ pending: 1 })).tooltip).toContain('1 change waits to be sent');
  for (const language of languages) {
    expect(Object.values(goesOnWords(language)).every((words) => words.length > 1)).toBe(true);
    expect(
      view({ language, phase: 'signIn', session: { ...ready.session, state: 'ended' } }).menu.every(
        (line) => line.kind === 'line' || line.label.length > 3,
      ),
    ).toBe(true);
  }
});
