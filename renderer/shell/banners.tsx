import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { useStore } from 'zustand';
import {
  useCut,
  useIsSignedIn,
  useLateStore,
  useNavigation,
  useStores,
  useTerminal,
  useWords,
} from '../stores/context.tsx';
import { copyMomentOf } from '../formats/blocked-by.ts';
import { formatNumber } from '../formats/numbers.ts';
import { formatMoment, formatSpan } from '../formats/times.ts';
import { useNow } from '../dom/clock.ts';
import { CrossIcon, WarningIcon } from '../ui/icons.tsx';
import { HelpLink } from '../ui/help-link.tsx';
import { Notices } from '../ui/notices.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { createLeftPrinting } from '../labels/left-printing.ts';

const SignInDialog = lazyPart(async () => (await import('../sign-in/sign-in-dialog.tsx')).SignInDialog);

function textOf(reason: Failure | null): 'shell.ended.text' | 'shell.ended.locked' | 'shell.ended.stuck' {
  if (reason === null) {
    return 'shell.ended.text';
  }
  // Nobody need sign in for it.
  return reason.kind === 'vaultLocked' ? 'shell.ended.locked' : 'shell.ended.stuck';
}

/** Why what is sent waits for a sign-in, and the button for it. */
function SignInBand(): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const reason = useTerminal(({ session }) => (session.state === 'ended' ? null : session.failure));
  const title = reason === null ? t('shell.ended.title') : t(`failure.${reason.kind}.says`);
  const isPractice = useTerminal((state) => state.practice !== null);
  const { isSigningIn, signIn } = useNavigation((navigation) => navigation);
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  // The practice store's password is on no screen: the main process knows it.
  const practise = async (): Promise<void> => {
    setWorking(true);
    const signedIn = await bridge.call('practice:signIn', {});
    setWorking(false);
    setFailure(signedIn.ok ? null : signedIn.failure);
  };

  return (
    <div className="band line-3" data-kind="warn">
      <WarningIcon size={22} />
      <p>
        <strong>{title}</strong> {t(textOf(reason))}
      </p>
      {reason !== null && <HelpLink sentence={title} />}
      <Button
        size="sm"
        className="band-button"
        loading={isWorking}
        onClick={() => (isPractice ? void practise() : signIn(true))}
      >
        {t('shell.ended.again')}
      </Button>
      <FailureNotice failure={failure} />
      <SignInDialog isOpen={isSigningIn} close={() => signIn(false)} />
    </div>
  );
}

/** Whose figures answer while nobody is signed in. */
function NotSignedInBand(): ReactElement {
  const { t, language } = useWords();
  const now = useNow();
  const moment = useTerminal((state) => copyMomentOf(state.catalogue.stocks));
  const cut = useCut();
  return (
    <div className="band line-3" data-kind="info">
      <WarningIcon size={22} />
      <p>
        <strong>
          {moment === null
            ? t('lookup.notSignedIn.begun')
            : t('lookup.notSignedIn.title', { moment: formatMoment(moment, now, language) })}
        </strong>{' '}
        {t(cut === null ? 'lookup.notSignedIn.text' : `signIn.${cut}.alone`)}
      </p>
    </div>
  );
}

/** Whoever compares a time on the screen with the one on the wall learns why they differ. */
function ClockBand(): ReactElement | null {
  const { t, language } = useWords();
  const aheadMs = useTerminal((state) => state.clockAheadMs);
  if (aheadMs === null) {
    return null;
  }
  const span = formatSpan(Math.abs(aheadMs), language);
  return (
    <div className="band line-3" data-kind="info">
      <WarningIcon size={22} />
      <p>
        <strong>{t(aheadMs > 0 ? 'shell.clock.ahead' : 'shell.clock.behind', { span })}</strong> {t('shell.clock.text')}
      </p>
    </div>
  );
}

/** Where a printing stopped whose dialog went, as when the till locked itself. */
function LeftPrintingBand(): ReactElement | null {
  const { t, language } = useWords();
  const { left, note } = useStore(useLateStore(createLeftPrinting));
  if (left === null) {
    return null;
  }
  const { done, of, unsure } = left;
  const write = (figure: number): string => formatNumber(figure, language);
  return (
    <div className="band line-3" data-kind="warn">
      <WarningIcon size={22} />
      <p>
        {t('labels.left', { done: write(done), of: write(of) })}{' '}
        {unsure > done && t('labels.unsure', { from: write(done + 1), to: write(unsure) })}
      </p>
      <button type="button" className="icon-button" aria-label={t('ui.form.dismiss')} onClick={() => note(null)}>
        <CrossIcon size={20} />
      </button>
    </div>
  );
}

/** All bars that apply now. */
export function Bands(): ReactElement {
  const { t } = useWords();
  const session = useTerminal((state) => state.session);
  const isSignInNeeded = useTerminal((state) => state.connection.state === 'signIn');
  const isSafeMode = useTerminal((state) => state.isSafeMode);
  const isSignedIn = useIsSignedIn();
  const [isMemorySeen, setMemorySeen] = useState(false);
  return (
    <div className="bands" aria-live="polite">
      {isSafeMode && (
        <div className="band line-3" data-kind="warn">
          <WarningIcon size={22} />
          <p>
            <strong>{t('support.safeMode.title')}</strong> {t('support.safeMode.text')}
          </p>
        </div>
      )}
      {!isSignedIn && <NotSignedInBand />}
      {isSignedIn && isSignInNeeded && <SignInBand />}
      <ClockBand />
      <LeftPrintingBand />
      {session.state === 'signedIn' && session.keptIn === 'memory' && !isMemorySeen && (
        <div className="band line-3" data-kind="info">
          <WarningIcon size={22} />
          <p>{t('shell.session.inMemory')}</p>
          <button
            type="button"
            className="icon-button"
            aria-label={t('ui.form.dismiss')}
            onClick={() => setMemorySeen(true)}
          >
            <CrossIcon size={20} />
          </button>
        </div>
      )}
      <Notices
        saidAbove={isSignedIn && isSignInNeeded && session.failure?.kind === 'vaultLocked' ? 'vaultLocked' : null}
      />
    </div>
  );
}
