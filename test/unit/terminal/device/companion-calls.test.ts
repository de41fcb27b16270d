// The proof of what the terminal does about the companion bar: which keys it holds when, and that keys which cannot be
// had are told.
import { expect, test } from 'vitest';
import { createCompanion } from '../../../../app/terminal/device/companion-calls.ts';
import { defaultCompanion, type CompanionChoice } from '../../../../app/contract/companion.ts';
import type { Desktop } from '../../../../app/ports.ts';

function open(choice: CompanionChoice, taken: Set<string> = new Set()) {
  const asked: (string | null)[] = [];
  const notices: string[] = [];
  const done: string[] = [];
  const desktop: Desktop = {
    holdShortcut: (shortcut) => {
      asked.push(shortcut);
      return shortcut === null || !taken.has(shortcut);
    },
    hideCompanion: () => done.push('hidden'),
    fitCompanion: (height) => done.push(`${height} tall`),
    showWindow: () => done.push('shown'),
  };
  let chosen = choice;
  const companion = createCompanion({
    desktop,
    choice: () => chosen,
    notify: (kind, detail) => notices.push(`${kind}: ${detail}`),
    withdraw: (kind) => notices.splice(0).filter((text) => !text.startsWith(kind)),
  });
  const choose = (change: Partial<CompanionChoice>): void => {
    chosen = { ...chosen, ...change };
    companion.hold();
  };
  return { companion, asked, notices, done, taken, choose };
}

test('keys are held from the start, asked for once, and let go for others or for none', () => {
  const { companion, asked, choose } = open(defaultCompanion);
  companion.hold();
  choose({ hideAfterSeconds: 0 });
  choose({ shortcut: 'Control+F9' });
  choose({ shortcut: null });
  expect(asked).toEqual(['Control+Alt+Space', 'Control+F9', null]);
  expect(companion.state()).toEqual({ shortcut: null, hideAfterSeconds: 0, keepInTray: false, isShortcutHeld: true });
});

test('keys that another program has are told, asked for again at every change, and dropped once had', () => {
  const { companion, asked, notices, taken, choose } = open(defaultCompanion, new Set(['Control+Alt+Space']));
  companion.hold();
  expect(companion.state()).toMatchObject({ isShortcutHeld: false });
  expect(notices).toEqual(['shortcutTaken: Control+Alt+Space']);
  choose({ keepInTray: true });
  expect(notices).toEqual(['shortcutTaken: Control+Alt+Space']);
  taken.clear();
  choose({ keepInTray: false });
  expect(asked).toHaveLength(3);
  expect(companion.state()).toMatchObject({ isShortcutHeld: true });
  expect(notices).toEqual([]);
});

test('the page can hide the bar and show the window, and is told when there is no desktop to do so', async () => {
  const { companion, done } = open(defaultCompanion);
  expect(await companion.handlers['companion:hide']({})).toEqual({ ok: true, value: {} });
  expect(await companion.handlers['companion:fit']({ height: 300 })).toEqual({ ok: true, value: {} });
  expect(await companion.handlers['window:show']({})).toEqual({ ok: true, value: {} });
  expect(done).toEqual(['hidden', '300 tall', 'shown']);
  const alone = createCompanion({
    desktop: undefined,
    choice: () => defaultCompanion,
    notify: () => undefined,
    withdraw: () => undefined,
  });
  alone.hold();
  expect(alone.state()).toBeNull();
  expect(await alone.handlers['companion:hide']({})).toEqual({ ok: false, failure: { kind: 'notReady' } });
  expect(await alone.handlers['window:show']({})).toEqual({ ok: false, failure: { kind: 'notReady' } });
});
