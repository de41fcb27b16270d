import { Button, TextInput } from '@mantine/core';
import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ReactElement,
  type ReactNode,
  type SubmitEvent,
} from 'react';
import { pinLength } from '../../app/contract/limits/lock.ts';
import { scannerLimits } from '../../app/contract/limits/scanner.ts';
import { noDigits, type EarlyDigits } from '../cashiers/early-pin.ts';
import { useStores, useWords } from '../stores/context.tsx';
import { formatSeconds } from '../formats/times.ts';
import { later, pageNow, useSecondsUntil } from '../dom/clock.ts';
import { widestPauseMs } from '../scanner/scan-answers.ts';
import { Keypad } from '../ui/keypad.tsx';

const bullet = '•';
/** Longer than a scanner pauses within a code. */
const scanRestMs = widestPauseMs + 100;

interface PinEntryProps {
  /** Digits; the manager's PIN unless told. */
  readonly length?: { readonly atLeast: number; readonly atMost: number };
  readonly label: string;
  /** The words of the button that hands it on. */
  readonly action: string;
  /** With so many digits it is handed on by itself, and there is no button for it; null where that is not known. */
  readonly wholeAt?: number | null;
  /** Why the last one was not taken; null when there is nothing to say. */
  readonly problem: string | null;
  /** No PIN can be tried before then, in milliseconds since 1970. */
  readonly waitUntil: number | null;
  readonly isWorking: boolean;
  /** Takes the digits that were typed before there was this field, to be asked for once. */
  readonly takeEarly?: () => EarlyDigits;
  readonly children?: ReactNode;
  readonly onPin: (pin: string) => void;
  /** There is a button for it where this is given, and Escape does the same. */
  readonly onCancel?: () => void;
}

/** The digits that a text of bullets and typed characters stands for, given those that the bullets hide. */
function digitsOf(text: string, before: string, atMost: number): string {
  const kept = [...text].filter((character) => character === bullet).length;
  return (before.slice(0, kept) + text.replaceAll(/[^0-9]/g, '')).slice(0, atMost);
}

/** Hands a PIN on as soon as it has so many digits. Answers when each was typed, as far as that was seen. */
function useWhole(pin: string, wholeAt: number | null, handOn: () => void): { current: readonly number[] } {
  const typedAtMs = useRef<readonly number[]>([]);
  useEffect(() => {
    if (pin === '') {
      return undefined;
    }
    typedAtMs.current = [...typedAtMs.current, pageNow()].slice(-pin.length);
    if (pin.length !== wholeAt) {
      return undefined;
    }
    // Digits that came at a scanner's pace may be the first of a code, of which the rest is on its way.
    const isByScanner = typedAtMs.current.some(
      (atMs, place, all) => atMs - (all[place - 1] ?? -Infinity) < scannerLimits.meanGapMs.max,
    );
    if (isByScanner) {
      return later(scanRestMs, handOn);
    }
    handOn();
    return undefined;
    // oxlint-disable-next-line react/exhaustive-deps -- once for each PIN that is whole
  }, [pin]);
  return typedAtMs;
}

/** Escape gives up, where there is a way. */
function useEscape(onCancel: (() => void) | undefined): void {
  useEffect(() => {
    if (onCancel === undefined) {
      return undefined;
    }
    const cancel = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) {
        event.preventDefault();
        onCancel();
      }
    };
    window.addEventListener('keydown', cancel, true);
    return () => window.removeEventListener('keydown', cancel, true);
  }, [onCancel]);
}

function useTyped(isTyped: boolean): void {
  const { pin } = useStores();
  useEffect(() => {
    const { noteTyped } = pin.getState();
    noteTyped(isTyped);
    return () => noteTyped(false);
  }, [pin, isTyped]);
}

/** The field, the pad and the buttons. */
export function PinEntry({
  length = pinLength,
  label,
  action,
  wholeAt = null,
  problem,
  waitUntil,
  isWorking,
  takeEarly,
  children,
  onPin,
  onCancel,
}: PinEntryProps): ReactElement {
  const { t, language } = useWords();
  const field = useRef<HTMLInputElement>(null);
  const problemId = useId();
  const waitS = useSecondsUntil(waitUntil);
  const isHeld = isWorking || waitS !== null;
  const atMost = wholeAt ?? length.atMost;
  const [pin, setPin] = useState('');
  const isWhole = pin.length >= (wholeAt ?? length.atLeast);
  // The digits themselves are handed on; that they were typed is seen until the answer is there.
  const [sent, setSent] = useState(0);

  const handOn = (): void => {
    if (isWhole && !isHeld) {
      setSent(pin.length);
      setPin('');
      onPin(pin);
    }
  };
  const typedAtMs = useWhole(pin, wholeAt, handOn);

  // Before this field has the keyboard: until then the digits go to the other one.
  useLayoutEffect(() => {
    const early = takeEarly?.() ?? noDigits;
    if (early.digits !== '' && !isHeld) {
      setPin(early.digits.slice(0, atMost));
      // The last one is the one that is seen to come.
      typedAtMs.current = early.typedAtMs.slice(0, -1);
    }
    // oxlint-disable-next-line react/exhaustive-deps -- once
  }, []);
  useLayoutEffect(() => {
    if (!isHeld) {
      field.current?.focus();
    }
  }, [isHeld]);
  // Typed digits go in after the last bullet, wherever the cursor was.
  useLayoutEffect(() => field.current?.setSelectionRange(pin.length, pin.length), [pin]);

  useEscape(onCancel);
  useTyped(pin !== '');

  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    handOn();
  };

  return (
    <form className="pin-entry" noValidate autoComplete="off" onSubmit={submit}>
      <div className="pin-words stack-3">
        {children}
        <TextInput
          ref={field}
          data-autofocus
          data-takes-digits={atMost}
          // Of two dialogs, Escape closes the upper one.
          data-mantine-stop-propagation="true"
          className="pin-field"
          label={label}
          description={
            wholeAt === null
              ? t('lock.pin.digits', { min: length.atLeast, max: length.atMost })
              : t('lock.pin.lastDigit')
          }
          aria-describedby={problemId}
          spellCheck={false}
          inputMode="none"
          readOnly={isHeld}
          value={bullet.repeat(isWorking ? sent : pin.length)}
          onChange={(event) => setPin(digitsOf(event.currentTarget.value, pin, atMost))}
        />
        <p className="pin-problem" id={problemId} role="status">
          {problem}
        </p>
        <p className="pin-wait" role="timer" aria-live="off">
          {waitS !== null && t('lock.pin.wait', { time: formatSeconds(waitS, language) })}
        </p>
        {(onCancel !== undefined || wholeAt === null) && (
          <div className="form-actions">
            {onCancel !== undefined && (
              <Button size="lg" variant="default" data-mantine-stop-propagation="true" onClick={onCancel}>
                {t('ui.form.cancel')}
              </Button>
            )}
            {wholeAt === null && (
              <Button
                size="lg"
                type="submit"
                loading={isWorking}
                data-mantine-stop-propagation="true"
                disabled={!isWhole || waitS !== null}
              >
                {action}
              </Button>
            )}
          </div>
        )}
      </div>
      <Keypad of="pin" iconSize={26} isHeld={isHeld} isAtEnd field={field} />
    </form>
  );
}
