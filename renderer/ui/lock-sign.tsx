import type { ReactElement } from 'react';
import { isHeld } from '../../app/contract/access.ts';
import type { HeldKind } from '../../app/contract/lock.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { formatSeconds } from '../formats/times.ts';
import { useSecondsUntil } from '../dom/clock.ts';
import { LockIcon, UnlockedIcon } from './icons.tsx';

/** Whether this asks for the PIN now. */
export function useIsLocked(kind: HeldKind): boolean {
  return useTerminal(({ lock }) => isHeld(lock, kind) && !lock.openKinds.includes(kind));
}

interface LockSignProps {
  readonly kind: HeldKind;
  readonly size?: number;
}

/** A small padlock with its words, beside what is locked; nothing while it is not. */
export function LockSign({ kind, size = 20 }: LockSignProps): ReactElement | null {
  const { t } = useWords();
  const isLocked = useIsLocked(kind);
  return isLocked ? (
    <span className="lock-sign" title={t('lock.sign')}>
      <LockIcon size={size} />
      <span className="visually-hidden">{t('lock.sign')}</span>
    </span>
  ) : null;
}

/** While a PIN has opened something: for how long still, and with one touch it is locked again. */
export function LockNowButton(): ReactElement | null {
  const { t, language } = useWords();
  const { bridge } = useStores();
  const openUntil = useTerminal((state) => state.lock.openUntil);
  const seconds = useSecondsUntil(openUntil);
  return openUntil === null ? null : (
    <button type="button" className="lock-now" onClick={() => void bridge.call('lock:lockNow', {})}>
      <UnlockedIcon size={24} />
      <span>
        {t('lock.lockNow')}{' '}
        <span className="lock-now-time">{t('lock.openFor', { time: formatSeconds(seconds ?? 0, language) })}</span>
      </span>
    </button>
  );
}
