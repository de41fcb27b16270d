import { defaultScanner } from '../../app/contract/limits/scanner.ts';
import type { ScannerSettings } from '../../app/contract/scanner.ts';
import { isBehindDialog, isDialogOpen } from '../dom/dialogs.ts';
import { isTextField, readField, restoreField, type FieldState } from '../dom/fields.ts';
import { createHeldKeys, type HeldKeys } from './held-keys.ts';
import { widestPauseMs, type ScannedText } from './scan-answers.ts';
import { digitsOf, isBesideSecret, isElsewhere, isLikeEmail, isSecretAsked } from './scan-into.ts';
import { createScanner, maxGathered, type Scanner, type Verdict } from './scanner.ts';
import type { KeyPress } from './scanner-characters.ts';
import { widestGapMs } from './scanner-pace.ts';
import { createScannerLearner, type ScannerLearner } from './scanner-profile.ts';

/** A key with what became of it, for whoever looks at what a scanner sends. */
export interface RecordedKey extends KeyPress {
  readonly isControl: boolean;
  readonly verdict: Verdict['kind'];
  /** True when a text field had the focus: a person may be typing there. */
  readonly isInField: boolean;
}

export interface ScannerListener {
  /** Each scan, once. */
  readonly onScan: (scan: ScannedText) => void;
  /** Whether a key acts on what is scanned, and so waits for the end of a scan that is being typed. */
  readonly waitsForScan?: (event: KeyboardEvent) => boolean;
  /** Each key that was pressed, also a person's; none in a dialog, where a PIN may be typed, or beside a secret. */
  readonly onKey?: (key: RecordedKey) => void;
}

/** A timer that comes later than this was kept waiting, and so may keys have been that belong to the scan. */
const lateTimerMs = 15;
/** No timer waits longer than this for keys that are on their way. */
const maxPatienceMs = 400;
const never = Number.NEGATIVE_INFINITY;
/** A hand that rolls a PIN over the keys takes longer from one to the next; most scanners take less. */
const fastestHandMs = 20;
/** Between two looks whether a scan is over, at least. */
const shortestRestMs = 5;

interface PatientTimer {
  start(delayMs: number, action: () => void): void;
  stop(): void;
}

/** A timer that, as long as the machine is too busy to keep its time, gives keys as much more as it was late itself. */
function createPatientTimer(page: Window): PatientTimer {
  let timer: number | undefined;
  const stop = (): void => page.clearTimeout(timer);
  const wait = (delayMs: number, patienceMs: number, action: () => void): void => {
    const dueMs = page.performance.now() + delayMs;
    timer = page.setTimeout(() => {
      const lateMs = Math.min(page.performance.now() - dueMs, patienceMs);
      if (lateMs > lateTimerMs) {
        wait(lateMs, patienceMs - lateMs, action);
      } else {
        action();
      }
    }, delayMs);
  };
  return {
    stop,
    start(delayMs, action) {
      stop();
      wait(delayMs, maxPatienceMs, action);
    },
  };
}

function pressOf(event: KeyboardEvent): KeyPress {
  // AltGr is how many keyboards write "]" or "\"; it arrives as control and alt together.
  const isAltGraph = event.getModifierState('AltGraph');
  return {
    key: event.key,
    code: event.code,
    atMs: event.timeStamp,
    isRepeat: event.repeat,
    isChord: (event.ctrlKey || event.altKey || event.metaKey) && !isAltGraph,
    isAlt: event.altKey && !event.ctrlKey && !event.metaKey && !isAltGraph,
    isShift: event.shiftKey,
    isCapsLock: event.getModifierState('CapsLock'),
  };
}

/** The key after this one may be as long on its way as this one was. */
function latenessOf(page: Window, { timeStamp }: KeyboardEvent): number {
  return Math.min(Math.max(0, page.performance.now() - timeStamp), maxPatienceMs);
}

