import type { ReactElement } from 'react';
import { isHeld } from '../../app/contract/access.ts';
import type { HeldKind } from '../../app/contract/lock.ts';
import { useTerminal, useWords } from '../stores/context.tsx';
import { LockIcon } from './icons.tsx';

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
