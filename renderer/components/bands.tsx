// Owns the calm bars above every screen: what a person must be told once, that a technician has started the app in safe mode, a sign-in that has ended, and a sign-in that
// lasts only until the app closes. Never blocks the work below.
import { Button, Modal } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { useStores, useTerminal, useWords } from '../context.tsx';
import { CrossIcon, WarningIcon } from './icons.tsx';
import { Notices } from './notices.tsx';
import { FailureNotice } from './failure-text.tsx';
import { SignInForm } from './sign-in-form.tsx';

function EndedBand(): ReactElement {
  const { t } = useWords();
  const { wall } = useStores();
  const isPractice = useTerminal((state) => state.practice !== null);
  const [isOpen, setOpen] = useState(false);
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  // The practice store's password is on no screen: the main process knows it.
  const practise = async (): Promise<void> => {
    setWorking(true);
    const signedIn = await wall.call('practice:signIn', {});
    setWorking(false);
    setFailure(signedIn.ok ? null : signedIn.failure);
  };

  return (
    <div className="band" data-kind="warn">
      <WarningIcon size={22} />
      <p>
        <strong>{t('ended.title')}</strong> {t('ended.text')}
      </p>
      <Button size="sm" className="band-button" loading={isWorking} onClick={() => (isPractice ? void practise() : setOpen(true))}>
        {t('ended.again')}
      </Button>
      <FailureNotice failure={failure} />
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={t('ended.again')} closeButtonProps={{ 'aria-label': t('form.close') }}>
        <p className="lead dialog-lead">{t('ended.title')}</p>
        <SignInForm onSignedIn={() => setOpen(false)} />
      </Modal>
    </div>
  );
}

/** All bars that apply now. */
export function Bands(): ReactElement {
  const { t } = useWords();
  const session = useTerminal((state) => state.session);
  const isSafeMode = useTerminal((state) => state.isSafeMode);
  const [isMemorySeen, setMemorySeen] = useState(false);
  return (
    <div className="bands" aria-live="polite">
      {isSafeMode && (
        <div className="band" data-kind="warn">
          <WarningIcon size={22} />
          <p>
            <strong>{t('support.safeMode.title')}</strong> {t('support.safeMode.text')}
          </p>
        </div>
      )}
      {session.state === 'ended' && <EndedBand />}
      {session.state === 'signedIn' && session.keptIn === 'memory' && !isMemorySeen && (
        <div className="band" data-kind="info">
          <WarningIcon size={22} />
          <p>{t('session.inMemory')}</p>
          <button type="button" className="icon-button" aria-label={t('form.dismiss')} onClick={() => setMemorySeen(true)}>
            <CrossIcon size={20} />
          </button>
        </div>
      )}
      <Notices />
    </div>
  );
}
