import { Button, Modal, PasswordInput } from '@mantine/core';
import { useState, type ReactElement, type SubmitEvent } from 'react';
import { useWords } from '../stores/context.tsx';
import type { SecretKind } from './left-out.ts';

interface FileSecretsProps {
  readonly kinds: readonly SecretKind[];
  readonly close: () => void;
  readonly fill: (secrets: Readonly<Partial<Record<SecretKind, string>>>) => void;
}

/** Asks for the secrets that a file of another till leaves out. */
export function FileSecrets({ kinds, close, fill }: FileSecretsProps): ReactElement {
  const { t } = useWords();
  const [typed, setTyped] = useState<Readonly<Partial<Record<SecretKind, string>>>>({});
  const isWhole = kinds.every((kind) => (typed[kind] ?? '').trim() !== '');
  const labels: Readonly<Record<SecretKind, string>> = {
    clientSecret: t('signIn.connect.clientSecret.label'),
    pin: t('lock.pin.title'),
    hub: t('hub.address'),
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
        {kinds.map((kind, place) => (
          <PasswordInput
            key={kind}
            size="lg"
            label={labels[kind]}
            data-autofocus={place === 0 ? true : undefined}
            maxLength={2000}
            value={typed[kind] ?? ''}
            onChange={({ currentTarget: { value } }) => setTyped((before) => ({ ...before, [kind]: value.trim() }))}
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
