// Owns the list of consumption coupons with their switches. Never says that a change has been sent before it has.
import { Button, SegmentedControl } from '@mantine/core';
import { useEffect, type ReactElement } from 'react';
import { useStore } from 'zustand';
import type { CouponRow } from '../../app/contract/coupons.ts';
import { CouponSwitch } from '../components/coupon-switch.tsx';
import { FailureText } from '../components/failure-text.tsx';
import { CouponIcon, RefreshIcon } from '../components/icons.tsx';
import { VirtualList } from '../components/virtual-list.tsx';
import { useCoupons, useStores, useTerminal, useWords } from '../context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import type { CouponFilter } from '../stores/coupons.ts';

const filters = ['all', 'enabled', 'waiting'] as const satisfies readonly CouponFilter[];

function Row({ row }: { readonly row: CouponRow }): ReactElement {
  const { t } = useWords();
  const name = row.productName ?? t('coupon.nameless', { id: row.productId });
  return (
    <div className="row row-coupon">
      <div className="row-main">
        <p className="row-title">{name}</p>
        <p className="row-sub mono">{row.code ?? row.productId}</p>
      </div>
      <CouponSwitch productId={row.productId} coupon={row.coupon} of={name} />
    </div>
  );
}

function Empty({ filter }: { readonly filter: CouponFilter }): ReactElement {
  const { t } = useWords();
  return (
    <div className="empty">
      <CouponIcon size={56} />
      <h2>{t(`coupon.empty.${filter}.title`)}</h2>
      <p>{t(`coupon.empty.${filter}.text`)}</p>
    </div>
  );
}

export function Coupons(): ReactElement {
  const { t, language } = useWords();
  const { coupons } = useStores();
  const filter = useStore(coupons.list, (list) => list.filter);
  const total = useStore(coupons.list, (list) => list.total);
  const choose = useStore(coupons.list, (list) => list.choose);
  const { isRefreshing, refreshFailure, refresh } = useCoupons((mirror) => mirror);
  const isOffline = useTerminal((state) => state.connection.state === 'offline');
  // Names come with the catalogue's copy; the list is read again when it has grown.
  const copied = useTerminal((state) => Math.floor(state.catalogue.copied / 500));
  const readAgain = useStore(coupons.list, (list) => list.readAgain);
  useEffect(() => readAgain(), [copied, readAgain]);
  return (
    <div className="listing">
      <header className="listing-head">
        <div>
          <h1>{t('screen.coupons')}</h1>
          <p className="lead">{t('coupon.lead')}</p>
        </div>
        <Button variant="default" leftSection={<RefreshIcon size={20} />} loading={isRefreshing} disabled={isOffline} onClick={() => void refresh()}>
          {t('coupon.refresh')}
        </Button>
      </header>
      {refreshFailure !== null && (
        <div className="notice" data-kind="bad" role="alert">
          <FailureText failure={refreshFailure} />
        </div>
      )}
      <div className="listing-tools">
        <SegmentedControl
          className="choice"
          aria-label={t('list.filter')}
          data={filters.map((value) => ({ value, label: t(`coupon.filter.${value}`) }))}
          value={filter}
          onChange={(value) => choose(filters.find((one) => one === value) ?? 'all')}
        />
        <p className="listing-count" role="status">
          {total === null ? '' : t('coupon.count', { count: total, formatted: formatNumber(total, language) })}
        </p>
      </div>
      <VirtualList list={coupons.list} name={t('screen.coupons')} rowHeight={84} keyOf={(row) => row.productId} empty={<Empty filter={filter} />} draw={(row) => <Row row={row} />} />
    </div>
  );
}
