import { Button, SegmentedControl } from '@mantine/core';
import { useCallback, useEffect, useRef, useState, type ReactElement, type RefObject } from 'react';
import { useStore } from 'zustand';
import { expirySpans } from '../../app/contract/limits/expiring.ts';
import type { ExpiryCoverage, ExpirySpan } from '../../app/contract/expiring.ts';
import type { ProductHit } from '../../app/contract/products.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { useNewDay, useNow } from '../dom/clock.ts';
import { stepInList } from '../dom/row-steps.ts';
import { PrintList } from '../files/print-list.tsx';
import { SaveList } from '../files/save-list.tsx';
import { formatMoment } from '../formats/times.ts';
import { useCounted, useIsSignedIn, useStores, useWords } from '../stores/context.tsx';
import { useReadRepeatedly } from '../stores/use-repeated-read.ts';
import { ClearButton } from '../ui/clear-button.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { CheckIcon, ClockIcon, StockIcon } from '../ui/icons.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { BatchRow } from './batch-row.tsx';
import { coverageWords, whyWaiting } from './coverage-words.ts';
import { expiringFile } from './expiring-file.ts';
import { useExpiringList } from './expiring-list-store.ts';
import { PrintedBatches } from './printed-batches.tsx';
import './expiring.css';

const rowHeight = 72;
const readEveryMs = 10_000;
const readCoverage = (bridge: Bridge) => bridge.call('expiring:readCoverage', {});
const readPast = (bridge: Bridge) => bridge.call('expiring:list', { span: 'past', term: '', offset: 0, limit: 1 });

interface EmptyProps {
  readonly coverage: ExpiryCoverage | null;
  /** How many have expired already. */
  readonly expired: number;
  readonly find: RefObject<HTMLInputElement | null>;
}

/** Why nothing is listed, and what can be done. */
function Empty({ coverage, expired, find }: EmptyProps): ReactElement {
  const { t, language } = useWords();
  const write = useCounted();
  const now = useNow();
  const isSignedIn = useIsSignedIn();
  const list = useExpiringList();
  const { filter, choose } = useStore(list);
  if (coverage === null) {
    return <></>;
  }
  if (coverage.asked === 0) {
    const { night, nextNightAt } = coverage;
    const begins =
      nextNightAt === null ? null : t('expiring.empty.begins', { moment: formatMoment(nextNightAt, now, language) });
    return (
      <div className="empty">
        <ClockIcon size={44} />
        <h2>{t('expiring.empty.title')}</h2>
        <p>
          {night === 'off' ? t('expiring.empty.off') : (begins ?? whyWaiting(night, t) ?? t('expiring.empty.soon'))}
        </p>
        {night === 'off' && isSignedIn && (
          <Button component="a" href="#settings/copy">
            {t('expiring.empty.action')}
          </Button>
        )}
      </div>
    );
  }
  if (filter.term.trim() !== '') {
    return (
      <div className="empty">
        <StockIcon size={44} />
        <h2>{t('expiring.empty.noFit')}</h2>
        <ClearButton words={t('stock.clear')} field={find} clear={() => choose({ ...filter, term: '' })} />
      </div>
    );
  }
  return (
    <div className="empty">
      {coverage.asked < coverage.withStock || coverage.mayLack.length > 0 ? (
        <ClockIcon size={44} />
      ) : (
        <CheckIcon size={44} />
      )}
      <h2>{t(filter.span === 'past' ? 'expiring.empty.nonePast' : 'expiring.empty.none')}</h2>
      {filter.span !== 'past' && expired > 0 && (
        <Button onClick={() => choose({ ...filter, span: 'past' })}>
          {t('expiring.span.pastCounted', write(expired))}
        </Button>
      )}
    </div>
  );
}

/** Chooses the number of days. Expired batches are only counted, for no number of days lists them. */
function SpanChoice({ expired }: { readonly expired: number }): ReactElement {
  const { t } = useWords();
  const write = useCounted();
  const { filter, choose } = useStore(useExpiringList());
  const labelOf = (span: ExpirySpan): string => {
    if (span !== 'past') {
      return t('expiring.span.days', { count: Number(span) });
    }
    return expired === 0 ? t('expiring.span.past') : t('expiring.span.pastCounted', write(expired));
  };
  return (
    <SegmentedControl
      className="choice"
      aria-label={t('expiring.span.name')}
      data={expirySpans.map((value) => ({ value, label: labelOf(value) }))}
      value={filter.span}
      onChange={(span) => choose({ ...filter, span })}
    />
  );
}

interface ExpiringListProps {
  readonly onOpen: (hit: ProductHit) => void;
}

/** The batches that expire, in all products that this terminal was told of. */
export function ExpiringList({ onOpen }: ExpiringListProps): ReactElement {
  const { t, language } = useWords();
  const now = useNow();
  const write = useCounted();
  const { bridge } = useStores();
  const isSignedIn = useIsSignedIn();
  const list = useExpiringList();
  const { filter, total, readAgain } = useStore(list);
  const find = useRef<HTMLInputElement>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const read = useReadRepeatedly(readCoverage, readEveryMs);
  const coverage = read?.ok === true ? read.value : null;
  const past = useReadRepeatedly(readPast, readEveryMs);
  const expired = past?.ok === true ? past.value.total : 0;
  const asked = coverage?.asked;
  // Batches that were read meanwhile belong into the list.
  useEffect(() => {
    if (asked !== undefined) {
      readAgain();
    }
  }, [asked, readAgain]);
  useNewDay(readAgain);
  const search = useCallback((term: string) => list.getState().choose({ ...list.getState().filter, term }), [list]);
  const words = coverage === null ? '' : coverageWords(coverage, now, t, language);
  const isEmpty = total === null || total === 0;
  return (
    <>
      <div className="search-line line-3">
        <SpanChoice expired={expired} />
        <SearchField
          label={t('expiring.term')}
          placeholder={t('expiring.term')}
          kept={filter.term}
          onChange={search}
          field={find}
        />
      </div>
      <div className="expiring-head">
        <div>
          <p className="expiring-coverage">
            {words}{' '}
            {isSignedIn && coverage !== null && coverage.night === 'off' && coverage.asked > 0 && (
              <a href="#settings/copy">{t('expiring.empty.action')}</a>
            )}
          </p>
          <p className="listing-count" role="status">
            {total === null ? '' : t('expiring.count', write(total))}
          </p>
        </div>
        <div className="listing-side">
          {isSignedIn && (
            <SaveList
              name="expiring"
              list={() => expiringFile(bridge, filter, t)}
              isEmpty={isEmpty}
              onFailure={setFailure}
            />
          )}
          {isSignedIn && (
            <PrintList
              words={t('expiring.print')}
              reading={t('expiring.printing')}
              list={() => expiringFile(bridge, filter, t)}
              isEmpty={isEmpty}
              onFailure={setFailure}
              draw={(rows, onDone) => <PrintedBatches rows={rows} coverage={words} onDone={onDone} />}
            />
          )}
        </div>
      </div>
      <FailureNotice failure={failure ?? (read?.ok === false ? read.failure : null)} />
      <VirtualList
        list={list}
        name={t('expiring.tab')}
        rowHeight={rowHeight}
        keyOf={(_row, place) => place}
        empty={<Empty coverage={coverage} expired={expired} find={find} />}
        draw={(row) => <BatchRow row={row} onOpen={onOpen} />}
        onKeyDown={(event) => stepInList(event, 'button')}
      />
    </>
  );
}
