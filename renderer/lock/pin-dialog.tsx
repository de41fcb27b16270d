import { Modal } from '@mantine/core';
import { useEffect, useState, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { lockKinds } from '../../app/contract/limits/lock.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import type { AskedRule } from './pin-store.ts';
import { LockIcon } from '../ui/icons.tsx';
import { PinEntry } from './pin-entry.tsx';

/** For how long a PIN opens this; 0: for one action. */
function minutesOf(asked: AskedRule, chosen: number): number {
  if (asked === 'audit') {
    return 2;
  }
  return lockKinds.some((kind) => kind === asked) ? chosen : 0;
}

/** Stands ready on its page from the first painting on. */
export function PinDialog(): ReactElement {
  const { t } = useWords();
  const { pin } = useStores();
  const { asked, isTrying, failure, tryPin, giveUp, attach } = useStore(pin);
  const { waitUntil, opensForMinutes } = useTerminal((state) => state.lock);
  // Its text stays while it fades out.
  const [lastAsked, setLastAsked] = useState<AskedRule>('lock');
  const minutes = minutesOf(asked ?? lastAsked, opensForMinutes);
  useEffect(() => attach(), [attach]);
  useEffect(() => {
    if (asked !== null) {
      setLastAsked(asked);
    }
  }, [asked]);
  return (
    <Modal
      opened={asked !== null}
      onClose={giveUp}
      closeOnEscape={false}
      withCloseButton={false}
      title={t('lock.pin.title')}
      zIndex={300}
      size={720}
    >
      <PinEntry
        label={t('lock.pin.field')}
        action={t('lock.pin.unlock')}
        problem={failure === null ? null : t(`failure.${failure.kind}.says`)}
        waitUntil={waitUntil}
        isWorking={isTrying}
        onPin={(digits) => void tryPin(digits)}
        onCancel={giveUp}
      >
        <p className="pin-asked">
          <LockIcon size={28} />
          <span>
            <strong>{t(`lock.pin.asked.${asked ?? lastAsked}`)}</strong>{' '}
            {minutes === 0 ? t('lock.pin.opensOnce') : t('lock.pin.opensFor', { count: minutes })}
          </span>
        </p>
      </PinEntry>
    </Modal>
  );
}
