import { useRef, type ReactElement, type RefObject } from 'react';
import { useStore } from 'zustand';
import { UserIcon } from '../ui/icons.tsx';
import { QueueFilterChoice } from '../queue/queue-filter.tsx';
import { QueueManyDialog } from '../queue/queue-bulk-dialog.tsx';
import { RestoreUser } from './restore-user.tsx';
import { ClearButton } from '../ui/clear-button.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { UpdateRow } from '../queue/update-row.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { useQueue, useStores, useWords } from '../stores/context.tsx';
import { everyUpdate } from '../queue/queue-store.ts';

function Empty({ field }: { readonly field: RefObject<HTMLInputElement | null> }): ReactElement {
  const { t } = useWords();
  const { list } = useStores().queue.restorations;
  const { filter } = useStore(list, (store) => store.filter);
  const choose = useStore(list, (store) => store.choose);
  const isAll = filter === 'all';
  return (
    <div className="empty">
      <UserIcon size={44} />
      <h2>{t(isAll ? 'users.empty.title' : 'users.empty.filtered')}</h2>
      <p>{t(isAll ? 'users.empty.text' : 'users.empty.filteredText')}</p>
      {!isAll && <ClearButton words={t('queue.hidden.show')} field={field} clear={() => choose(everyUpdate)} />}
    </div>
  );
}

export function Users(): ReactElement {
  const { t } = useWords();
  const { restorations } = useStores().queue;
  const field = useRef<HTMLInputElement>(null);
  const query = useStore(restorations.list, (list) => list.filter);
  const choose = useStore(restorations.list, (list) => list.choose);
  const counts = useStore(restorations.facts, (facts) => facts.counts);
  const failure = useQueue((store) => store.failure);
  return (
    <div className="listing users">
      <header className="listing-head">
        <div>
          <h1>{t('shell.screen.users')}</h1>
          <p className="lead">{t('users.lead')}</p>
        </div>
        <a href="#settings" className="target">
          {t('shell.screen.settings')}
        </a>
      </header>
      <div className="form-and-list stack-4">
        <RestoreUser field={field} />
        <div className="beside-form">
          <div className="users-past-head">
            <h2>{t('users.past')}</h2>
            <QueueFilterChoice counts={counts} value={query.filter} choose={(filter) => choose({ ...query, filter })} />
          </div>
          <FailureNotice failure={failure} />
          <VirtualList
            list={restorations.list}
            name={t('users.past')}
            rowHeight={92}
            keyOf={(update) => update.id}
            empty={<Empty field={field} />}
            draw={(update) => <UpdateRow update={update} />}
          />
        </div>
      </div>
      <QueueManyDialog />
    </div>
  );
}
