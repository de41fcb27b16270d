import { Modal } from '@mantine/core';
import type { ReactElement } from 'react';
import { useTerminal, useWords } from '../stores/context.tsx';
import { SignInForm } from './sign-in-form.tsx';

interface SignInDialogProps {
  readonly isOpen: boolean;
  readonly close: () => void;
}

/** Over the screen at which the session ended, which stays. */
export function SignInDialog({ isOpen, close }: SignInDialogProps): ReactElement {
  const { t } = useWords();
  // Any other reason stands in the form.
  const hasEnded = useTerminal(({ session }) => session.state === 'ended');
  return (
    <Modal opened={isOpen} onClose={close} title={t('shell.ended.again')}>
      {hasEnded && <p className="lead dialog-lead">{t('shell.ended.title')}</p>}
      <SignInForm onSignedIn={close} />
    </Modal>
  );
}
