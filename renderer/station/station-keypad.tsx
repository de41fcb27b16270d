import type { ReactElement, RefObject, SubmitEvent } from 'react';
import { useWords } from '../stores/context.tsx';
import { BackspaceIcon } from '../ui/icons.tsx';

const pad = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', 'delete'] as const;

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
    <form className="station-keypad" noValidate autoComplete="off" onSubmit={submit}>
      <label className="station-field">
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
      <div className="station-pad">
        {pad.map((key) => (
          <button
            key={key}
            type="button"
            className="station-key"
            data-key={key}
            // A keyboard types into the field, which keeps the focus.
            tabIndex={-1}
            aria-label={key === 'delete' ? t('pin.delete') : undefined}
            onPointerDown={(event) => event.preventDefault()}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => type(key === 'delete' ? typed.slice(0, -1) : typed + key)}
          >
            {key === 'delete' ? <BackspaceIcon size={32} /> : key}
          </button>
        ))}
      </div>
      <button type="submit" className="station-find" aria-disabled={typed.trim() === ''}>
        {t('station.find')}
      </button>
    </form>
  );
}
