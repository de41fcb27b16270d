import { Button } from '@mantine/core';
import { useCallback, useRef, useState, type ReactElement, type RefObject } from 'react';
import type { ProductHit } from '../../app/contract/products.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useIsResting } from '../ui/sync-progress.tsx';
import { CopyingIcon, StockIcon } from '../ui/icons.tsx';
import { ClearButton } from '../ui/clear-button.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { SaveList } from '../files/save-list.tsx';
import { stockFile } from './stock-file.ts';
import { StockLists, StockNote, StockViewAction } from './stock-lists.tsx';
import { isFiltered, noFilters, StockFilterPanel, StockFilters, useMoreFilters } from './stock-filters.tsx';
import { StockTable } from './stock-table.tsx';
import { isOfCopy, viewOf } from './stock-views.ts';
import { useTableFields } from './table-fields.ts';
import { UnknownCodes } from './unknown-codes.tsx';
import {
  useBlockedBy,
  useIsSignedIn,
  useLookup,
  useNavigation,
  useStock,
  useStockIds,
  useStores,
  useTerminal,
  useWords,
} from '../stores/context.tsx';
import { copyMomentOf } from '../formats/blocked-by.ts';
import { formatNumber } from '../formats/numbers.ts';
import { formatMoment } from '../formats/times.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { useNow } from '../dom/clock.ts';

const ExpiringList = lazyPart(async () => (await import('../expiring/expiring-list.tsx')).ExpiringList);

/** Whose figures these are, and how old: the copy of the chosen stock, or of all. */
function CopyWords(): ReactElement {
  const { t, language } = useWords();
  const now = useNow();
  const stockId = useStock((stock) => stock.query.stockId);
  const all = useTerminal((state) => state.catalogue.stocks);
  const blockedBy = useBlockedBy();
  const isResting = useIsResting();
  const stocks = all.filter((stock) => stockId === null || stock.stockId === stockId);
  const asOf = copyMomentOf(stocks);
  const copied = stocks.reduce((sum, stock) => sum + stock.copied, 0);
  const total = stocks.some((stock) => stock.total === null)
    ? null
    : stocks.reduce((sum, stock) => sum + (stock.total ?? 0), 0);
  const words = (): string => {
    if (asOf !== null) {
      return t('stock.copy.complete', { moment: formatMoment(asOf, now, language) });
    }
    if (isResting || total === null) {
      return t(isResting ? 'stock.copy.resting' : 'stock.copy.begun');
    }
    const percent = total === 0 ? 0 : Math.min(99, Math.floor((copied / total) * 100));
    return t('stock.copy.running', { percent: formatNumber(percent, language) });
  };
  return (
    <p className="lead">
      {words()}
      {blockedBy !== null && <strong className="stock-offline"> {t(`stock.copy.${blockedBy}`)}</strong>}
    </p>
  );
}

function Count(): ReactElement {
  const { t, language } = useWords();
  const { total, count, isStale, query } = useStock((stock) => stock);
  const stocks = useStockIds().length;
  // A product that lies in two stocks is two lines.
  const counted = (fitting: number): string => {
    const formatted = formatNumber(fitting, language);
    return query.stockId === null && stocks > 1
      ? t('stock.lines', { count: fitting, formatted, stocks: formatNumber(stocks, language) })
      : t('stock.count', { count: fitting, formatted });
  };
  const soFar = isStale ? t('stock.counting') : t('stock.countingSoFar', { formatted: formatNumber(count, language) });
  return (
    <p className="listing-count" role="status">
      {total === null ? soFar : counted(total)}
    </p>
  );
}

function Empty({ find }: { readonly find: RefObject<HTMLInputElement | null> }): ReactElement {
  const { t } = useWords();
  const query = useStock((stock) => stock.query);
  const view = viewOf(query);
  const choose = useStock((stock) => stock.choose);
  const isResting = useIsResting();
  const isSignedIn = useIsSignedIn();
  const hasMinima = useTerminal((state) => (state.watchList?.watched ?? 0) > 0);
  if (isFiltered(query)) {
    return (
      <div className="empty">
        <StockIcon size={44} />
        <h2>{t('stock.noFit.title')}</h2>
        <p>{t('stock.noFit.text')}</p>
        <ClearButton words={t('stock.clear')} field={find} clear={() => choose(noFilters)} />
      </div>
    );
  }
  if (view === 'all') {
    return (
      <div className="empty">
        <CopyingIcon size={44} />
        <h2>{t('stock.empty.title')}</h2>
        <p>{t(isResting ? 'ui.copy.restingHint' : 'stock.empty.text')}</p>
        {isSignedIn && (
          <Button variant="default" component="a" href="#settings/copy">
            {t('stock.empty.action')}
          </Button>
        )}
      </div>
    );
  }
  // Nothing can be below a minimum before there is one.
  const empty = view === 'below' && !hasMinima ? 'watched' : view;
  return (
    <div className="empty">
      <StockIcon size={44} />
      <h2>{t(`stock.none.${empty}.title`)}</h2>
      <p>{t(`stock.none.${empty}.text`)}</p>
    </div>
  );
}

export function Stock(): ReactElement {
  const { t } = useWords();
  const go = useNavigation((navigation) => navigation.go);
  const open = useLookup((lookup) => lookup.open);
  const stockIds = useStockIds();
  const failure = useStock((stock) => stock.failure);
  const query = useStock((stock) => stock.query);
  const isEmpty = useStock((stock) => stock.count === 0);
  const fields = useTableFields();
  const { bridge } = useStores();
  const find = useRef<HTMLInputElement>(null);
  const isSignedIn = useIsSignedIn();
  const shown = useStock((stock) => stock.shown);
  const isTable = isOfCopy(shown);
  const panel = useMoreFilters();
  const [fileFailure, setFileFailure] = useState<Failure | null>(null);
  const openProduct = useCallback(
    (hit: ProductHit) => {
      go('lookup');
      void open(hit, stockIds);
    },
    [go, open, stockIds],
  );
  return (
    <div className="listing stock">
      <header className="listing-head">
        <div>
          <h1>{t('shell.screen.stock')}</h1>
          <CopyWords />
        </div>
        {isTable && (
          <div className="listing-side">
            <Count />
            <StockViewAction />
            {isSignedIn && (
              <SaveList
                name="stock"
                list={() => stockFile(bridge, query, t, fields)}
                isEmpty={isEmpty}
                onFailure={setFileFailure}
              />
            )}
          </div>
        )}
      </header>
      <FailureNotice failure={failure ?? fileFailure} />
      <StockLists>{isTable && <StockFilters find={find} panel={panel} />}</StockLists>
      {isTable && (
        <>
          <StockFilterPanel find={find} panel={panel} />
          <StockNote />
          <StockTable empty={<Empty find={find} />} onOpen={openProduct} />
        </>
      )}
      {shown === 'expiring' && <ExpiringList onOpen={openProduct} />}
      {shown === 'unknownCodes' && <UnknownCodes />}
    </div>
  );
}
