import type { ReactElement } from 'react';
import type { LockKind } from '../../app/contract/lock.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { formatSeconds } from '../formats/times.ts';
import { useSecondsUntil } from '../dom/clock.ts';
import { LockIcon, UnlockedIcon } from './icons.tsx';

/** Whether this asks for the PIN now; `lock` is the lock's own choice. */
export function useIsLocked(kind: LockKind | 'lock'): boolean {
  return useTerminal(
    ({ lock }) => lock.hasPin && lock.openUntil === null && (kind === 'lock' || lock.kinds.includes(kind)),
  );
}

interface LockSignProps {
  readonly kind: LockKind | 'lock';
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
