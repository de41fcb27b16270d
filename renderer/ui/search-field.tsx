import { TextInput } from '@mantine/core';
import { useEffect, useRef, useState, type ReactElement, type RefObject } from 'react';
import { useWords } from '../stores/context.tsx';
import { enterList, useTypedInto } from '../dom/focus.ts';
import { later } from '../dom/clock.ts';
import { useShortcut } from '../stores/use-shortcut.ts';
import { ariaKeysOf } from '../stores/shortcuts.ts';
import { CrossIcon, SearchIcon } from './icons.tsx';

/** So long a person may pause while typing before the list follows. */
export const typingMs = 150;

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  /** The text that the list is narrowed to now. */
  readonly kept: string;
  readonly onChange: (text: string) => void;
  /** For whoever leads the focus back to it. */
  readonly field?: RefObject<HTMLInputElement | null>;
}

/** The field, with a cross that empties it. */
export function SearchField({ label, placeholder, kept, onChange, field }: SearchFieldProps): ReactElement {
  const { t } = useWords();
  const [text, setText] = useState(kept);
  const own = useRef<HTMLInputElement>(null);
  const input = field ?? own;
  useShortcut('search', () => input.current?.select());
  useTypedInto(input);
  // Taken off from elsewhere.
  useEffect(() => setText(kept), [kept]);
  useEffect(() => (text === kept ? undefined : later(typingMs, () => onChange(text))), [onChange, kept, text]);
  return (
    <TextInput
      ref={input}
      className="search-field"
      size="md"
      aria-label={label}
      aria-keyshortcuts={ariaKeysOf('search')}
      placeholder={placeholder}
      title={label}
      leftSection={<SearchIcon size={20} />}
      rightSection={
        text === '' ? undefined : (
          <button
            type="button"
            className="icon-button"
            aria-label={t('lookup.clear')}
            onClick={() => {
              // The cross goes with the text.
              input.current?.focus();
              setText('');
              onChange('');
            }}
          >
            <CrossIcon size={20} />
          </button>
        )
      }
      maxLength={200}
      spellCheck={false}
      value={text}
      onKeyDown={(event) => {
        if (event.key === 'ArrowDown' && !event.altKey && !event.nativeEvent.isComposing) {
          event.preventDefault();
          if (text !== kept) {
            // Nobody waits for the list to follow.
            onChange(text);
          }
          enterList(event.currentTarget);
        }
      }}
      onChange={(event) => {
        const typed = event.currentTarget.value;
        setText(typed);
        if (typed === '') {
          // Whoever leaves at once has taken it off all the same.
          onChange('');
        }
      }}
    />
  );
}
