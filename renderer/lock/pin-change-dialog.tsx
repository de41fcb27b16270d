import { Modal } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { ownPinLength } from '../../app/contract/limits/cashiers.ts';
import { pinLength } from '../../app/contract/limits/lock.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { PinEntry } from './pin-entry.tsx';

export type PinChange = 'set' | 'change' | 'remove';
type Step = 'old' | 'new' | 'again';

// The present one is told with the others, and comes last: a wrong one is said where it was typed.
const stepsOf: Readonly<Record<PinChange, readonly Step[]>> = {
  set: ['new', 'again'],
  change: ['new', 'again', 'old'],
  remove: ['old'],
};

/** Whose PIN it is: the manager's, or that of whoever is signed in. */
const pins = {
  manager: { channel: 'lock:setPin', length: pinLength, warns: 'lock.removeWarns' },
  own: { channel: 'cashier:setPin', length: ownPinLength, warns: 'cashiers.removeWarns' },
} as const;
export type PinOwner = keyof typeof pins;

interface PinChangeDialogProps {
  readonly whose: PinOwner;
  /** The change in progress; null while there is none. */
  readonly change: PinChange | null;
  readonly close: () => void;
  readonly onDone: (change: PinChange) => void;
}

function Steps({ whose, change, close, onDone }: PinChangeDialogProps & { readonly change: PinChange }): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const { channel, length, warns } = pins[whose];
  const waitUntil = useTerminal(({ lock, cashiers, session }) =>
    whose === 'manager'
      ? lock.waitUntil
      : (cashiers.users.find(({ email }) => email === session.email)?.waitUntil ?? null),
  );
  const steps = stepsOf[change];
  const [place, setPlace] = useState(0);
  const [typed, setTyped] = useState<Partial<Record<Step, string>>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [isWorking, setWorking] = useState(false);
  const step = steps[place] ?? 'old';
  const isLast = place === steps.length - 1;

  const take = async (pin: string): Promise<void> => {
    const all = { ...typed, [step]: pin };
    if (step === 'again' && all.new !== all.again) {
      setPlace(0);
      setProblem(t('lock.differ'));
      return;
    }
    if (!isLast) {
      setTyped(all);
      setPlace(place + 1);
      setProblem(null);
      return;
    }
    setWorking(true);
    const set = await bridge.call(channel, {
      pin: all.new ?? null,
      ...(all.old === undefined ? {} : { oldPin: all.old }),
    });
    setWorking(false);
    if (set.ok) {
      onDone(change);
      close();
    } else {
      // The new one stays as it was typed, where the present one is asked for anew.
      setPlace(Math.max(steps.indexOf('old'), 0));
      setProblem(t(`failure.${set.failure.kind}.says`));
    }
  };

  return (
    <PinEntry
      key={place}
      length={length}
      label={t(`lock.step.${step}`)}
      action={t(isLast ? `lock.${change}` : 'lock.next')}
      problem={problem}
      waitUntil={step === 'old' ? waitUntil : null}
      isWorking={isWorking}
      onPin={(pin) => void take(pin)}
      onCancel={close}
    >
      <p className="hint">
        {steps.length > 1 && <>{t('lock.stepOf', { step: place + 1, of: steps.length })} </>}
        {change === 'remove' && t(warns)}
      </p>
    </PinEntry>
  );
}

/** The dialog; `close` leaves the PIN as it is. */
export function PinChangeDialog({ whose, change, close, onDone }: PinChangeDialogProps): ReactElement {
  const { t } = useWords();
  return (
    <Modal
      opened={change !== null}
      onClose={close}
      closeOnEscape={false}
      withCloseButton={false}
      title={change === null ? '' : t(`lock.${change}`)}
      size={720}
    >
      {change !== null && <Steps whose={whose} change={change} close={close} onDone={onDone} />}
    </Modal>
  );
}
