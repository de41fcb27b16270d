import { Button } from '@mantine/core';
import type { ReactElement, ReactNode, SubmitEvent } from 'react';
import { useWords } from '../stores/context.tsx';
import { LockSign, useIsLocked } from '../ui/lock-sign.tsx';

interface SetFormProps {
  /** On the button that submits. */
  readonly words: string;
  readonly isBusy: boolean;
  readonly submit: () => Promise<void>;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** Fields of one set, with the way back and the button that keeps what they say. */
export function SetForm({ words, isBusy, submit, close, children }: SetFormProps): ReactElement {
  const { t } = useWords();
  const isLocked = useIsLocked('coupons');
  return (
    <form
      className="dialog"
      noValidate
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        void submit();
      }}
    >
      {children}
      <div className="form-actions">
        <Button size="lg" variant="default" onClick={close}>
          {t('ui.form.back')}
        </Button>
        <Button
          size="lg"
          type="submit"
          loading={isBusy}
          leftSection={isLocked ? <LockSign kind="coupons" /> : undefined}
        >
          {words}
        </Button>
      </div>
    </form>
  );
}
