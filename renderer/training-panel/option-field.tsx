import { NativeSelect, Switch, TextInput } from '@mantine/core';
import { useState, type ReactElement, type ReactNode } from 'react';
import type { Choice, Measure, OptionValue } from '../../app/contract/training-panel.ts';
import { useWords } from '../stores/context.tsx';

interface OptionFieldProps {
  readonly label: ReactNode;
  readonly description?: ReactNode;
  readonly option: Choice | Measure;
  readonly value: OptionValue | undefined;
  readonly send: (value: OptionValue) => Promise<void>;
}

/** A switch, a choice or a number, as the option is; a number is sent when it is left or Enter is pressed. */
export function OptionField({ option, value, send, ...rest }: OptionFieldProps): ReactElement {
  const { t } = useWords();
  /** The typed or chosen value, until the platform has answered. */
  const [draft, setDraft] = useState<string | null>(null);
  const text = draft ?? String(value);
  const commit = async (chosen: string, read: (text: string) => OptionValue): Promise<void> => {
    setDraft(chosen);
    await send(read(chosen));
    setDraft((now) => (now === chosen ? null : now));
  };
  if ('from' in option) {
    const commitTyped = (): void => {
      if (draft !== null && draft !== '') {
        void commit(draft, Number);
      } else {
        setDraft(null);
      }
    };
    return (
      <TextInput
        {...rest}
        className="option-field"
        size="md"
        type="number"
        min={option.from}
        max={option.to}
        value={text}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onBlur={commitTyped}
        onKeyDown={(event) => event.key === 'Enter' && commitTyped()}
      />
    );
  }
  return option.of.every((one) => typeof one === 'boolean') ? (
    <Switch
      {...rest}
      className="option-field"
      labelPosition="left"
      onLabel={t('trainingPanel.on')}
      offLabel={t('trainingPanel.off')}
      checked={text === 'true'}
      onChange={(event) => void commit(String(event.currentTarget.checked), (chosen) => chosen === 'true')}
    />
  ) : (
    <NativeSelect
      {...rest}
      className="option-field"
      size="md"
      data={option.of.map(String)}
      value={text}
      onChange={(event) => void commit(event.currentTarget.value, String)}
    />
  );
}
