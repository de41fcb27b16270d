import { defaultScanner } from '../../app/contract/limits.ts';
import type { ScannerSettings } from '../../app/contract/scanner.ts';
import { isTextField, readField, restoreField, writeField, type FieldState } from '../dom/fields.ts';
import { createHeldKeys } from './held-keys.ts';
import type { HeardScan } from './scan-answers.ts';
import { createScanner, maxGathered, type Verdict } from './scanner.ts';
import type { KeyPress } from './scanner-characters.ts';
import { widestGapMs } from './scanner-pace.ts';
import { createScannerLearner, type ScannerLearner } from './scanner-profile.ts';

/** A key with what became of it, for whoever looks at what a scanner sends. */
export interface HeardKey extends KeyPress {
  readonly isControl: boolean;
  readonly verdict: Verdict['kind'];
  /** True when a text field had the focus: a person may be typing there. */
  readonly isInField: boolean;
}

export interface ScannerListener {
  /** Each scan, once. */
  readonly onScan: (scan: HeardScan) => void;
  /** Each key that was pressed, also a person's. */
  readonly onKey?: (key: HeardKey) => void;
}

/** True when the focused field asks for scans, by `data-takes-scans`, and has received this one. */
export function scanInto(element: Element | null, text: string): boolean {
  if (!isTextField(element) || element.dataset['takesScans'] === undefined) {
    return false;
  }
  writeField(element, text);
  return true;
}

/** A timer that comes later than this was kept waiting, and so may keys have been that belong to the scan. */
const lateTimerMs = 15;
/** No timer waits longer than this for keys that are on their way. */
const maxPatienceMs = 400;
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

/**
 * Watches the page's keys until the answered function is called.
 *
 * 1. What keeps a key's press from the page keeps its release, too: a button acts when the space bar is released.
 * 2. The keys of a scan that fields received before it was recognised are taken back: value, caret and selection stand as before. Those
 *    that may belong to it, but were before a pause, are taken back when it is known that they do.
 * 3. A key that would press, tick or choose something at once is held until it is known whose it is (held-keys.ts).
 * 4. Keys that this page was too busy to hear in time still belong to their scan: their own time counts, not that of their hearing, and
 *    neither a scan is ended nor a held key given to the page before such keys have had their time to come.
 * 5. No key of a person overtakes one that is held: what was held acts first, each key where it was pressed, and is done once.
 */
export function watchScanner(
  page: Window,
  { onScan, onKey }: ScannerListener,
  settings: ScannerSettings = defaultScanner,
  learner: ScannerLearner = createScannerLearner(),
): () => void {
  const scanner = createScanner(settings, learner);
  const held = createHeldKeys();
  // For each key that may turn out to be a scan's: the field that was about to receive it, as it stood then; null when
  // no field was, and undefined when the key is held.
  let gathered: (FieldState | null | undefined)[] = [];
  // Keys whose press was kept from the page (1).
  const kept = new Set<string>();
  let lastKeyAtMs = 0;
  const scanTimer = createPatientTimer(page);
  const heldTimer = createPatientTimer(page);

  const takeBack = (count: number): void => {
    const from = Math.max(0, gathered.length - count);
    const fields = gathered.slice(from).filter((before) => before !== null && before !== undefined);
    // Only the earliest state of a field: each writing draws it and searches for what it holds.
    fields
      .filter((before, place) => fields.findIndex(({ field }) => field === before.field) === place)
      .forEach(restoreField);
    gathered = gathered.slice(0, from);
  };

  const hear = (scans: readonly HeardScan[]): void => {
    for (const scan of scans) {
      takeBack(scan.takesBack);
      onScan(scan);
    }
  };

  const keep = (event: KeyboardEvent): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
    kept.add(event.code);
  };

  const gather = (event: KeyboardEvent): void => {
    const focused = page.document.activeElement;
    const mustHold = held.mustHold(focused, event.key);
    const field = isTextField(focused) ? readField(focused) : null;
    gathered = [...gathered.slice(1 - maxGathered), mustHold ? undefined : field];
    if (mustHold) {
      keep(event);
      held.hold(focused, event);
      heldTimer.start(widestGapMs + latenessOf(event), () => held.release());
    }
  };

  const awaitRest = (delayMs: number): void => {
    scanTimer.start(delayMs, () => {
      const nowMs = page.performance.now();
      hear(scanner.rest(nowMs));
      if (scanner.isScanning) {
        awaitRest(Math.min(scanner.restMs, Math.max(shortestRestMs, lastKeyAtMs + scanner.restMs - nowMs)));
      }
    });
  };

  /** The key after this one may be as long on its way as this one was. */
  const latenessOf = ({ timeStamp }: KeyboardEvent): number =>
    Math.min(Math.max(0, page.performance.now() - timeStamp), maxPatienceMs);

  const onKeyDown = (event: KeyboardEvent): void => {
    // What the held keys ask for goes through the page as keys of its own; only the browser's are anybody's.
    if (event.isComposing || !event.isTrusted) {
      return;
    }
    const press = pressOf(event);
    const { ended, verdict, heard } = scanner.press(press);
    onKey?.({
      ...press,
      isControl: event.ctrlKey,
      verdict: verdict.kind,
      isInField: isTextField(page.document.activeElement),
    });
    hear(ended);
    lastKeyAtMs = event.timeStamp;
    scanTimer.stop();
    switch (verdict.kind) {
      case 'pass':
        held.release(scanner.gathering - (verdict.isGathered ? 1 : 0)); // 5
        if (event.repeat && kept.has(event.code)) {
          keep(event); // 1, 3
          break;
        }
        kept.delete(event.code);
        if (verdict.isGathered) {
          gather(event);
        }
        break;
      case 'recognise':
        keep(event);
        heldTimer.stop();
        held.drop();
        takeBack(verdict.takesBack);
        break;
      case 'swallow':
        keep(event);
        break;
      case 'scan':
        keep(event);
        heldTimer.stop();
        held.drop();
        hear(heard);
        break;
    }
    if (scanner.isScanning) {
      awaitRest(scanner.restMs + latenessOf(event));
    }
  };

  const onKeyUp = (event: KeyboardEvent): void => {
    if (event.isTrusted && kept.delete(event.code)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  };

  /**
   * The focus may move with the very key: what is about to receive it is known only now (2). And within a scan nothing
   * else may write, not even a character that came by its code.
   */
  const onBeforeInput = (event: InputEvent): void => {
    if (scanner.isScanning && !event.isComposing && event.inputType === 'insertText') {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else if (gathered.length > 0 && gathered.at(-1) === null && isTextField(event.target)) {
      gathered = [...gathered.slice(0, -1), readField(event.target)];
    }
  };

  const onPointerDown = ({ isTrusted }: PointerEvent): void => {
    if (isTrusted) {
      scanner.point();
    }
  };

  page.addEventListener('keydown', onKeyDown, true);
  page.addEventListener('keyup', onKeyUp, true);
  page.addEventListener('beforeinput', onBeforeInput, true);
  page.addEventListener('pointerdown', onPointerDown, true);
  return () => {
    scanTimer.stop();
    heldTimer.stop();
    held.release();
    page.removeEventListener('keydown', onKeyDown, true);
    page.removeEventListener('keyup', onKeyUp, true);
    page.removeEventListener('beforeinput', onBeforeInput, true);
    page.removeEventListener('pointerdown', onPointerDown, true);
    hear(scanner.rest(Number.POSITIVE_INFINITY));
  };
}
