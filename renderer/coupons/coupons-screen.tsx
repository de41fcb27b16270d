import { Button, SegmentedControl } from '@mantine/core';
import { useCallback, useRef, useState, type ReactElement, type RefObject } from 'react';
import { useStore } from 'zustand';
import type { CouponFilter } from '../../app/contract/coupons.ts';
import type { CouponSetHow } from '../../app/contract/coupon-sets.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { SaveList } from '../files/save-list.tsx';
import { couponFile } from './coupon-file.ts';
import { CouponChoiceBar } from './coupon-selection-bar.tsx';
import { CouponManyDialog } from './coupon-bulk-dialog.tsx';
import { CouponTable } from './coupon-table.tsx';
import { CouponIcon, RefreshIcon } from '../ui/icons.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { ClearButton } from '../ui/clear-button.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { lazyDialog } from '../ui/lazy-part.tsx';
import { useBlockedBy, useCoupons, useStores, useWords } from '../stores/context.tsx';
import { everyCoupon } from './coupons-store.ts';

const SetsDialog = lazyDialog(async () => (await import('../coupon-sets/sets-dialog.tsx')).SetsDialog);

const filters = ['all', 'enabled', 'disabled', 'waiting', 'refused'] as const satisfies readonly CouponFilter[];

function Empty({ find }: { readonly find: RefObject<HTMLInputElement | null> }): ReactElement {
  const { t } = useWords();
  const { coupons } = useStores();
  const { filter, term } = useStore(coupons.list, (list) => list.filter);
  const choose = useStore(coupons.list, (list) => list.choose);
  const isSearched = term.trim() !== '';
  return (
    <div className="empty">
      <CouponIcon size={44} />
      <h2>
        {isSearched ? t('coupons.empty.searched.title', { term: term.trim() }) : t(`coupons.empty.${filter}.title`)}
      </h2>
      <p>
        {isSearched
          ? t(
              filter === 'all' || filter === 'disabled'
                ? 'coupons.empty.searched.text'
                : 'coupons.empty.searched.filtered',
            )
          : t(`coupons.empty.${filter}.text`)}
      </p>
      {!isSearched && filter === 'all' ? (
        <Button variant="default" onClick={() => find.current?.focus()}>
          {t('coupons.empty.find')}
        </Button>
      ) : (
        <ClearButton
          words={t(isSearched && filter !== 'all' ? 'coupons.empty.everySetting' : 'coupons.empty.everything')}
          field={find}
          clear={() => choose(isSearched && filter !== 'all' ? { filter: 'all', term } : everyCoupon)}
        />
      )}
    </div>
  );
}

export function Coupons(): ReactElement {
  const find = useRef<HTMLInputElement>(null);
  const { t } = useWords();
  const { bridge, coupons } = useStores();
  const total = useStore(coupons.list, (list) => list.total);
  const [sets, setSets] = useState<{ readonly how: CouponSetHow | null } | null>(null);
  const [fileFailure, setFileFailure] = useState<Failure | null>(null);
  const query = useStore(coupons.list, (list) => list.filter);
  const choose = useStore(coupons.list, (list) => list.choose);
  const { isRefreshing, refreshFailure, refresh } = useCoupons((store) => store);
  const isBlocked = useBlockedBy() !== null;
  const search = useCallback(
    (term: string) => choose({ ...coupons.list.getState().filter, term }),
    [choose, coupons.list],
  );
  return (
    <div className="listing coupons">
      <header className="listing-head">
        <div>
          <h1>{t('shell.screen.coupons')}</h1>
          <p className="lead">{t('coupons.lead')}</p>
        </div>
        <div className="listing-side">
          <Button
            variant="default"
            leftSection={<RefreshIcon size={20} />}
            loading={isRefreshing}
            disabled={isBlocked}
            onClick={() => void refresh()}
          >
            {t('coupons.refresh')}
          </Button>
          <Button variant="default" onClick={() => setSets({ how: null })}>
            {t('couponSets.title')}
          </Button>
          <SaveList
            name="coupons"
            list={() => couponFile(bridge, coupons.listed(), t)}
            isEmpty={total === 0}
            onFailure={setFileFailure}
          />
        </div>
      </header>
      <FailureNotice failure={refreshFailure ?? fileFailure} />
      <div className="search-line line-3">
        <SearchField
          label={t('stock.term')}
          placeholder={t('coupons.search')}
          kept={query.term}
          onChange={search}
          field={find}
        />
        <SegmentedControl
          className="choice"
          aria-label={t('ui.list.filter')}
          data={filters.map((value) => ({ value, label: t(`coupons.filter.${value}`) }))}
          value={query.filter}
          onChange={(filter) => choose({ ...query, filter })}
        />
      </div>
      <CouponChoiceBar saveAsSet={(productIds) => setSets({ how: { kind: 'list', productIds: [...productIds] } })} />
      <CouponTable empty={<Empty find={find} />} />
      <CouponManyDialog />
      {sets !== null && <SetsDialog how={sets.how} close={() => setSets(null)} />}
    </div>
  );
}
