import { Button, Modal, PasswordInput } from '@mantine/core';
import { useState, type ReactElement, type SubmitEvent } from 'react';
import { pinLength } from '../../app/contract/limits/lock.ts';
import { useReturnedFocus } from '../dom/focus.ts';
import { useWords } from '../stores/context.tsx';
import type { LeftOut, SecretKind } from './left-out.ts';

interface FileSecretsProps {
  readonly leftOut: readonly LeftOut[];
  readonly close: () => void;
  /** One for each that is left out. */
  readonly fill: (secrets: readonly string[]) => void;
}

const pinDigits = new RegExp(`^\\d{${pinLength.atLeast},${pinLength.atMost}}$`);

/** Asks for the secrets that a file of another till leaves out. */
export function FileSecrets({ leftOut, close, fill }: FileSecretsProps): ReactElement {
  const { t } = useWords();
  useReturnedFocus();
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const words: Readonly<Record<SecretKind, string>> = {
    clientSecret: t('signIn.connect.clientSecret.label'),
    pin: t('lock.pin.title'),
    address: t('hub.address'),
  };
  // What has the same words is the same secret, and asked for once.
  const labels = leftOut.map(({ kind, of }) => [words[kind], ...of].join(' · '));
  const secrets = labels.map((label) => typed[label] ?? '');
  const isPin = (label: string): boolean => label === words.pin;
  const isWhole = labels.every((label, place) => (isPin(label) ? pinDigits : /./).test(secrets[place] ?? ''));
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isWhole) {
      fill(secrets);
    }
  };
  return (
    <Modal opened onClose={close} title={t('signIn.openFile.leftOut')} size={560}>
      <form className="form" noValidate autoComplete="off" onSubmit={submit}>
        {[...new Set(labels)].map((label, place) => (
          <PasswordInput
            key={label}
            label={label}
            description={
              isPin(label) ? t('lock.pin.digits', { min: pinLength.atLeast, max: pinLength.atMost }) : undefined
            }
            data-autofocus={place === 0 ? true : undefined}
            maxLength={2000}
            value={typed[label] ?? ''}
            onChange={({ currentTarget: { value } }) => setTyped((before) => ({ ...before, [label]: value.trim() }))}
            visibilityToggleButtonProps={{ 'aria-label': t('ui.form.reveal') }}
          />
        ))}
        <div className="form-actions">
          <Button type="submit" size="lg" disabled={!isWhole}>
            {t('signIn.connect.continue')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
