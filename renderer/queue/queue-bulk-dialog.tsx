import { Button, Modal } from '@mantine/core';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import type { UpdatesCounted } from '../../app/contract/queue.ts';
import { useStores, useWords } from '../stores/context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import type { UpdatesOutcome, UpdatesQuestion } from './queue-bulk-store.ts';
import { OutsideWords } from '../ui/outside-selection.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { OutcomeStrip } from '../ui/outcome-strip.tsx';
import { FloatingWork } from '../ui/work-progress.tsx';
import { Working } from '../ui/working.tsx';

/** How many of them the action does something to. */
function doableOf(action: UpdatesQuestion['action'], { pending, retryable, damaged }: UpdatesCounted): number {
  return action === 'retry' ? retryable : pending + retryable + damaged;
}

function Counts({
  action,
  counted,
}: {
  readonly action: UpdatesQuestion['action'];
  readonly counted: UpdatesCounted;
}): ReactElement {
  const { t, language } = useWords();
  const doable = doableOf(action, counted);
  const write = (count: number): { count: number; formatted: string } => ({
    count,
    formatted: formatNumber(count, language),
  });
  const { ofOthers, conflicts, attempted, pending, damaged, gone } = counted;
  const besides =
    action === 'retry'
      ? ([
          ['ofOthers', ofOthers],
          ['overwrites', conflicts],
          ['waitsAlready', pending],
          ['damaged', damaged],
          ['gone', gone],
        ] as const)
      : ([
          ['keepsTheirs', conflicts],
          ['attempted', attempted],
          ['gone', gone],
        ] as const);
  return (
    <>
      <ul className="many-counts">
        <li data-kind="change">
          {doable === 0
            ? t('queue.many.noneDoable')
            : t(action === 'retry' ? 'queue.many.willRetry' : 'queue.many.willDiscard', write(doable))}
        </li>
        {besides.map(
          ([what, count]) => count > 0 && <li key={what}>{t(`queue.many.besides.${what}`, write(count))}</li>,
        )}
      </ul>
      {doable > 0 && action === 'discard' && <p className="hint">{t('queue.many.canBringBack')}</p>}
    </>
  );
}

function Question({ question }: { readonly question: UpdatesQuestion }): ReactElement {
  const { t, language } = useWords();
  const { queue } = useStores();
  const cancel = useStore(queue.many, (many) => many.cancel);
  const confirm = useStore(queue.many, (many) => many.confirm);
  const { action, counted, failure } = question;
  const doable = counted === null ? 0 : doableOf(action, counted);
  const formatted = formatNumber(doable, language);
  return (
    <div className="dialog">
      {counted === null && failure === null && <Working words={t('coupon.many.counting')} />}
      <OutsideWords of="queue" count={question.outside} />
      {counted !== null && <Counts action={action} counted={counted} />}
      <FailureNotice failure={failure} />
      <div className="form-actions">
        <Button size="lg" variant="default" onClick={cancel} data-autofocus>
          {t(doable > 0 ? 'queue.many.cancel' : 'form.close')}
        </Button>
        {doable > 0 && (
          <Button size="lg" {...(action === 'discard' ? { color: 'red' } : {})} onClick={() => void confirm()}>
            {t(action === 'retry' ? 'queue.many.confirmRetry' : 'queue.many.confirmDiscard', { formatted })}
          </Button>
        )}
      </div>
    </div>
  );
}

function Outcome({ outcome }: { readonly outcome: UpdatesOutcome }): ReactElement {
  const { t, language } = useWords();
  const { queue } = useStores();
  const { bringBack, forget } = useStore(queue.many);
  const write = (count: number): { count: number; formatted: string } => ({
    count,
    formatted: formatNumber(count, language),
  });
  const { failure } = outcome;
  const said =
    outcome.kind === 'discarded'
      ? t('queue.many.discarded', write(outcome.updateIds.length))
      : outcome.kind === 'retried'
        ? t('queue.many.retried', write(outcome.count))
        : t('queue.many.broughtBack', write(outcome.count));
  const isStopped = failure?.kind === 'cancelled';
  return (
    <OutcomeStrip
      isFailed={failure !== null && !isStopped}
      undo={outcome.kind === 'discarded' && outcome.canBringBack ? bringBack : null}
      forget={forget}
    >
      <p>{said}</p>
      {outcome.kind === 'broughtBack' && outcome.count < outcome.of && (
        <p className="row-sub">{t('queue.many.notBroughtBack', write(outcome.of - outcome.count))}</p>
      )}
      {failure !== null && (
        <p className="row-sub">
          {isStopped
            ? t('queue.many.stopped')
            : `${t(`failure.${failure.kind}.says`)} ${t(`failure.${failure.kind}.advice`)}`}
          {outcome.kind !== 'broughtBack' && <> {t('queue.many.rest')}</>}
        </p>
      )}
    </OutcomeStrip>
  );
}

/** The question when there is one, how far the work is, and the last outcome until it has been read. */
export function QueueManyDialog(): ReactElement {
  const { t, language } = useWords();
  const { queue } = useStores();
  const { question, work, outcome, cancel, stop } = useStore(queue.many);
  const count = question?.updateIds.length ?? 0;
  const title =
    question === null
      ? ''
      : t(question.action === 'retry' ? 'queue.many.titleRetry' : 'queue.many.titleDiscard', {
          count,
          formatted: formatNumber(count, language),
        });
  return (
    <>
      {outcome !== null && <Outcome outcome={outcome} />}
      {work !== null && (
        <FloatingWork words={t(`queue.many.working.${work.action}`)} done={work.done} of={work.of} stop={stop} />
      )}
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
