// GS1's separator goes out as control and "]".
import type { Page } from 'playwright-core';

const gapMs = 4;
/** No person presses a key sooner after a scan. */
const personMs = 100;

interface Key {
  readonly key: string;
  readonly code: string;
  readonly text: string;
  readonly virtualKeyCode: number;
  readonly withControl?: boolean;
}

const separator: Key = { key: ']', code: 'BracketRight', text: '', virtualKeyCode: 221, withControl: true };

function keyOf(character: string): Key {
  if (character === '\u001d') {
    return separator;
  }
  const isDigit = /^\d$/.test(character);
  const isLetter = /^[a-z]$/i.test(character);
  return {
    key: character,
    // As on a Spanish keyboard, of which an American one says another sign.
    code: isDigit || character === '@' ? `Digit${isDigit ? character : 2}` : `Key${character.toUpperCase()}`,
    text: character,
    // Of a sign it would be another key's, such as Delete's.
    virtualKeyCode: isDigit || isLetter ? character.toUpperCase().charCodeAt(0) : 0,
  };
}

const ends = {
  enter: { key: 'Enter', code: 'Enter', text: '\r', virtualKeyCode: 13 },
  tab: { key: 'Tab', code: 'Tab', text: '', virtualKeyCode: 9 },
} as const satisfies Readonly<Record<string, Key>>;

/** Says a command of Chromium's protocol to a page. */
type Send = (method: 'Input.dispatchKeyEvent', parameters: KeyEvent) => Promise<unknown>;

interface KeyEvent {
  readonly type: 'keyDown' | 'rawKeyDown' | 'keyUp';
  readonly key: string;
  readonly code: string;
  readonly text?: string;
  readonly windowsVirtualKeyCode: number;
  readonly modifiers: number;
  /** In seconds. */
  readonly timestamp: number;
}

async function press(
  send: Send,
  { key, code, text, virtualKeyCode, withControl = false }: Key,
  atMs: number,
): Promise<void> {
  const common = { key, code, windowsVirtualKeyCode: virtualKeyCode, modifiers: withControl ? 2 : 0 };
  await Promise.all([
    send('Input.dispatchKeyEvent', {
      ...common,
      type: text === '' ? 'rawKeyDown' : 'keyDown',
      ...(text === '' ? {} : { text }),
      timestamp: atMs / 1000,
    }),
    send('Input.dispatchKeyEvent', { ...common, type: 'keyUp', timestamp: (atMs + 1) / 1000 }),
  ]);
}

interface ScanOptions {
  /** Null for a scanner that sends no terminator. */
  readonly end?: keyof typeof ends | null;
  /** Pauses in milliseconds before the keys at these places, the first being at 0, by the keys' own times. */
  readonly pauses?: Readonly<Record<number, number>>;
  /** When they begin, in milliseconds since 1970; now where absent. */
  readonly fromMs?: number;
}

/** The keys of a scan, said to a page by this function; answers when the last of them was pressed, by its own time. */
export async function typeScan(
  send: Send,
  text: string,
  { end = 'enter', pauses = {}, fromMs = Date.now() }: ScanOptions = {},
): Promise<number> {
  const keys = [...text].map(keyOf);
  // All are on their way before the first is answered: waiting for each would make a slow typist of the scanner.
  let atMs = fromMs;
  await Promise.all(
    [...keys, ...(end === null ? [] : [ends[end]])].map((key, place) =>
      press(send, key, (atMs += pauses[place] ?? gapMs)),
    ),
  );
  return atMs;
}

/** Scans a text into whatever has the focus. */
export async function scan(page: Page, text: string, options: ScanOptions = {}): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const atMs = await typeScan((method, parameters) => session.send(method, parameters), text, options);
  await session.detach();
  // The keys' own times lie ahead of the clock. Whoever acts next is a person, who comes after the last of them.
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, atMs + personMs - Date.now())));
}
