// Owns the scanner's place in the page: listens to every key before anybody else, asks scanner.ts, keeps a scan's keys from
// the page and takes back the few that fields received before it was known. Never decides what is a scan.
import { createScanner, scannerDefaults, type ScannerSettings } from './scanner.ts';

type TextField = HTMLInputElement | HTMLTextAreaElement;

interface FieldBefore {
  readonly field: TextField;
  readonly value: string;
}

const textTypes = new Set(['text', 'search', 'password', 'email', 'url', 'tel', 'number']);

/** True for what a person can type into. */
export function isTextField(element: Element | null): element is TextField {
  return element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && textTypes.has(element.type));
}

/** Writes a value so that React sees it, as if it had been typed. */
function writeValue({ field, value }: FieldBefore): void {
  if (field.value === value) {
    return;
  }
  const prototype = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** True when the focused field asks for scans, by `data-takes-scans`, and has received this one. */
export function scanInto(element: Element | null, text: string): boolean {
  if (!isTextField(element) || element.dataset['takesScans'] === undefined) {
    return false;
  }
  writeValue({ field: element, value: text });
  return true;
}

/** Watches the page's keys until the answered function is called; `onScan` gets each scan's text, once. */
export function watchScanner(page: Window, onScan: (text: string) => void, settings: ScannerSettings = scannerDefaults): () => void {
  const scanner = createScanner(settings);
  // For each key that may turn out to be a scan's: the field that was about to receive it, as it stood then.
  let gathered: (FieldBefore | null)[] = [];
  // Keys whose press was kept from the page; their release must be, too: a button acts when the space bar is released.
  const kept = new Set<string>();
  let timer: number | undefined;

  const remember = (): void => {
    const field = page.document.activeElement;
    gathered = [...gathered.slice(1 - settings.charactersAtLeast), isTextField(field) ? { field, value: field.value } : null];
  };

  const takeBack = (count: number): void => {
    const fields = gathered.slice(-count).filter((before) => before !== null);
    // Only the earliest state of a field: each writing draws it and searches for what it holds.
    fields.filter((before, place) => fields.findIndex(({ field }) => field === before.field) === place).forEach(writeValue);
    gathered = [];
  };

  const keep = (event: KeyboardEvent): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
    kept.add(event.code);
  };

  const onRest = (): void => {
    const text = scanner.rest(page.performance.now());
    if (text !== null) {
      onScan(text);
    } else if (scanner.isScanning) {
      timer = page.setTimeout(onRest, settings.silenceMs);
    }
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) {
      return;
    }
    const { verdict, ended } = scanner.press({
      key: event.key,
      atMs: event.timeStamp,
      isRepeat: event.repeat,
      // AltGr is how many keyboards write "]" or "\"; it arrives as control and alt together.
      isChord: (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState('AltGraph'),
      isAlt: event.altKey && !event.ctrlKey && !event.metaKey && !event.getModifierState('AltGraph'),
    });
    if (ended !== null) {
      onScan(ended);
    }
    page.clearTimeout(timer);
    switch (verdict.kind) {
      case 'pass':
        if (verdict.isGathered) {
          remember();
        }
        break;
      case 'recognise':
        keep(event);
        takeBack(verdict.gathered);
        break;
      case 'swallow':
        keep(event);
        break;
      case 'scan':
        keep(event);
        onScan(verdict.text);
        break;
    }
    if (scanner.isScanning) {
      timer = page.setTimeout(onRest, settings.silenceMs);
    }
  };

  const onKeyUp = (event: KeyboardEvent): void => {
    if (kept.delete(event.code)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  };

  page.addEventListener('keydown', onKeyDown, true);
  page.addEventListener('keyup', onKeyUp, true);
  return () => {
    page.clearTimeout(timer);
    page.removeEventListener('keydown', onKeyDown, true);
    page.removeEventListener('keyup', onKeyUp, true);
  };
}
