import { Button } from '@mantine/core';
import { useCallback, useRef, useState, type KeyboardEvent, type ReactElement, type RefObject } from 'react';
import { useStore } from 'zustand';
import type { Failure } from '../../app/domain/failure.ts';
import { Elsewhere } from './elsewhere.tsx';
import { ClockIcon, QueueIcon } from '../ui/icons.tsx';
import { queueFile } from './queue-file.ts';
import { SaveList } from '../files/save-list.tsx';
import { QueueChoiceBar } from './queue-selection-bar.tsx';
import { QueueFilterChoice } from './queue-filter.tsx';
import { QueueManyDialog } from './queue-bulk-dialog.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { ClearButton } from '../ui/clear-button.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { UpdateRow } from './update-row.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { useNavigation, useQueue, useStores, useTerminal, useWords } from '../stores/context.tsx';
import { stepInList } from '../dom/row-steps.ts';
import { formatNumber } from '../formats/numbers.ts';
import { formatMoment, formatWait } from '../formats/times.ts';
import { useNow } from '../dom/clock.ts';
import { everyUpdate, hiddenBy } from './queue-store.ts';
import { isClear, type RowChoice } from '../stores/row-selection.ts';

const PlannedPart = lazyPart(async () => (await import('../coupon-sets/planned-part.tsx')).PlannedPart);

/** Why the waiting ones do not leave just now, and whose they are. */
function Holding(): ReactElement | null {
  const { t, language } = useWords();
  const now = useNow();
  const { heldBy, nextTryAt, ofOthers, ofKept, elsewhere } = useTerminal((state) => state.queue);
  const email = useTerminal((state) => state.session.email);
  const isPractice = useTerminal((state) => state.practice !== null);
  const signIn = useNavigation((navigation) => navigation.signIn);
  if (heldBy === null && nextTryAt === null && ofOthers.count + ofKept.count + elsewhere.length === 0) {
    return null;
  }
  return (
    <div className="notice holding line-3" data-kind="calm" role="status">
      <ClockIcon size={22} />
      <div>
        {(heldBy !== null || nextTryAt !== null) && (
          <p>
            {heldBy === 'signIn' && email !== null
              ? t('queue.held.signInOf', { email })
              : heldBy !== null && t(`queue.held.${heldBy}`)}
            {nextTryAt !== null && (
              <>
                {' '}
                {t('queue.nextTry', {
                  moment: formatMoment(nextTryAt, now, language),
                  wait: formatWait(nextTryAt, now, language),
                })}
              </>
            )}
          </p>
        )}
        {heldBy === 'signIn' && !isPractice && (
          <Button variant="default" size="sm" onClick={() => signIn(true)}>
            {t('shell.ended.again')}
          </Button>
        )}
        {ofOthers.count > 0 && (
          <p>{t('queue.ofOthers', { count: ofOthers.count, emails: ofOthers.emails.join(', ') })}</p>
        )}
        {ofKept.count > 0 && <p>{t('queue.ofKept', { count: ofKept.count, emails: ofKept.emails.join(', ') })}</p>}
        <Elsewhere />
      </div>
    </div>
  );
}

/** Waiting updates that a search left on hides, with the way to see them; an empty list says so itself. */
function Hidden({ find }: { readonly find: RefObject<HTMLInputElement | null> }): ReactElement | null {
  const { t, language } = useWords();
  const { queue } = useStores();
  const { term } = useStore(queue.list, (list) => list.filter);
  const choose = useStore(queue.list, (list) => list.choose);
  const counts = useStore(queue.facts, (facts) => facts.counts);
  const isEmpty = useStore(queue.list, (list) => list.total === 0);
  const hidden = useTerminal((state) => hiddenBy(term, counts, state.queue));
  return isEmpty || hidden === 0 ? null : (
    <div className="notice holding line-3" data-kind="calm" role="status">
      <p>{t('queue.hidden.says', { count: hidden, formatted: formatNumber(hidden, language), term: term.trim() })}</p>
      <ClearButton words={t('queue.hidden.show')} field={find} clear={() => choose(everyUpdate)} />
    </div>
  );
}

