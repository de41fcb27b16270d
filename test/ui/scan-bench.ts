import type { CDPSession, Page } from 'playwright-core';
import { defaultScanner } from '../../app/contract/limits/scanner.ts';
import type { ScannerSettings } from '../../app/contract/scanner.ts';
import { checkDigitOf } from '../../app/domain/codes/barcode.ts';
import type { Fake } from './fake-bridge.ts';

const fields = ['text', 'secret', 'area', 'figures'] as const;
const actors = ['button', 'box', 'list', 'link', 'fold', 'nothing'] as const;
type Target = (typeof fields)[number] | (typeof actors)[number];

/** A pause before the key at this place of a burst, the first key being at 0. */
interface Stall {
  readonly place: number;
  readonly ms: number;
}

export type Step =
  | { readonly do: 'focus'; readonly on: Target }
  | {
      readonly do: 'scan';
      readonly text: string;
      readonly sent: string;
      readonly gapMs: number;
      readonly stalls: readonly Stall[];
      readonly end: readonly ('Enter' | 'Tab')[];
      readonly afterMs: number;
    }
  | { readonly do: 'type'; readonly text: string; readonly gapsMs: readonly number[]; readonly afterMs: number }
  | { readonly do: 'press'; readonly key: ' ' | 'Enter'; readonly afterMs: number }
  | { readonly do: 'open' }
  | { readonly do: 'close' };

interface Plan {
  readonly seed: number;
  readonly settings: ScannerSettings;
  readonly steps: readonly Step[];
}

/** The scanners that shops have. */
export const scanners: readonly ScannerSettings[] = [
  defaultScanner,
  { ...defaultScanner, terminator: 'tab', prefix: '~', suffix: '#' },
  { ...defaultScanner, terminator: 'none', silenceMs: 50, meanGapMs: 20 },
  { ...defaultScanner, terminator: 'enter', charactersAtLeast: 6, meanGapMs: 50, silenceMs: 120 },
  { ...defaultScanner, prefix: '%%', keyboard: 'american' },
];

/** Numbers that are the same for the same seed. */
export function createRandom(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  const one = <Value>(values: readonly Value[]): Value => values[between(0, values.length - 1)] as Value;
  return {
    between,
    one,
    text: (signs: string, least: number, most: number) =>
      Array.from({ length: between(least, most) }, () => one([...signs])).join(''),
  };
}

/** A scanner ends all its scans alike. */
const ends = [['Enter'], ['Tab'], [], ['Enter', 'Enter'], ['Enter', 'Tab']] as const;

/** The keys of a terminator that is set; `enterOrTab` accepts any. */
const endsOfOwn: Partial<Record<ScannerSettings['terminator'], readonly ('Enter' | 'Tab')[]>> = {
  none: [],
  tab: ['Tab'],
  enter: ['Enter'],
};

const codes = ['0123456789', '0123456789', '0123456789ABCxyz-', '01237 ABz ', ' 0123', '0123456789\u001d'];

/** So many seeds in a row share a scanner, and so a page. */
export const seedsAPage = 12;