/** Whether it acts on what has the focus, and on no dialog. */
const actsOnFocus = ({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean =>
  !ctrlKey &&
  !altKey &&
  !metaKey &&
  (key.length === 1 || /^(?:Enter|Backspace|Delete|Home|End|Page(?:Up|Down)|Arrow\w+)$/.test(key));

function keepFrom(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** The keys whose press was kept from the page. */
function createKeptKeys() {
  const codes = new Set<string>();
  return {
    keep(event: KeyboardEvent): void {
      keepFrom(event);
      codes.add(event.code);
    },
    has: ({ code }: KeyboardEvent): boolean => codes.has(code),
    /** True when it was kept. */
    forget: ({ code }: KeyboardEvent): boolean => codes.delete(code),
  };
}

interface BehindParts {
  readonly page: Window;
  readonly scanner: Scanner;
  readonly kept: ReturnType<typeof createKeptKeys>;
  readonly waitsForScan: (event: KeyboardEvent) => boolean;
}

/** Keys that wait behind a scan (6). */
function createKeysBehind({ page, scanner, kept, waitsForScan }: BehindParts) {
  let waiting: readonly KeyboardEvent[] = [];
  let otherAtMs = never;
  const timer = createPatientTimer(page);
  const release = (): void => {
    if (!scanner.isScanning) {
      const released = waiting;
      waiting = [];
      released.forEach((event) => (page.document.activeElement ?? page).dispatchEvent(event));
    }
  };
  return {
    /** These have been received. */
    follow(scans: readonly ScannedText[]): void {
      if (scans.length > 0) {
        release();
      }
    },
    /** False when it is no such key; one that need not wait goes on to the page. */
    take(event: KeyboardEvent): boolean {
      if (!waitsForScan(event)) {
        otherAtMs = event.timeStamp;
        return false;
      }
      const mayBeScan = scanner.gathering > 0 && event.timeStamp - otherAtMs <= widestGapMs;
      if (!scanner.isScanning && !mayBeScan) {
        kept.forget(event);
        return true;
      }
      kept.keep(event);
      if (!event.repeat) {
        waiting = [...waiting, new KeyboardEvent('keydown', event)];
        timer.start(widestGapMs + latenessOf(page, event), release);
      }
      return true;
    },
  };
}

/** The keys that may turn out to be a scan's, and what the fields held that received them. */
function createGatheredKeys() {
  // The field as it stood before the key; null when none had the focus, and undefined when the key is held.
  let gathered: readonly (FieldState | null | undefined)[] = [];
  const stateOf = (element: unknown): FieldState | null => (isTextField(element) ? readField(element) : null);
  return {
    /** `focused`: undefined when the key is held. */
    add(focused: Element | null | undefined): void {
      gathered = [...gathered.slice(1 - maxGathered), focused === undefined ? undefined : stateOf(focused)];
    },
    /** The focus may move with the very key: which field is about to receive it is known only now. */
    receive(target: EventTarget | null): void {
      if (gathered.at(-1) === null) {
        gathered = [...gathered.slice(0, -1), stateOf(target)];
      }
    },
    /** The focused field as it stood before the last `count` keys, the one that is pressed now not among them. */
    before(focused: Element | null, count: number): FieldState | null {
      const state = count === 0 ? undefined : gathered[Math.max(0, gathered.length - count)];
      return state?.field === focused ? state : stateOf(focused);
    },
    /** The last `count` keys belong to a scan that stays where it was typed. */
    forget(count: number): void {
      gathered = gathered.slice(0, Math.max(0, gathered.length - count));
    },
    /** Puts the fields back as they stood before the last `count` keys. */
    takeBack(count: number): void {
      const from = Math.max(0, gathered.length - count);
      const fields = gathered.slice(from).filter((before) => before !== null && before !== undefined);
      // Only the earliest state of a field: each writing draws it and searches for what it holds.
      fields
        .filter((before, place) => fields.findIndex(({ field }) => field === before.field) === place)
        .forEach(restoreField);
      gathered = gathered.slice(0, from);
    },
  };
}

interface PassingParts extends Pick<BehindParts, 'page' | 'scanner' | 'kept'> {
  readonly held: HeldKeys;
  readonly heldTimer: PatientTimer;
  readonly gathered: ReturnType<typeof createGatheredKeys>;
}

/** Whether it would press, choose or send once more. */
const isHeldEnter = ({ key, repeat }: KeyboardEvent, focused: Element | null): boolean =>
  repeat && key === 'Enter' && focused?.matches('textarea') !== true;

/** Gives a key to the page, now or when it is known whose it is. */
function createPassing({ page, scanner, kept, held, heldTimer, gathered }: PassingParts) {
  return (event: KeyboardEvent, isGathered: boolean): void => {
    held.release(scanner.gathering - (isGathered ? 1 : 0)); // 5
    const focused = page.document.activeElement;
    if (event.repeat && kept.has(event)) {
      kept.keep(event); // 1, 3
      return;
    }
    if (isHeldEnter(event, focused)) {
      keepFrom(event); // 9
      return;
    }
    kept.forget(event);
    if (isBehindDialog(focused) && actsOnFocus(event)) {
      kept.keep(event); // 8
      if (isGathered) {
        gathered.add(undefined);
      }
      return;
    }
    if (!isGathered) {
      return;
    }
    const mustHold = held.mustHold(focused, event.key);
    gathered.add(mustHold ? undefined : focused);
    if (mustHold) {
      kept.keep(event);
      held.hold(focused, event);
      heldTimer.start(widestGapMs + latenessOf(page, event), () => held.release());
    }
  };
}

/** What a field has got since it stood so. */
const addedTo = ({ field, value }: FieldState): string =>
  field.value.startsWith(value) ? field.value.slice(value.length) : field.value;

/** Whether it gets the character: a PIN's takes digits alone. */
const gets = (focused: Element | null, character: string): boolean =>
  isTextField(focused) && (digitsOf(focused) === null || /\d/.test(character));

/** What a password manager types (7). */
function createTypedSecret({ prefix, suffix }: ScannerSettings) {
  // Marks of letters and digits alone may be the e-mail's own.
  const hasSign = /[^a-z\d]/i.test(prefix + suffix);
  let before: FieldState | null = null;
  let hasKept = false;
  /** Keys since the last pause or named key; the text of those that no field has got. */
  let run = { text: '', keys: 0, sinceMs: never, atMs: never, isEnded: true, isEmail: false, isPassword: false };

  const isEmail = (): boolean => [run.text, before === null ? '' : addedTo(before)].some(isLikeEmail);

  /** What was typed, where it is an e-mail, in place of what a scanner of another layout has read. */
  const asTyped = (scan: ScannedText, typed: string): ScannedText =>
    isLikeEmail(typed) && !(hasSign && isLikeEmail(scan.text ?? '')) ? { ...scan, text: typed } : scan;

  /** Those that are to be scans; for what does not stay, the field stands as before. */
  const leaving = (scans: readonly ScannedText[], hasTab: boolean): readonly ScannedText[] => {
    const state = before;
    const typed = state === null || isLikeEmail(run.text) ? run.text : addedTo(state);
    const isMoved = hasTab && !run.isPassword;
    before = null;
    run = { ...run, text: '' };
    const isForField = run.isPassword && state !== null && digitsOf(state.field) === null;
    const left = scans.filter(({ text }) =>
      state === null ? true : !isForField && text !== null && isElsewhere(state.field, text, typed, isMoved),
    );
    hasKept = left.length === 0;
    if (!hasKept && state !== null) {
      restoreField(state);
    }
    // A password that no field has got is nobody's code.
    return run.isPassword ? [] : left.map((scan) => asTyped(scan, typed));
  };

  return {
    note({ key, atMs, isChord }: KeyPress, focused: Element | null): void {
      const isNear = atMs - run.atMs <= widestPauseMs;
      if (key.length === 1 && !isChord) {
        const room = before === null ? null : digitsOf(before.field);
        if (before !== null && room !== null && (!gets(focused, key) || before.field.value.length >= room)) {
          // It is no PIN.
          restoreField(before);
          before = null;
        }
        const goesOn = isNear && !run.isEnded;
        // Nothing that a field gets is kept: it may be a secret.
        const text = (goesOn ? run.text : '') + (gets(focused, key) ? '' : key);
        // Many passwords are like an e-mail: what follows one is its password.
        const isPassword = goesOn ? run.isPassword : isNear && run.isEmail;
        const [keys, sinceMs] = goesOn ? [run.keys + 1, run.sinceMs] : [1, atMs];
        run = { text, keys, sinceMs, atMs, isEnded: false, isEmail: false, isPassword };
      } else if (key === 'Enter' || key === 'Tab') {
        run = { ...run, atMs, isEnded: true, isEmail: isNear && isEmail() && !run.isPassword };
      }
    },
    get isOpen() {
      return before !== null;
    },
    /** Whether it is a password manager's Tab behind its e-mail. */
    endsEmail: ({ key }: KeyPress): boolean => key === 'Tab' && !run.isEnded && !run.isPassword && isEmail(),
    /** True when the last of what came stayed in its field. */
    get hasKept() {
      return hasKept;
    },
    /** False when the field has no secret beside it, or is a PIN's and no hand types so fast. */
    begin(state: FieldState | null): boolean {
      const isByHand = run.atMs - run.sinceMs >= (run.keys - 1) * fastestHandMs;
      const stays = state !== null && isBesideSecret(state.field) && (isByHand || digitsOf(state.field) === null);
      before = stays ? state : null;
      return stays;
    },
    leaves(scans: readonly ScannedText[], hasTab: boolean): readonly ScannedText[] {
      return scans.length === 0 ? scans : leaving(scans, hasTab);
    },
  };
}

/** Learns nothing where a secret is asked for: a password manager is no scanner. */
const sparing = (learner: ScannerLearner): ScannerLearner => ({
  ...learner,
  take: (sent, replaces) => {
    if (!isSecretAsked()) {
      learner.take(sent, replaces);
    }
  },
});

/**
 * Watches the page's keys until the answered function is called.
 *
 * 1. What keeps a key's press from the page keeps its release, too: a button acts when the space bar is released.
 * 2. The keys of a scan that fields received before it was recognised are taken back: value, caret and selection stand
 *    as before. Those that may belong to it, but were before a pause, are taken back when it is known that they do.
 * 3. A key that would press, tick or choose something at once is held until it is known whose it is (held-keys.ts).
 * 4. Keys that this page was too busy to receive in time still belong to their scan: their own time counts, not when
 *    they were received, and neither a scan is ended nor a held key given to the page before such keys have had their
 *    time to come.
 * 5. No key of a person overtakes one that is held: what was held acts first, each key where it was pressed, and is
 *    done once.
 * 6. A key that acts on what is scanned is no scan's, and ends none. Pressed while a scan is being typed, or may be, it
 *    reaches the page once, when the scan has been received or is known to be none.
 * 7. A password manager types as fast as a scanner. In the field of a secret, and in those beside it, all stays as it was
 *    typed, and nobody is told of it, but for what belongs elsewhere (scan-into.ts). Its Enter is withheld, for a code that
 *    nothing proves would be sent as the password; not one that a person presses. Where no such field has the focus, its
 *    e-mail and what follows that at once are no scans: they may come at a locked till, or while a sign-in is tried.
 * 8. What has the focus behind a dialog gets nothing: the dialog is about to take the focus, or is still being read.
 * 9. Enter that is held acts once, where it was pressed, as a shortcut's key does: it would press a button without end,
 *    and the one that comes into its place. Its release is the page's.
 */
export function watchScanner(
  page: Window,
  { onScan, onKey, waitsForScan = () => false }: ScannerListener,
  settings: ScannerSettings = defaultScanner,
  learner: ScannerLearner = createScannerLearner(),
): () => void {
  const scanner = createScanner(settings, sparing(learner));
  const held = createHeldKeys();
  const gathered = createGatheredKeys();
  const kept = createKeptKeys();
  const behind = createKeysBehind({ page, scanner, kept, waitsForScan });
  const secret = createTypedSecret(settings);
  let lastKeyAtMs = 0;
  const [scanTimer, heldTimer] = [createPatientTimer(page), createPatientTimer(page)];
  const pass = createPassing({ page, scanner, kept, held, heldTimer, gathered });

  const emit = (scans: readonly ScannedText[], hasTab = false): void => {
    for (const scan of secret.leaves(scans, hasTab)) {
      gathered.takeBack(scan.takesBack);
      onScan(scan);
    }
    behind.follow(scans);
  };

  const awaitRest = (delayMs: number): void => {
    scanTimer.start(delayMs, () => {
      const nowMs = page.performance.now();
      emit(scanner.rest(nowMs));
      if (scanner.isScanning) {
        awaitRest(Math.min(scanner.restMs, Math.max(shortestRestMs, lastKeyAtMs + scanner.restMs - nowMs)));
      }
    });
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    // Keys that the held ones ask for go through the page as keys of its own; only the browser's are anybody's.
    if (event.isComposing || !event.isTrusted || behind.take(event)) {
      return;
    }
    const press = pressOf(event);
    const { ended, verdict, completed } = scanner.press(press, secret.endsEmail(press));
    const focused = page.document.activeElement;
    if (!isDialogOpen() && !isBesideSecret(focused)) {
      onKey?.({ ...press, isControl: event.ctrlKey, verdict: verdict.kind, isInField: isTextField(focused) });
    }
    emit(ended);
    secret.note(press, focused);
    const isLate = event.timeStamp - lastKeyAtMs > widestGapMs;
    lastKeyAtMs = event.timeStamp;
    scanTimer.stop();
    switch (verdict.kind) {
      case 'pass':
        pass(event, verdict.isGathered);
        break;
      case 'swallow':
        if (secret.isOpen ? event.key === 'Enter' && !isLate : !secret.hasKept || !isLate) {
          kept.keep(event);
        }
        break;
      case 'recognise':
        heldTimer.stop();
        held.drop();
        if (secret.begin(gathered.before(focused, verdict.takesBack))) {
          gathered.forget(verdict.takesBack);
        } else {
          kept.keep(event);
          gathered.takeBack(verdict.takesBack);
        }
        break;
      case 'scan':
        heldTimer.stop();
        held.drop();
        if (!secret.isOpen) {
          secret.begin(gathered.before(focused, completed[0]?.takesBack ?? 0));
        }
        emit(completed, event.key === 'Tab');
        if (!secret.hasKept || (event.key !== 'Tab' && !isLate)) {
          kept.keep(event);
        }
        break;
    }
    if (scanner.isScanning) {
      awaitRest(scanner.restMs + latenessOf(page, event));
    }
  };

  const onKeyUp = (event: KeyboardEvent): void => {
    if (event.isTrusted && kept.forget(event)) {
      keepFrom(event);
    }
  };

  // Within a scan nothing else may write, not even a character that came by its code.
  const onBeforeInput = (event: InputEvent): void => {
    const isOfScan = scanner.isScanning && !secret.isOpen && !event.isComposing && event.inputType === 'insertText';
    if (isOfScan || (event.target instanceof Element && isBehindDialog(event.target))) {
      keepFrom(event);
    } else {
      gathered.receive(event.target);
    }
  };

  const onPointerDown = ({ isTrusted }: PointerEvent): void => {
    if (isTrusted) {
      scanner.point();
    }
  };

  const watching = new AbortController();
  const options = { capture: true, signal: watching.signal };
  page.addEventListener('keydown', onKeyDown, options);
  page.addEventListener('keyup', onKeyUp, options);
  page.addEventListener('beforeinput', onBeforeInput, options);
  page.addEventListener('pointerdown', onPointerDown, options);
  return () => {
    scanTimer.stop();
    heldTimer.stop();
    held.release();
    watching.abort();
    emit(scanner.rest(Number.POSITIVE_INFINITY));
  };
}
