// Owns the list of changes and the words for what holds them. Never decides when one is sent.
import { Button, Modal, SegmentedControl } from '@mantine/core';
import { useCallback, useState, type ReactElement } from 'react';
import { useStore } from 'zustand';
import type { QueuedUpdate } from '../../app/contract/contract.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { ExportButtons } from '../components/export-buttons.tsx';
import { ClockIcon, QueueIcon } from '../components/icons.tsx';
import { FailureNotice } from '../components/settings-part.tsx';
import { UpdateRow } from '../components/update-row.tsx';
import { VirtualList } from '../components/virtual-list.tsx';
import { useQueue, useStores, useTerminal, useWords } from '../context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import { formatMoment, formatWait } from '../formats/times.ts';
import { nameOfUpdate } from '../formats/updates.ts';
import { useNow } from '../now.ts';
import { queueFilters, type QueueFilter } from '../stores/queue.ts';

const filterNames = Object.keys(queueFilters) as readonly QueueFilter[];

/** Why the waiting ones do not leave just now, and whose they are. */
function Holding(): ReactElement | null {
  const { t, language } = useWords();
  const now = useNow();
  const { heldBy, nextTryAt, ofOthers } = useTerminal((state) => state.queue);
  if (heldBy === null && ofOthers.count === 0) {
    return null;
  }
  return (
    <div className="notice holding" data-kind="calm" role="status">
      <ClockIcon size={22} />
      <div>
        {heldBy !== null && (
          <p>
            {t(`queue.held.${heldBy}`)}
            {nextTryAt !== null && <> {t('queue.nextTry', { moment: formatMoment(nextTryAt, now, language), wait: formatWait(nextTryAt, now, language) })}</>}
          </p>
        )}
        {ofOthers.count > 0 && <p>{t('queue.ofOthers', { count: ofOthers.count, emails: ofOthers.emails.join(', ') })}</p>}
      </div>
    </div>
  );
}

function Figures(): ReactElement {
  const { t, language } = useWords();
  const queue = useTerminal((state) => state.queue);
  const figures = [
    { kind: 'pending', count: queue.pending },
    { kind: 'inFlight', count: queue.inFlight },
    { kind: 'parked', count: queue.parked },
    { kind: 'delivered', count: queue.delivered },
  ] as const;
  return (
    <dl className="figures">
      {figures.map(({ kind, count }) => (
        <div key={kind} data-standing={kind} data-some={count > 0}>
          <dt>{t(`queue.standing.${kind}`)}</dt>
          <dd>{formatNumber(count, language)}</dd>
        </div>
      ))}
    </dl>
  );
}

function discardText(update: QueuedUpdate, t: ReturnType<typeof useWords>['t']): string {
  const name = nameOfUpdate(update, t);
  return update.kind === 'restoreUser' ? t('queue.discardRestore', { name }) : t(update.isEnabled ? 'queue.discardOn' : 'queue.discardOff', { name });
}

export function Queue(): ReactElement {
  const { t } = useWords();
  const { queue } = useStores();
  const filter = useStore(queue.list, (list) => list.filter);
  const choose = useStore(queue.list, (list) => list.choose);
  const failure = useQueue((mirror) => mirror.failure);
  const discard = useQueue((mirror) => mirror.discard);
  const [exportFailure, setExportFailure] = useState<Failure | null>(null);
  const [doomed, setDoomed] = useState<QueuedUpdate | null>(null);
  // Until the question has gone from the screen, too.
  const [isCovered, setCovered] = useState(false);
  const askDiscard = useCallback((update: QueuedUpdate) => {
    setCovered(true);
    setDoomed(update);
  }, []);
  return (
    <div className="listing">
      <header className="listing-head">
        <div>
          <h1>{t('screen.queue')}</h1>
          <p className="lead">{t('queue.lead')}</p>
          <ExportButtons onFailure={setExportFailure} />
        </div>
        <Figures />
      </header>
      <Holding />
      <FailureNotice failure={failure ?? exportFailure} />
      <div className="listing-tools">
        <SegmentedControl
          className="choice"
          aria-label={t('list.filter')}
          data={filterNames.map((value) => ({ value, label: t(`queue.filter.${value}`) }))}
          value={filter}
          onChange={(value) => choose(filterNames.find((one) => one === value) ?? 'all')}
        />
      </div>
      <VirtualList
        list={queue.list}
        name={t('queue.list')}
        rowHeight={92}
        isCovered={isCovered}
        keyOf={(update) => update.id}
        empty={
          <div className="empty">
            <QueueIcon size={56} />
            <h2>{t(`queue.empty.${filter}.title`)}</h2>
            <p>{t(`queue.empty.${filter}.text`)}</p>
          </div>
        }
        draw={(update) => <UpdateRow update={update} askDiscard={askDiscard} />}
      />
      <Modal opened={doomed !== null} onClose={() => setDoomed(null)} onExitTransitionEnd={() => setCovered(false)} title={t('queue.discardTitle')} closeButtonProps={{ 'aria-label': t('form.close') }}>
        <div className="dialog">
          <p>{doomed !== null && discardText(doomed, t)}</p>
          <div className="form-actions">
            <Button size="lg" variant="default" data-autofocus onClick={() => setDoomed(null)}>
              {t('queue.keep')}
            </Button>
            <Button
              size="lg"
              color="red"
              onClick={() => {
                if (doomed !== null) {
                  void discard(doomed.id);
                }
                setDoomed(null);
              }}
            >
              {t('queue.discard')}
            </Button>
          </div>
        </div>
      </Modal>
    </div>
  );
}
