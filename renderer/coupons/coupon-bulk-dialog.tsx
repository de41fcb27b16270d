import { Button, Modal } from '@mantine/core';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import type { ManyCounted } from '../../app/contract/coupons.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import type { ManyOutcome, ManyQuestion } from './coupon-bulk-store.ts';
import { OutsideWords } from '../ui/outside-selection.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { OutcomeStrip } from '../ui/outcome-strip.tsx';
import { WorkProgress } from '../ui/work-progress.tsx';
import { Working } from '../ui/working.tsx';

function Counts({ counted, isEnabled }: { readonly counted: ManyCounted; readonly isEnabled: boolean }): ReactElement {
  const { t, language } = useWords();
  const isOffline = useTerminal((state) => state.connection.state === 'offline');
  const { willChange, already, needed, room } = counted;
  const write = (count: number): { count: number; formatted: string } => ({
    count,
    formatted: formatNumber(count, language),
  });
  if (needed > room) {
    return (
      <div className="notice" data-kind="warn">
        <p>
          <strong>{t('coupon.many.noRoom', { ...write(needed), room: formatNumber(room, language) })}</strong>
        </p>
        <p>{t('coupon.many.noRoomAdvice')}</p>
      </div>
    );
  }
  return (
    <>
      <ul className="many-counts">
        <li data-kind="change">
          {willChange === 0
            ? t('coupon.many.noChange')
            : t(isEnabled ? 'coupon.many.willOn' : 'coupon.many.willOff', write(willChange))}
        </li>
        {already > 0 && <li>{t(isEnabled ? 'coupon.many.alreadyOn' : 'coupon.many.alreadyOff', write(already))}</li>}
      </ul>
      {willChange > 0 && <p className="hint">{t(isOffline ? 'coupon.many.whenOffline' : 'coupon.many.when')}</p>}
    </>
  );
}

function Question({ question }: { readonly question: ManyQuestion }): ReactElement {
  const { t, language } = useWords();
  const { coupons } = useStores();
  const cancel = useStore(coupons.many, (many) => many.cancel);
  const confirm = useStore(coupons.many, (many) => many.confirm);
  const stop = useStore(coupons.many, (many) => many.stop);
  const { counted, isEnabled, isWorking, progress, failure } = question;
  const isPossible = counted !== null && counted.willChange > 0 && counted.needed <= counted.room;
  return (
    <div className="dialog">
      {counted === null && failure === null && <Working words={t('coupon.many.counting')} />}
      <OutsideWords of="coupon" count={question.outside} />
      {counted !== null && <Counts counted={counted} isEnabled={isEnabled} />}
      <FailureNotice failure={failure} />
      {isWorking && failure === null && counted !== null && (
        <WorkProgress
          words={t('coupon.many.working')}
          done={progress?.done ?? 0}
          of={progress?.of ?? counted.willChange + counted.already}
          stop={stop}
        />
      )}
      <div className="form-actions">
        <Button size="lg" variant="default" disabled={isWorking} onClick={cancel} data-autofocus>
          {t(isPossible ? 'coupon.many.cancel' : 'form.close')}
        </Button>
        {isPossible && (
          <Button size="lg" loading={isWorking} onClick={() => void confirm()}>
            {t(isEnabled ? 'coupon.many.confirmOn' : 'coupon.many.confirmOff', {
              formatted: formatNumber(counted.willChange, language),
            })}
          </Button>
        )}
      </div>
    </div>
  );
}

function Outcome({ outcome }: { readonly outcome: ManyOutcome }): ReactElement {
  const { t, language } = useWords();
  const { coupons } = useStores();
  const undo = useStore(coupons.many, (many) => many.undo);
  const forget = useStore(coupons.many, (many) => many.forget);
  const isOffline = useTerminal((state) => state.connection.state === 'offline');
  const write = (count: number): { count: number; formatted: string } => ({
    count,
    formatted: formatNumber(count, language),
  });
  const failure =
    outcome.kind === 'switched' ? outcome.answer.failure : outcome.kind === 'failed' ? outcome.failure : null;
  return (
    <OutcomeStrip
      isFailed={failure !== null}
      undo={outcome.kind === 'switched' && outcome.canUndo ? undo : null}
      isUndoing={outcome.kind === 'switched' && outcome.isWorking}
      forget={forget}
    >
      {outcome.kind === 'switched' && (
        <p>{t(outcome.isEnabled ? 'coupon.many.doneOn' : 'coupon.many.doneOff', write(outcome.answer.accepted))}</p>
      )}
      {outcome.kind === 'switched' && outcome.answer.failure === null && (isOffline || outcome.canUndo) && (
        <p className="row-sub">{t(isOffline ? 'coupon.many.waits' : 'coupon.many.leaves')}</p>
      )}
      {outcome.kind === 'takenBack' && <p>{t('coupon.many.takenBack', write(outcome.takenBack))}</p>}
      {outcome.kind === 'takenBack' && outcome.sent > 0 && (
        <p className="row-sub">{t('coupon.many.sent', write(outcome.sent))}</p>
      )}
      {outcome.kind === 'switched' && failure !== null && <p>{t('coupon.many.rest')}</p>}
      {outcome.kind === 'failed' && outcome.failure.kind !== 'effectUnknown' && <p>{t('coupon.many.notTakenBack')}</p>}
      {failure !== null && (
        <p className="row-sub">
          {t(`failure.${failure.kind}.says`)} {t(`failure.${failure.kind}.advice`)}
        </p>
      )}
    </OutcomeStrip>
  );
}

/** The question when there is one, and the last outcome until it has been read. */
export function CouponManyDialog(): ReactElement {
  const { t, language } = useWords();
  const { coupons } = useStores();
  const { question, outcome, cancel } = useStore(coupons.many);
  const count = question?.productIds.length ?? 0;
  const title =
    question === null
      ? ''
      : t(question.isEnabled ? 'coupon.many.titleOn' : 'coupon.many.titleOff', {
          count,
          formatted: formatNumber(count, language),
        });
  return (
    <>
      {outcome !== null && <Outcome outcome={outcome} />}
      <Modal
        opened={question !== null}
        onClose={cancel}
        title={title}
        closeButtonProps={{ 'aria-label': t('form.close') }}
      >
        {question !== null && <Question question={question} />}
      </Modal>
    </>
  );
}
