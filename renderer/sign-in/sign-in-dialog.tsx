import { Modal } from '@mantine/core';
import type { ReactElement } from 'react';
import { useWords } from '../stores/context.tsx';
import { SignInForm } from './sign-in-form.tsx';

interface SignInDialogProps {
  readonly isOpen: boolean;
  readonly close: () => void;
}

/** Over the screen at which the session ended, which stays. */
export function SignInDialog({ isOpen, close }: SignInDialogProps): ReactElement {
  const { t } = useWords();
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={t('ended.again')}
      closeButtonProps={{ 'aria-label': t('form.close') }}
    >
      <p className="lead dialog-lead">{t('ended.title')}</p>
      <SignInForm onSignedIn={close} />
    </Modal>
  );
}
