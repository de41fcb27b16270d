import { Button, Modal, PasswordInput } from '@mantine/core';
import { useState, type ReactElement, type SubmitEvent } from 'react';
import { useWords } from '../stores/context.tsx';
import type { LeftOut, SecretKind } from './left-out.ts';

interface FileSecretsProps {
  readonly leftOut: readonly LeftOut[];
  readonly close: () => void;
  /** One for each that is left out. */
  readonly fill: (secrets: readonly string[]) => void;
}

/** Asks for the secrets that a file of another till leaves out. */
export function FileSecrets({ leftOut, close, fill }: FileSecretsProps): ReactElement {
  const { t } = useWords();
  const [typed, setTyped] = useState(leftOut.map(() => ''));
  const isWhole = !typed.includes('');
  const labels: Readonly<Record<SecretKind, string>> = {
    clientSecret: t('signIn.connect.clientSecret.label'),
    pin: t('lock.pin.title'),
    address: t('hub.address'),
  };
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isWhole) {
      fill(typed);
    }
  };
  return (
    <Modal opened onClose={close} title={t('signIn.openFile.leftOut')} size={560}>
      <form className="form" noValidate autoComplete="off" onSubmit={submit}>
        {leftOut.map(({ kind, of }, place) => (
          <PasswordInput
            key={place}
            size="lg"
            label={[labels[kind], ...of].join(' · ')}
            data-autofocus={place === 0 ? true : undefined}
            maxLength={2000}
            value={typed[place]}
            onChange={({ currentTarget: { value } }) => setTyped((before) => before.with(place, value.trim()))}
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
