import { Button, Modal } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { useStore, type StoreApi } from 'zustand';
import { useWords } from '../stores/context.tsx';
import type { Bulk, BulkOutcome, BulkQuestion } from '../stores/bulk-store.ts';
import { FailureNotice } from './failure-text.tsx';
import { OutcomeStrip } from './outcome-strip.tsx';
import { OutsideWords } from './outside-selection.tsx';
import { FloatingWork, WorkProgress } from './work-progress.tsx';
import { Working } from './working.tsx';

export interface BulkDialogProps<Key, Action extends string, Counted> {
  readonly of: 'coupon' | 'queue';
  readonly store: StoreApi<Bulk<Key, Action, Counted>>;
  readonly title: (question: BulkQuestion<Key, Action, Counted>) => string;
  readonly counts: (action: Action, counted: Counted) => ReactNode;
  /** How many the action does something to; none, and it is not offered. */
  readonly doable: (action: Action, counted: Counted) => number;
  readonly confirm: (action: Action, doable: number) => string;
  readonly isDestructive?: (action: Action) => boolean;
  readonly working: (action: Action | 'undo') => string;
  readonly outcome: (outcome: BulkOutcome<Key, Action>) => ReactNode;
  readonly isFailed: (outcome: BulkOutcome<Key, Action>) => boolean;
}

function Question<Key, Action extends string, Counted>({
  question,
  of,
  store,
  counts,
  doable,
  confirm: confirmWords,
  isDestructive,
  working,
}: BulkDialogProps<Key, Action, Counted> & { readonly question: BulkQuestion<Key, Action, Counted> }): ReactElement {
  const { t } = useWords();
  const { work, cancel, confirm, stop } = useStore(store);
  const { action, counted, failure } = question;
  const count = counted === null ? 0 : doable(action, counted);
  return (
    <div className="dialog">
      {counted === null && failure === null && <Working words={t('coupons.many.counting')} />}
      <OutsideWords of={of} count={question.outside} />
      {counted !== null && counts(action, counted)}
      <FailureNotice failure={failure} />
      {work !== null && <WorkProgress words={working(work.action)} done={work.done} of={work.of} stop={stop} />}
      <div className="form-actions">
        <Button size="lg" variant="default" disabled={work !== null} onClick={cancel} data-autofocus>
          {t(count === 0 ? 'ui.form.close' : 'ui.form.cancel')}
        </Button>
        {count > 0 && (
          <Button
            size="lg"
            loading={work !== null}
            {...(isDestructive?.(action) === true ? { color: 'red' } : {})}
            onClick={() => void confirm()}
          >
            {confirmWords(action, count)}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The question when there is one, how far the work is, and the last outcome until it has been read. */
export function BulkDialog<Key, Action extends string, Counted>(
  props: BulkDialogProps<Key, Action, Counted>,
): ReactElement {
  const { question, work, outcome, cancel, stop, undo, forget } = useStore(props.store);
  return (
    <>
      {outcome !== null && (
        <OutcomeStrip
          isFailed={props.isFailed(outcome)}
          undo={outcome.canUndo ? undo : null}
          isUndoing={work !== null}
          forget={forget}
        >
          {props.outcome(outcome)}
        </OutcomeStrip>
      )}
      {work !== null && question === null && outcome === null && (
        <FloatingWork words={props.working(work.action)} done={work.done} of={work.of} stop={stop} />
      )}
      <Modal opened={question !== null} onClose={cancel} title={question === null ? '' : props.title(question)}>
        {question !== null && <Question {...props} question={question} />}
      </Modal>
    </>
  );
}
