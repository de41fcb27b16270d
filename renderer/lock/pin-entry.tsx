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
import { pinLength } from '../../app/contract/limits.ts';
import { useWords } from '../stores/context.tsx';
import { formatSeconds } from '../formats/times.ts';
import { useSecondsUntil } from '../dom/clock.ts';
import { Keypad } from '../ui/keypad.tsx';

const bullet = '•';

interface PinEntryProps {
  /** Digits; the manager's PIN unless told. */
  readonly length?: { readonly atLeast: number; readonly atMost: number };
  readonly label: string;
  readonly action: string;
  /** The words of the button that cancels; "Cancel" unless told. */
  readonly back?: string;
  /** Why the last one was not taken; null when there is nothing to say. */
  readonly problem: string | null;
  /** No PIN can be tried before then, in milliseconds since 1970. */
  readonly waitUntil: number | null;
  readonly isWorking: boolean;
  readonly children?: ReactNode;
  readonly onPin: (pin: string) => void;
  readonly onCancel: () => void;
}

/** The digits that a text of bullets and typed characters stands for, given those that the bullets hide. */
function digitsOf(text: string, before: string, atMost: number): string {
  const kept = [...text].filter((character) => character === bullet).length;
  return (before.slice(0, kept) + text.replaceAll(/[^0-9]/g, '')).slice(0, atMost);
}

/** The field, the pad and the two buttons. */
export function PinEntry({
  length = pinLength,
  label,
  action,
  back,
  problem,
  waitUntil,
  isWorking,
  children,
  onPin,
  onCancel,
}: PinEntryProps): ReactElement {
  const { t, language } = useWords();
  const [pin, setPin] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const problemId = useId();
  const waitS = useSecondsUntil(waitUntil);
  const isHeld = isWorking || waitS !== null;
  const isWhole = pin.length >= length.atLeast;

  useLayoutEffect(() => {
    if (!isHeld) {
      field.current?.focus();
    }
  }, [isHeld]);
  // What was typed goes in after the last bullet, wherever the cursor was.
  useLayoutEffect(() => field.current?.setSelectionRange(pin.length, pin.length), [pin]);

  useEffect(() => {
    const cancel = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) {
        event.preventDefault();
        onCancel();
      }
    };
    window.addEventListener('keydown', cancel, true);
    return () => window.removeEventListener('keydown', cancel, true);
  }, [onCancel]);

  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isWhole && !isHeld) {
      setPin('');
      onPin(pin);
    }
  };

  return (
    <form className="pin-entry" noValidate autoComplete="off" onSubmit={submit}>
      <div className="pin-words">
        {children}
        <TextInput
          ref={field}
          data-autofocus
          // Of two dialogs, Escape closes the upper one.
          data-mantine-stop-propagation="true"
          className="pin-field"
          label={label}
          description={t('pin.digits', { min: length.atLeast, max: length.atMost })}
          aria-describedby={problemId}
          autoComplete="off"
          spellCheck={false}
          inputMode="none"
          readOnly={isHeld}
          value={bullet.repeat(pin.length)}
          onChange={(event) => setPin(digitsOf(event.currentTarget.value, pin, length.atMost))}
        />
        <p className="pin-problem" id={problemId} role="status">
          {problem}
        </p>
        <p className="pin-wait" role="timer" aria-live="off">
          {waitS !== null && t('pin.wait', { time: formatSeconds(waitS, language) })}
        </p>
        <div className="form-actions">
          <Button size="lg" variant="default" data-mantine-stop-propagation="true" onClick={onCancel}>
            {back ?? t('pin.cancel')}
          </Button>
          <Button
            size="lg"
            type="submit"
            loading={isWorking}
            data-mantine-stop-propagation="true"
            disabled={!isWhole || waitS !== null}
          >
            {action}
          </Button>
        </div>
      </div>
      <Keypad
        of="pin"
        iconSize={26}
        isHeld={isHeld}
        press={(change) => setPin((before) => change(before).slice(0, length.atMost))}
      />
    </form>
  );
}
