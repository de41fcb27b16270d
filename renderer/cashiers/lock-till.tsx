import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { ariaKeysOf } from '../stores/shortcuts.ts';
import { useShortcut } from '../stores/use-shortcut.ts';
import { LockIcon } from '../ui/icons.tsx';

/** Beside whoever has a PIN to come back with. */
export function LockTillButton(): ReactElement | null {
  const { t } = useWords();
  const { bridge } = useStores();
  const canLock = useTerminal(({ session, cashiers }) => cashiers.users.some(({ email }) => email === session.email));
  const lock = (): void => void bridge.call('cashier:lock', {});
  useShortcut('lockTill', canLock ? lock : null);
  return canLock ? (
    <Button
      variant="default"
      leftSection={<LockIcon size={20} />}
      aria-keyshortcuts={ariaKeysOf('lockTill')}
      onClick={lock}
    >
      {t('cashiers.lock')}
    </Button>
  ) : null;
}