function Empty({ find }: { readonly find: RefObject<HTMLInputElement | null> }): ReactElement {
  const { t } = useWords();
  const { queue } = useStores();
  const go = useNavigation((navigation) => navigation.go);
  const { filter, term } = useStore(queue.list, (list) => list.filter);
  const choose = useStore(queue.list, (list) => list.choose);
  const isSearched = term.trim() !== '';
  return (
    <div className="empty">
      <QueueIcon size={44} />
      <h2>{isSearched ? t('queue.empty.searched.title', { term: term.trim() }) : t(`queue.empty.${filter}.title`)}</h2>
      <p>{t(isSearched ? 'queue.empty.searched.text' : `queue.empty.${filter}.text`)}</p>
      {isSearched || filter !== 'all' ? (
        <ClearButton
          words={t(isSearched && filter !== 'all' ? 'queue.empty.everyStatus' : 'queue.hidden.show')}
          field={find}
          clear={() => choose(isSearched && filter !== 'all' ? { filter: 'all', term } : everyUpdate)}
        />
      ) : (
        <Button variant="default" onClick={() => go('coupons')}>
          {t('queue.empty.toCoupons')}
        </Button>
      )}
    </div>
  );
}

const boxes = 'input[type="checkbox"]';

/** Arrows go from box to box, Control+A chooses all, Escape none. */
function pressIn(event: KeyboardEvent<HTMLDivElement>, choice: RowChoice<number>): void {
  const { target, currentTarget, key } = event;
  const isAtBox = target instanceof HTMLInputElement && target.matches(boxes);
  if (event.altKey || (target !== currentTarget && !isAtBox)) {
    return;
  }
  if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === 'a') {
    event.preventDefault();
    void choice.chooseAll();
  } else if (key === 'Escape' && !isClear(choice)) {
    event.preventDefault();
    choice.clear();
  } else {
    stepInList(event, boxes);
  }
}

export function Queue(): ReactElement {
  const { t, language } = useWords();
  const { queue, bridge } = useStores();
  const find = useRef<HTMLInputElement>(null);
  const query = useStore(queue.list, (list) => list.filter);
  const choose = useStore(queue.list, (list) => list.choose);
  const { counts, isCut } = useStore(queue.facts);
  const failure = useQueue((store) => store.failure);
  const [fileFailure, setFileFailure] = useState<Failure | null>(null);
  const search = useCallback((term: string) => choose({ ...queue.list.getState().filter, term }), [choose, queue.list]);
  return (
    <div className="listing queue">
      <header className="listing-head">
        <h1>{t('shell.screen.queue')}</h1>
        <SaveList name="queue" list={() => queueFile(bridge, t, language)} onFailure={setFileFailure} />
      </header>
      <Holding />
      <PlannedPart />
      <FailureNotice failure={failure ?? fileFailure} />
      <div className="search-line line-3">
        <SearchField
          label={t('queue.find')}
          placeholder={t('queue.search')}
          kept={query.term}
          onChange={search}
          field={find}
        />
        <QueueFilterChoice counts={counts} value={query.filter} choose={(filter) => choose({ ...query, filter })} />
      </div>
      <Hidden find={find} />
      {isCut && <p className="hint">{t('queue.cut')}</p>}
      <QueueChoiceBar />
      <VirtualList
        list={queue.list}
        name={t('queue.list')}
        rowHeight={45}
        keyOf={(update) => update.id}
        empty={<Empty find={find} />}
        draw={(update, place) => <UpdateRow update={update} place={place} />}
        onKeyDown={(event) => pressIn(event, queue.choice.getState())}
      />
      <QueueManyDialog />
    </div>
  );
}
