// The form that asks for a deleted user back (API v3 §4.8), and the words for each thing that may become of it.
import { Button, TextInput } from '@mantine/core';
import { useRef, useState, type ReactElement, type RefObject, type SubmitEvent } from 'react';
import { useStore } from 'zustand';
import { parseId } from '../../app/domain/int64.ts';
import { useBlockedBy, useStores, useWords } from '../stores/context.tsx';
import { useDraft } from '../stores/use-draft.ts';
import { problemAt } from '../formats/field-problems.ts';
import { shownStatus, type QueueFilter } from '../queue/queue-store.ts';
import type { Restoration } from './restoration-store.ts';
import { ParkedNote } from '../queue/parked-note.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';

/** Names that the platform may call the id by (API v3 §4.8 shows no name of it but the path's). */
const platformNames = ['userId', 'user_id', 'id', 'user'];

const filterOf: Readonly<Record<Restoration['status'], QueueFilter>> = {
  pending: 'waiting',
  inFlight: 'waiting',
  parked: 'parked',
  delivered: 'delivered',
  superseded: 'givenUp',
  discarded: 'givenUp',
};

const whileBlocked = {
  offline: 'users.restore.outcome.waitingOffline',
  noAnswer: 'users.restore.outcome.waitingNoAnswer',
  notSignedIn: 'users.restore.outcome.waitingSignIn',
} as const;

function OutcomeWords({ update }: { readonly update: Restoration }): ReactElement {
  const { t } = useWords();
  const blockedBy = useBlockedBy();
  const waits = blockedBy === null ? null : t(whileBlocked[blockedBy]);
  switch (update.status) {
    case 'delivered':
      return <p className="row-note">{t('users.restore.outcome.restored')}</p>;
    case 'inFlight':
    case 'pending':
      return update.isUnderWay ? (
        <p>{t('users.restore.outcome.sending')}</p>
      ) : (
        <p>{waits ?? t(update.failure === null ? 'users.restore.outcome.waiting' : 'users.restore.outcome.again')}</p>
      );
    case 'parked':
      return <ParkedNote update={update} />;
    case 'superseded':
    case 'discarded':
      return <p>{t('users.restore.outcome.givenUp')}</p>;
  }
}

function Outcome({ update, isAlready }: { readonly update: Restoration; readonly isAlready: boolean }): ReactElement {
  const { t } = useWords();
  const { queue } = useStores();
  const isRefused = update.status === 'parked' && update.parkedBecause === 'refused';
  const open = isRefused ? 'bad' : 'calm';
  return (
    <div className="notice restore-outcome stack-2" data-kind={update.status === 'delivered' ? 'good' : open}>
      <p className="row-title">
        {t('users.restore.outcome.title', { id: update.userId })}
        <span className="status-tag" data-status={update.status}>
          {t(`queue.status.${shownStatus(update)}`)}
        </span>
      </p>
      {isAlready && <p>{t('users.restore.outcome.already')}</p>}
      <OutcomeWords update={update} />
      <p>
        <a href="#queue" onClick={() => queue.list.getState().choose({ filter: filterOf[update.status], term: '' })}>
          {t('coupons.seeQueue')}
        </a>
      </p>
    </div>
  );
}

/** One number and a button. */
export function RestoreUser({ field }: { readonly field?: RefObject<HTMLInputElement | null> }): ReactElement {
  const { t } = useWords();
  const { restoration } = useStores();
  const { update, isAlready, isWorking, failure, ask, forget } = useStore(restoration);
  const outcome = useRef<HTMLDivElement>(null);
  const [text, setText] = useDraft('restore.userId', update?.userId ?? '');
  const [isWrong, setWrong] = useState(false);
  const refused = update?.status === 'parked' ? problemAt(update.failure, platformNames) : null;
  const refusal = refused === null ? undefined : t('users.restore.ruleNotMet', { rules: refused });

  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const userId = parseId(text.trim());
    // 0 is nobody's number.
    const isUser = userId !== null && userId !== '0';
    setWrong(!isUser);
    if (!isUser) {
      forget();
      event.currentTarget.querySelector('input')?.focus();
      return;
    }
    // The button was asleep meanwhile, and has lost the focus.
    void ask(userId).then(() => outcome.current?.focus());
  };

  return (
    <SettingsPart title={t('users.restore.title')} lock="users">
      <form className="form" noValidate onSubmit={submit}>
        <p className="hint">{t('users.restore.lead')}</p>
        <TextInput
          {...(field === undefined ? {} : { ref: field })}
          label={t('users.restore.userId')}
          error={isWrong ? t('users.restore.wrong') : refusal}
          inputMode="numeric"
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setWrong(false);
          }}
        />
        <div>
          <Button type="submit" size="lg" loading={isWorking}>
            {t('users.restore.button')}
          </Button>
        </div>
      </form>
      <div ref={outcome} tabIndex={-1}>
        <div role="status">{update !== null && <Outcome update={update} isAlready={isAlready} />}</div>
        <FailureNotice failure={failure} />
      </div>
    </SettingsPart>
  );
}