/** A plan; the same for the same seed. */
export function planOf(seed: number): Plan {
  const { between, one, text } = createRandom(seed);
  const page = Math.floor(seed / seedsAPage);
  const settings = scanners[page % scanners.length] ?? defaultScanner;
  const end = endsOfOwn[settings.terminator] ?? ends[page % ends.length] ?? [];
  const steps: Step[] = [{ do: 'focus', on: one([...fields, ...actors]) }];
  const [start] = steps;
  let focus: Target = start?.do === 'focus' ? start.on : 'nothing';
  let isOpen = false;
  const isTyping = (): boolean => fields.some((field) => field === focus);
  const count = between(2, 5);
  while (steps.length < count + 1) {
    // Longer than a scan may pause, so that whose a key is can be known.
    const afterMs = one([650, 700, 900, 1200]);
    const kind = one([
      'scan',
      'scan',
      'scan',
      'scans',
      'scans',
      'focus',
      'focus',
      'type',
      'type',
      'type',
      'type',
      'press',
      'dialog',
      'dialog',
    ]);
    if (kind === 'focus') {
      focus = one(isOpen ? ['secret' as const] : [...fields, ...actors]);
      steps.push({ do: 'focus', on: focus });
    } else if (kind === 'dialog') {
      steps.push({ do: isOpen ? 'close' : 'open' });
      isOpen = !isOpen;
      focus = isOpen ? 'secret' : 'nothing';
    } else if (kind === 'press' && !isTyping()) {
      // A list that is opened has the keys of the system's own.
      if (focus !== 'list') steps.push({ do: 'press', key: one([' ', 'Enter']), afterMs });
    } else if (kind === 'type' && isTyping()) {
      // Digits right before a scan may be its own; a letter is not.
      const typed = `${text('abcdefgh0123456789', 0, 6)}h`;
      const [least, most] = one([
        [60, 150],
        [60, 90],
        [60, 1500],
      ] as const);
      steps.push({ do: 'type', text: typed, gapsMs: [...typed].map(() => between(least, most)), afterMs });
    } else if (kind === 'scan' || kind === 'scans') {
      // The looked-up text is never changed: a code of the shop's own may begin with anything.
      let pauseMs = afterMs;
      for (let left = kind === 'scans' ? between(2, 3) : 1; left > 0; left -= 1) {
        const isProven = one([true, false]);
        const body = text('0123456789', 12, 12);
        const code = isProven
          ? body + checkDigitOf(body)
          : text(one(codes), Math.max(settings.charactersAtLeast, 4), 14);
        const gapMs = between(1, Math.min(settings.meanGapMs - 2, 18));
        const sent = settings.prefix + code + settings.suffix;
        const stall = (): Stall => ({
          place: between(1, sent.length - (end.length === 0 ? 1 : 0)),
          ms: between(81, 590),
        });
        // A short code has too few keys to be known between pauses. A list chooses, and a blank presses, by a first key
        // that comes alone.
        const mayStall = sent.length >= 10 && !code.includes(' ') && focus !== 'list';
        const stalls = mayStall ? one([[], [stall()], isProven ? [stall(), stall()] : [stall()]]) : [];
        steps.push({
          do: 'scan',
          text: code,
          sent,
          gapMs,
          stalls,
          end,
          afterMs: isProven && pauseMs === afterMs && steps.at(-1)?.do === 'type' ? one([100, 300, afterMs]) : pauseMs,
        });
        // The next one may come as soon as this one is known to be over: two count within 100 ms.
        pauseMs = end.length === 0 ? between(610, 900) : between(2, 100);
      }
    }
  }
  return { seed, settings, steps: isOpen ? [...steps, { do: 'close' }] : steps };
}

export interface Tally {
  /** The text of each field. */
  readonly typed: Record<string, string>;
  /**
   * How often each of the others was pressed, ticked, chosen or left for another page, and which keys it heard the
   * release of.
   */
  readonly pressed: Record<string, number>;
  readonly scans: string[];
}

