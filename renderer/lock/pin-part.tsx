import { Button } from '@mantine/core';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { useWords } from '../stores/context.tsx';
import { LockIcon, UnlockedIcon } from '../ui/icons.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';
import { PinChangeDialog, type PinChange, type PinOwner } from './pin-change-dialog.tsx';

interface PinPartProps {
  readonly whose: PinOwner;
  readonly title: string;
  readonly hasPin: boolean;
  readonly state: 'none' | 'open' | 'locked';
  /** The state in words. */
  readonly says: string;
  /** Asked before a PIN is set for the first time; `why` is shown in the place of the dialog. */
  readonly before?: { readonly why: string | null; readonly isAsking: boolean; readonly ask: () => Promise<boolean> };
  /** Whoever came here by another way to set one is asked at once. */
  readonly asked?: { readonly isNow: boolean; readonly taken: () => void };
  /** As of any part of the settings. */
  readonly about: readonly string[];
}

/** A PIN's state, and the buttons that set, change and remove it. */
export function PinPart({ whose, title, hasPin, state, says, before, asked, about }: PinPartProps): ReactElement {
  const { t } = useWords();
  const [change, setChange] = useState<PinChange | null>(null);
  const [done, setDone] = useState<PinChange | null>(null);
  const begin = async (what: PinChange): Promise<void> => {
    setDone(null);
    if (what !== 'set' || before === undefined || (await before.ask())) {
      setChange(what);
    }
  };
  const button = useRef<HTMLButtonElement>(null);
  const isAskedNow = asked?.isNow === true;
  useEffect(() => {
    if (isAskedNow) {
      asked.taken();
      // In sight, and where the keyboard comes back to.
      button.current?.focus();
      button.current?.click();
    }
  }, [isAskedNow, asked]);
  return (
    <SettingsPart title={title} about={about}>
      <p className="lock-status stack-3" data-status={state} role="status">
        {state === 'locked' ? <LockIcon size={28} /> : <UnlockedIcon size={28} />}
        <span>
          {says}
          {done !== null && <> {t(`lock.done.${done}`)}</>}
        </span>
      </p>
      <div className="buttons">
        {/* One button, which keeps the keyboard when a PIN has been set. */}
        <Button
          ref={button}
          variant={hasPin ? 'default' : 'filled'}
          // Not held meanwhile: a button that is held lets go of the keyboard, which comes back to it after the dialog.
          aria-busy={before?.isAsking === true}
          onClick={() => void begin(hasPin ? 'change' : 'set')}
        >
          {t(hasPin ? 'lock.change' : 'lock.set')}
        </Button>
        {hasPin && (
          <Button variant="default" onClick={() => void begin('remove')}>
            {t('lock.remove')}
          </Button>
        )}
      </div>
      {before !== undefined && before.why !== null && (
        <p className="notice" role="alert" data-kind="warn">
          {before.why}
        </p>
      )}
      <PinChangeDialog whose={whose} change={change} close={() => setChange(null)} onDone={setDone} />
    </SettingsPart>
  );
}
