import { Textarea, TextInput } from '@mantine/core';
import {
  useEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
} from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { useStores } from '../stores/context.tsx';
import { FailureNotice } from './failure-text.tsx';

interface SettingFieldProps {
  readonly label: ReactNode;
  readonly description?: string | undefined;
  readonly kept: string;
  /** What is wrong with the text; undefined for one that can be saved. */
  readonly wrong?: (text: string) => string | undefined;
  readonly save: (text: string) => unknown;
  /** Why the last text was not saved. */
  readonly failure?: Failure | null;
  readonly isFigure?: boolean;
  readonly hasLines?: boolean;
  readonly maxLength?: number;
  readonly autoFocus?: boolean;
  readonly className?: string;
  readonly 'data-control'?: string;
  /** After Enter or Escape, whatever became of the text. */
  readonly onDone?: () => void;
}

/**
 * A text that is saved when the field is left or Enter is pressed; Escape brings the kept one back. What is wrong stays
 * to be mended, and is not saved. It is no draft: a page that was read anew shows what is kept.
 */
export function SettingField({
  kept,
  wrong,
  save,
  failure = null,
  isFigure = false,
  hasLines = false,
  onDone,
  ...field
}: SettingFieldProps): ReactElement {
  const { settings } = useStores();
  const [typed, setTyped] = useState<string | null>(null);
  /** Whether the text was left, or Enter was pressed. */
  const [isLeft, setLeft] = useState(false);
  const text = typed ?? kept;
  const error = wrong?.(text);
  // A field that goes while it is typed into is left, too; unless it goes because another person or shop comes.
  const leave = useRef((): void => undefined);
  const giveUp = (): void => {
    leave.current = () => undefined;
    setTyped(null);
  };
  const keep = (): void => {
    if (typed !== null && error === undefined) {
      giveUp();
      if (typed.trim() !== kept) {
        save(typed.trim());
      }
    }
  };
  useEffect(() => {
    leave.current = keep;
    // What was wrong when it was left may have become right beside another figure.
    if (isLeft) {
      keep();
    }
  });
  useEffect(() => {
    const isHere = settings.getState().visit();
    return () => {
      if (isHere()) {
        leave.current();
      }
    };
  }, [settings]);

  const shared = {
    ...field,
    // Whoever still types is not interrupted. An alert is heard when it comes.
    error:
      error === undefined ? undefined : (
        <span key={String(isLeft)} {...(isLeft ? { role: 'alert' } : {})}>
          {error}
        </span>
      ),
    autoComplete: 'off',
    autoCapitalize: 'off',
    spellCheck: false,
    value: text,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      setLeft(false);
      setTyped(event.currentTarget.value);
    },
    onBlur: ({ currentTarget }: FocusEvent<HTMLElement>) => {
      // Where the window alone loses the focus, somebody comes back to half a text.
      if (document.activeElement !== currentTarget) {
        keep();
        setLeft(true);
      }
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.nativeEvent.isComposing) {
        return;
      }
      if (event.key === 'Enter' && !hasLines) {
        // Else the key would press the button that takes the field's place.
        event.preventDefault();
        keep();
        setLeft(true);
        onDone?.();
      } else if (event.key === 'Escape' && (typed !== null || onDone !== undefined)) {
        event.stopPropagation();
        giveUp();
        onDone?.();
      }
    },
  };
  return (
    <>
      {hasLines ? (
        <Textarea size="lg" autosize minRows={2} maxRows={8} {...shared} />
      ) : (
        <TextInput {...shared} {...(isFigure ? { inputMode: 'numeric' } : {})} />
      )}
      <FailureNotice failure={failure} />
    </>
  );
}