/** Puts the fields and the rest into the page, above the app. Runs in the page. */
export function installBench(): void {
  const bench = document.createElement('div');
  bench.id = 'bench';
  bench.style.cssText = 'position:fixed;bottom:0;right:0;z-index:9999;background:#fff';
  bench.innerHTML = '';
  const pressed: Record<string, number> = {};
  const count = (what: string): void => {
    pressed[what] = (pressed[what] ?? 0) + 1;
  };
  const add = <Name extends keyof HTMLElementTagNameMap>(
    name: Name,
    id: string,
    set: Partial<HTMLElementTagNameMap[Name]> = {},
  ): HTMLElementTagNameMap[Name] => {
    const element = Object.assign(document.createElement(name), { id: `bench-${id}` }, set);
    bench.append(element);
    return element;
  };
  add('input', 'text', { type: 'text' });
  add('input', 'secret', { type: 'password' });
  add('textarea', 'area');
  add('input', 'figures', { type: 'search' });
  const button = add('button', 'button', { type: 'button', textContent: 'press' });
  const box = add('input', 'box', { type: 'checkbox' });
  const list = add('select', 'list');
  for (const label of ['none', '0 first', '1 second', '7 third', 'A fourth', 'x fifth']) {
    list.append(new Option(label));
  }
  const link = add('a', 'link', { href: '#bench', textContent: 'link' });
  const fold = add('details', 'details');
  const summary = Object.assign(document.createElement('summary'), { id: 'bench-fold', textContent: 'fold' });
  fold.append(summary);
  button.addEventListener('click', () => count('button'));
  box.addEventListener('click', () => count('box'));
  list.addEventListener('change', () => count('list'));
  link.addEventListener('click', (event) => {
    event.preventDefault();
    count('link');
  });
  summary.addEventListener('click', () => count('fold'));
  // Some parts of pages act when a key is released.
  bench.addEventListener('keyup', (event) => {
    if (
      (event.key === 'Enter' || event.key === ' ' || event.key === 'Tab') &&
      event.target instanceof HTMLElement &&
      !/text|secret|area|figures/.test(event.target.id)
    ) {
      count(`${event.target.id.slice(6)} released`);
    }
  });
  document.body.append(bench);
  const fake = (window as unknown as { fake: Fake }).fake;
  let from = fake.calls.length;
  const fieldNames = ['text', 'secret', 'area', 'figures'];
  const field = (name: string): HTMLInputElement => document.querySelector(`#bench-${name}`) as HTMLInputElement;
  let dialog: HTMLElement | null = null;
  Object.assign(window, {
    bench: {
      focus(on: string) {
        if (on === 'nothing') (document.activeElement as HTMLElement | null)?.blur();
        else document.querySelector<HTMLElement>(`#bench-${on}`)?.focus();
      },
      open() {
        dialog = Object.assign(document.createElement('div'), { role: 'dialog', ariaModal: 'true' });
        bench.append(dialog);
        field('secret').focus();
      },
      close() {
        dialog?.remove();
        (document.activeElement as HTMLElement | null)?.blur();
      },
      async see(wanted: number, on: string) {
        const finds = (): number => fake.calls.slice(from).filter(({ channel }) => channel === 'lookup:find').length;
        // A scan that never comes is found by the tally.
        for (let left = 500; left > 0 && (finds() < wanted || !fake.isAnswered()); left -= 1) {
          await new Promise((resolve) => setTimeout(resolve, 2));
        }
        for (let left = 6; left > 0; left -= 1) await new Promise((resolve) => setTimeout(resolve));
        this.focus(on);
      },
      begin() {
        from = fake.calls.length;
        for (const name of fieldNames) field(name).value = '';
        for (const what of Object.keys(pressed)) delete pressed[what];
        list.selectedIndex = 0;
      },
      tally: () => ({
        typed: Object.fromEntries(fieldNames.map((name) => [name, field(name).value])),
        pressed: { ...pressed },
        scans: fake.calls
          .slice(from)
          .filter(({ channel }) => channel === 'lookup:find')
          .map(({ input }) => String(input['text'])),
      }),
    },
  });
}

/** The page's end of the bench. */
interface Bench {
  focus(on: string): void;
  open(): void;
  close(): void;
  /**
   * Waits until so many scans have been looked up and shown, which takes the focus home, and moves it to where the
   * person goes on.
   */
  see(count: number, on: string): Promise<void>;
  begin(): void;
  tally(): Tally;
}

const shifted = new Set('~#%ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const virtualKeyCodes: Readonly<Record<string, number>> = {
  Enter: 13,
  Tab: 9,
  Shift: 16,
  End: 35,
  Home: 36,
  ArrowUp: 38,
  ArrowDown: 40,
};
const places: Readonly<Record<string, string>> = {
  ' ': 'Space',
  '-': 'Minus',
  '~': 'Backquote',
  '#': 'Digit3',
  '%': 'Digit5',
};

/** The physical key of this character or named key. */
function codeOf(name: string): string {
  if (name === '\u001d') {
    return 'BracketRight';
  }
  if (name.length > 1) {
    return name;
  }
  return places[name] ?? (/\d/.test(name) ? `Digit${name}` : `Key${name.toUpperCase()}`);
}

/**
 * A keyboard that a scanner and a person share; its clock goes on by what is told, far ahead of the machine's unless
 * told, so that no machine is too slow for it.
 */
