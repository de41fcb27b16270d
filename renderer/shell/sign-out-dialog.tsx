import { Button, Modal } from '@mantine/core';
import { useEffect, useState, type ReactElement } from 'react';
import { canLookUp } from '../../app/contract/access.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { cutOf } from '../formats/blocked-by.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';

interface SignOutDialogProps {
  readonly isOpen: boolean;
  readonly close: () => void;
}

/** What becomes of the changes and of looking up. */
function Consequences(): ReactElement {
  const { t } = useWords();
  const queue = useTerminal((state) => state.queue);
  const email = useTerminal((state) => state.session.email);
  const hasPin = useTerminal(({ cashiers, session }) => cashiers.users.some((user) => user.email === session.email));
  const cut = useTerminal(cutOf);
  const goesOn = useTerminal((state) => canLookUp({ ...state, phase: 'signIn' }));
  const unsent = queue.pending + queue.inFlight;
  return (
    <>
      <p className="dialog-figure" data-level={unsent + queue.parked > 0 ? 'warn' : 'good'}>
        {unsent > 0
          ? t('shell.signOut.unsent', { count: unsent })
          : t(queue.parked > 0 ? 'shell.signOut.noneWaits' : 'shell.signOut.allSent')}
      </p>
      <p>
        {unsent > 0
          ? t('shell.signOut.whatHappens', { count: unsent, email: email ?? '' })
          : t('shell.signOut.nothingLost')}
      </p>
      {hasPin && <p>{t('shell.signOut.lockInstead')}</p>}
      {queue.parked > 0 && <p>{t('shell.signOut.parked', { count: queue.parked })}</p>}
      {cut !== null && (
        <p className="notice" data-kind="warn">
          {t(`shell.signOut.${cut}.${goesOn ? 'lookup' : 'alone'}`)}
        </p>
      )}
      {cut === null && goesOn && <p>{t('shell.signOut.lookup')}</p>}
    </>
  );
}

/** The dialog; `close` leaves everything as it is. The practice store is left with its sign-out. */
export function SignOutDialog({ isOpen, close }: SignOutDialogProps): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const email = useTerminal((state) => state.session.email);
  const isPractice = useTerminal((state) => state.practice !== null);
  const isCut = useTerminal((state) => state.practice === null && cutOf(state) !== null);
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  const signOut = async (): Promise<void> => {
    setWorking(true);
    const answer = await bridge.call('session:signOut', {});
    if (!answer.ok) {
      setWorking(false);
      setFailure(answer.failure);
    }
  };
  // Not with the answer, which comes before the state: a scan that waits would still be made by who has gone.
  useEffect(() => {
    setWorking(false);
    setFailure(null);
    close();
    // oxlint-disable-next-line react/exhaustive-deps -- once for each person
  }, [email]);

  return (
    <Modal opened={isOpen} onClose={close} title={t(isPractice ? 'practice.leaveTitle' : 'shell.signOut.title')}>
      <div className="dialog">
        {isPractice ? <p>{t('practice.leaveAbout')}</p> : <Consequences />}
        <FailureNotice failure={failure} />
        {/* Without a network nobody signs in again: what looks like the way on is to stay. */}
        <div className="form-actions">
          <Button size="lg" variant={isCut ? 'filled' : 'default'} onClick={close} data-autofocus>
            {t('shell.signOut.stay')}
          </Button>
          <Button size="lg" variant={isCut ? 'default' : 'filled'} loading={isWorking} onClick={() => void signOut()}>
            {t(isPractice ? 'practice.leaveNow' : 'shell.signOut.button')}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
