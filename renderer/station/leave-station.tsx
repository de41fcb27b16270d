import { Modal } from '@mantine/core';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { later } from '../dom/clock.ts';
import { PinEntry } from '../lock/pin-entry.tsx';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { Mark } from '../ui/icons.tsx';

/** So long the corner is held. */
const holdMs = 3_000;

/** The corner that opens the question for the PIN when it is held, and the keys that do: Ctrl+Shift+E. */
export function LeaveCorner({ ask }: { readonly ask: () => void }): ReactElement {
  const stop = useRef<(() => void) | null>(null);
  const letGo = (): void => {
    stop.current?.();
    stop.current = null;
  };
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      if (event.code === 'KeyE' && event.ctrlKey && event.shiftKey && !event.altKey && !event.metaKey) {
        event.preventDefault();
        ask();
      }
    };
    window.addEventListener('keydown', hear);
    return () => {
      window.removeEventListener('keydown', hear);
      stop.current?.();
    };
  }, [ask]);
  return (
    <span
      className="station-corner"
      aria-hidden="true"
      onPointerDown={() => {
        letGo();
        stop.current = later(holdMs, ask);
      }}
      onPointerUp={letGo}
      onPointerLeave={letGo}
      onPointerCancel={letGo}
    >
      <Mark size={44} />
    </span>
  );
}

/** The manager's PIN leaves the station; `close` stays in it. */
export function LeaveDialog({ isOpen, close }: { readonly isOpen: boolean; readonly close: () => void }): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const waitUntil = useTerminal((state) => state.lock.waitUntil);
  const [problem, setProblem] = useState<string | null>(null);
  const [isWorking, setWorking] = useState(false);
  useEffect(() => setProblem(null), [isOpen]);
  const leave = async (pin: string): Promise<void> => {
    setWorking(true);
    const left = await bridge.call('station:leave', { pin });
    setWorking(false);
    setProblem(left.ok ? null : t(`failure.${left.failure.kind}.says`));
  };
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      closeOnEscape={false}
      // The finger that held the corner is lifted outside of it.
      closeOnClickOutside={false}
      withCloseButton={false}
      title={t('station.leave.title')}
      size={720}
    >
      <PinEntry
        label={t('lock.pin.field')}
        action={t('station.leave.action')}
        problem={problem}
        waitUntil={waitUntil}
        isWorking={isWorking}
        onPin={(pin) => void leave(pin)}
        onCancel={close}
      >
        <p>{t('station.leave.text')}</p>
      </PinEntry>
    </Modal>
  );
}
