import type { ReactElement, RefObject } from 'react';
import { typeInto } from '../dom/fields.ts';
import { useWords } from '../stores/context.tsx';
import { BackspaceIcon } from './icons.tsx';

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', 'delete'] as const;
const beforeZero = keys.indexOf('0');

interface KeypadProps {
  readonly of: 'pin' | 'station';
  readonly iconSize: number;
  readonly isHeld?: boolean;
  /** A press is meant for the end of the text, wherever the caret is, as in bullets that stand for a PIN. */
  readonly isAtEnd?: boolean;
  /** Of decimals, where there may be some. */
  readonly mark?: string;
  readonly field: RefObject<HTMLInputElement | null>;
}

/** Digits to be typed by touch; a keyboard types into the field, which keeps the focus. */
export function Keypad({ of, iconSize, isHeld = false, isAtEnd = false, mark, field }: KeypadProps): ReactElement {
  const { t } = useWords();
  return (
    <div className={`${of}-pad`} data-has-mark={mark === undefined ? undefined : ''}>
      {(mark === undefined ? keys : [...keys.slice(0, beforeZero), mark, ...keys.slice(beforeZero)]).map((key) => (
        <button
          key={key}
          type="button"
          className={`${of}-key`}
          data-key={key}
          data-mantine-stop-propagation="true"
          tabIndex={-1}
          disabled={isHeld}
          aria-label={key === 'delete' ? t('lock.pin.delete') : undefined}
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            if (field.current !== null) {
              if (isAtEnd) {
                field.current.setSelectionRange(field.current.value.length, field.current.value.length);
              }
              typeInto(field.current, key === 'delete' ? '' : key);
            }
          }}
        >
          {key === 'delete' ? <BackspaceIcon size={iconSize} /> : key}
        </button>
      ))}
    </div>
  );
}

/** The digits of an amount, where a finger is what points: such a till may have no keyboard. */
export function AmountPad({ mark, field }: Required<Pick<KeypadProps, 'mark' | 'field'>>): ReactElement {
  return (
    <div className="amount-pad">
      <Keypad of="pin" iconSize={26} mark={mark} field={field} />
    </div>
  );
}