export function createKeyboard(session: CDPSession, startMs = Date.now() + 3_600_000) {
  let atMs = startMs;
  const under: Promise<unknown>[] = [];
  const key = (name: string, afterMs: number, withShift = false): void => {
    atMs += afterMs;
    const isSeparator = name === '\u001d';
    const printed = name === 'Enter' ? '\r' : name;
    const text = isSeparator || printed.length > 1 ? undefined : printed;
    const shift = withShift || shifted.has(name) ? 8 : 0;
    const common = {
      key: isSeparator ? ']' : name,
      code: codeOf(name),
      modifiers: isSeparator ? 2 : shift,
      windowsVirtualKeyCode: isSeparator ? 221 : (virtualKeyCodes[name] ?? name.toUpperCase().charCodeAt(0)),
    };
    under.push(
      session.send('Input.dispatchKeyEvent', {
        ...common,
        type: text === undefined ? 'rawKeyDown' : 'keyDown',
        ...(text === undefined ? {} : { text }),
        timestamp: atMs / 1000,
      }),
    );
    under.push(session.send('Input.dispatchKeyEvent', { ...common, type: 'keyUp', timestamp: (atMs + 0.5) / 1000 }));
  };
  return {
    key,
    /** All keys so far have gone through the page. */
    settle: async (): Promise<void> => {
      await Promise.all(under.splice(0));
    },
  };
}

export type Keyboard = ReturnType<typeof createKeyboard>;

/** Does something with the bench of a page. */
export const bench = <Value>(
  page: Page,
  action: (bench: Bench, on: string, count: number) => Value | Promise<Value>,
  on = '',
  count = 0,
): Promise<Value> => page.evaluate<Value>(`(${action.toString()})(window.bench, ${JSON.stringify(on)}, ${count})`);

/** Plays a plan, and answers what it should have come to and what it came to. */
export async function play(
  page: Page,
  keyboard: Keyboard,
  plan: Plan,
): Promise<{ readonly expected: Tally; readonly found: Tally }> {
  const expected: Tally = { typed: Object.fromEntries(fields.map((field) => [field, ''])), pressed: {}, scans: [] };
  await bench(page, (one) => one.begin());
  let focused: Target = 'nothing';
  let waiting: string[] | null = null;
  let isAsked = false;
  // Whoever types or presses after a scan has seen its answer, which takes the focus home.
  const seeAnswer = async (): Promise<void> => {
    if (isAsked && waiting === null) {
      keyboard.key('F13', 700);
      await keyboard.settle();
      await bench(page, (one, on, count) => one.see(count, on), focused, expected.scans.length);
      isAsked = false;
    }
    await keyboard.settle();
  };
  const count = (what: string): void => {
    expected.pressed[what] = (expected.pressed[what] ?? 0) + 1;
  };
  for (const step of plan.steps) {
    switch (step.do) {
      case 'focus':
        await seeAnswer();
        await bench(page, (one, on) => one.focus(on), step.on);
        focused = step.on;
        break;
      case 'scan':
        [...step.sent, ...step.end].forEach((name, place) =>
          keyboard.key(
            name,
            place === 0 ? step.afterMs : (step.stalls.find((stall) => stall.place === place)?.ms ?? step.gapMs),
          ),
        );
        (waiting ?? expected.scans).push(step.text);
        isAsked = true;
        break;
      case 'type':
        await seeAnswer();
        if (fields.some((field) => field === focused)) {
          [...step.text].forEach((name, place) =>
            keyboard.key(name, place === 0 ? step.afterMs : (step.gapsMs[place] ?? 100)),
          );
          expected.typed[focused] += step.text;
        }
        break;
      case 'press':
        await seeAnswer();
        keyboard.key(step.key, step.afterMs);
        // Held until it is known that no scan begins with it, which the next key tells by its own time.
        keyboard.key('F13', 700);
        if (focused !== 'nothing') {
          const presses = step.key === ' ' ? focused !== 'link' : focused !== 'box';
          if (presses) count(focused);
          if (step.key === 'Enter') count(`${focused} released`);
        }
        break;
      case 'open':
        await seeAnswer();
        await bench(page, (one) => one.open());
        waiting = [];
        focused = 'secret';
        break;
      case 'close':
        keyboard.key('F13', 700);
        await keyboard.settle();
        await bench(page, (one) => one.close());
        expected.scans.push(...(waiting ?? []));
        waiting = null;
        focused = 'nothing';
        break;
    }
  }
  keyboard.key('F13', 700);
  await seeAnswer();
  return { expected, found: await bench(page, (one) => one.tally()) };
}
