import { Modal } from '@mantine/core';
import { useEffect, useState, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { lockKinds } from '../../app/contract/limits/lock.ts';
import type { Id } from '../../app/domain/int64.ts';
import { formatNumber } from '../formats/numbers.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import type { PinPurpose } from './pin-purpose.ts';
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

/** What the PIN would let through, with the product's name, or its id, as soon as it is read; null where the kind of lock says it. */
function usePurposeWords(purpose: PinPurpose | null): string | null {
  const { t, language } = useWords();
  const { bridge, terminal } = useStores();
  const [name, setName] = useState('');
  const productId = purpose !== null && 'productId' in purpose ? purpose.productId : null;
  const nameless = productId === null ? '' : t('coupons.nameless', { id: productId });
  useEffect(() => {
    let isCurrent = true;
    setName('');
    const read = async (places: readonly { stockId: Id; productId: Id }[]): Promise<void> => {
      const cards = places.length === 0 ? null : await bridge.call('product:readMany', { places: [...places] });
      const card = cards?.ok === true ? cards.value.find((one) => one !== null) : undefined;
      if (isCurrent) {
        setName(card?.name ?? nameless);
      }
    };
    if (productId !== null) {
      const stockIds = terminal.getState().state?.profile?.stockIds ?? [];
      void read(stockIds.map((stockId) => ({ stockId, productId })));
    }
    return () => {
      isCurrent = false;
    };
  }, [bridge, terminal, productId, nameless]);
  if (purpose === null) {
    return null;
  }
  const minimum = 'minimum' in purpose ? formatNumber(purpose.minimum, language) : '';
  const of = 'name' in purpose ? purpose.name : name;
  return t(`lock.pin.does.${purpose.does}`, { name: of, minimum, count: 'count' in purpose ? purpose.count : 0 });
}

/** Stands ready on its page from the first painting on. */
export function PinDialog(): ReactElement {
  const { t } = useWords();
  const { pin } = useStores();
  const { asked, purpose, isTrying, failure, tryPin, giveUp, attach } = useStore(pin);
  const { waitUntil, opensForMinutes } = useTerminal((state) => state.lock);
  // Its text stays while it fades out.
  const [last, setLast] = useState<{ readonly asked: AskedRule; readonly purpose: PinPurpose | null }>({
    asked: 'lock',
    purpose: null,
  });
  const shown = asked === null ? last : { asked, purpose };
  const minutes = minutesOf(shown.asked, opensForMinutes);
  const does = usePurposeWords(shown.purpose);
  const isSwitch = shown.purpose?.does.startsWith('coupon') === true;
  const isLocked = t(`lock.pin.asked.${shown.asked}`);
  useEffect(() => attach(), [attach]);
  useEffect(() => {
    if (asked !== null) {
      setLast({ asked, purpose });
    }
  }, [asked, purpose]);
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
        <p className="pin-asked stack-3">
          <LockIcon size={28} />
          <span>
            <strong>{does ?? isLocked}</strong> {minutes > 0 && isSwitch && <>{isLocked} </>}
            {minutes === 0 ? t('lock.pin.opensOnce') : t('lock.pin.opensFor', { count: minutes })}
          </span>
        </p>
      </PinEntry>
    </Modal>
  );
}
