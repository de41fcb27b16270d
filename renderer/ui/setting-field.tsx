import { Textarea, TextInput } from '@mantine/core';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactElement, type ReactNode } from 'react';
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
  /** After it was left, Enter or Escape, whatever became of its text. */
  readonly onLeave?: () => void;
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
  onLeave,
  ...field
}: SettingFieldProps): ReactElement {
  const { settings } = useStores();
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? kept;
  const error = wrong?.(text);
  // A field that goes while it is typed into is left, too; unless it goes because another person or store comes.
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
    error: error === undefined ? undefined : <span role="alert">{error}</span>,
    autoComplete: 'off',
    autoCapitalize: 'off',
    spellCheck: false,
    value: text,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => setTyped(event.currentTarget.value),
    onBlur: () => {
      keep();
      onLeave?.();
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.key === 'Enter' && !hasLines) {
        keep();
        onLeave?.();
      } else if (event.key === 'Escape' && (typed !== null || onLeave !== undefined)) {
        event.stopPropagation();
        giveUp();
        onLeave?.();
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
