import type { ReactElement, RefObject, SubmitEvent } from 'react';
import { useWords } from '../stores/context.tsx';
import { Keypad } from '../ui/keypad.tsx';

interface StationKeypadProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly typed: string;
  readonly type: (typed: string) => void;
  readonly find: (text: string) => void;
}

/** A code typed by touch, or on a keyboard where there is one. */
export function StationKeypad({ field, typed, type, find }: StationKeypadProps): ReactElement {
  const { t } = useWords();
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (typed.trim() !== '') {
      find(typed);
    }
  };
  return (
    <form className="station-keypad stack-4" noValidate autoComplete="off" onSubmit={submit}>
      <label className="station-field stack-2">
        <span>{t('station.field')}</span>
        <input
          ref={field}
          type="text"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          inputMode="none"
          value={typed}
          onChange={(event) => type(event.currentTarget.value)}
        />
      </label>
      <Keypad of="station" iconSize={32} field={field} />
      <button type="submit" className="station-find" aria-disabled={typed.trim() === ''}>
        {t('station.find')}
      </button>
    </form>
  );
}
