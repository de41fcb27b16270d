import type { ReactElement } from 'react';
import type { UpdatesCounted } from '../../app/contract/queue.ts';
import { useCounted, useStores, useWords } from '../stores/context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import type { BulkOutcome } from '../stores/bulk-store.ts';
import { BulkDialog } from '../ui/bulk-dialog.tsx';
import type { QueueAction } from './queue-bulk.ts';

/** How many of them the action does something to. */
function doableOf(action: QueueAction, { pending, retryable, damaged }: UpdatesCounted): number {
  return action === 'retry' ? retryable : pending + retryable + damaged;
}

function Counts({ action, counted }: { readonly action: QueueAction; readonly counted: UpdatesCounted }): ReactElement {
  const { t } = useWords();
  const write = useCounted();
  const doable = doableOf(action, counted);
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

const outcomeKeys = {
  discard: 'queue.many.discarded',
  retry: 'queue.many.retried',
  undo: 'queue.many.broughtBack',
} as const;

function Outcome({ outcome }: { readonly outcome: BulkOutcome<unknown, QueueAction> }): ReactElement {
  const { t } = useWords();
  const write = useCounted();
  const { action, count, of, failure } = outcome;
  const isKnown = failure?.kind !== 'effectUnknown';
  return (
    <>
      {(isKnown || count > 0) && <p>{t(outcomeKeys[action], write(count))}</p>}
      {action === 'undo' && count < of && isKnown && (
        <p className="row-sub">{t('queue.many.notBroughtBack', write(of - count))}</p>
      )}
      {failure !== null && (
        <p className="row-sub">
          {failure.kind === 'cancelled'
            ? t('queue.many.stopped')
            : `${t(`failure.${failure.kind}.says`)} ${t(`failure.${failure.kind}.advice`)}`}
          {action !== 'undo' && isKnown && <> {t('queue.many.rest')}</>}
        </p>
      )}
    </>
  );
}

/** Trying again or giving up many updates. */
export function QueueManyDialog(): ReactElement {
  const { t, language } = useWords();
  const write = useCounted();
  const { queue } = useStores();
  return (
    <BulkDialog
      of="queue"
      store={queue.many}
      title={({ action, keys }) =>
        t(action === 'retry' ? 'queue.many.titleRetry' : 'queue.many.titleDiscard', write(keys.length))
      }
      counts={(action, counted) => <Counts action={action} counted={counted} />}
      doable={doableOf}
      confirm={(action, doable) =>
        t(action === 'retry' ? 'queue.many.confirmRetry' : 'queue.many.confirmDiscard', {
          formatted: formatNumber(doable, language),
        })
      }
      isDestructive={(action) => action === 'discard'}
      working={(action) => t(`queue.many.working.${action === 'undo' ? 'bringBack' : action}`)}
      outcome={(outcome) => <Outcome outcome={outcome} />}
      isFailed={({ failure }) => failure !== null && failure.kind !== 'cancelled'}
    />
  );
}
