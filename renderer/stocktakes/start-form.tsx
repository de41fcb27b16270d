import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useEffect, useRef, useState, type ReactElement, type SubmitEvent } from 'react';
import { maxStocktakeLines } from '../../app/contract/limits/stocktakes.ts';
import type { StocktakeFilter } from '../../app/contract/stocktakes.ts';
import type { Id } from '../../app/domain/int64.ts';
import { fitText } from '../../app/domain/visible-text.ts';
import { later, present } from '../dom/clock.ts';
import { useTypedInto } from '../dom/focus.ts';
import { formatNumber } from '../formats/numbers.ts';
import { formatFullMoment } from '../formats/times.ts';
import { everyProduct } from '../../app/contract/every-product.ts';
import {
  useCounted,
  useStockIds,
  useStockName,
  useStocktakes,
  useStores,
  useTerminal,
  useWords,
} from '../stores/context.tsx';
import { useDraft } from '../stores/use-draft.ts';
import { SettingsPart } from '../ui/settings-part.tsx';
import { typingMs } from '../ui/search-field.tsx';

const amounts = ['all', 'positive', 'negative', 'zero'] as const;
const covers = ['shelf', 'filter'] as const;
const askAgainMs = 200;

/** How many products of the stock fit the filter; null while they are being counted. */
function useFitting(filter: StocktakeFilter, stockId: Id | undefined): number | null {
  const { bridge } = useStores();
  const [fitting, setFitting] = useState<number | null>(null);
  const asked = JSON.stringify([filter, stockId]);
  useEffect(() => {
    setFitting(null);
    if (filter === null || stockId === undefined) {
      return undefined;
    }
    let isWanted = true;
    const query = { ...everyProduct, ...filter, stockId };
    const ask = async (view?: number): Promise<void> => {
      const page = await bridge.call('stock:browse', {
        query,
        ...(view === undefined ? {} : { view }),
        offset: 0,
        limit: 1,
      });
      if (!isWanted || !page.ok) {
        return;
      }
      if (page.value.total === null) {
        cancel = later(askAgainMs, () => void ask(page.value.view));
      } else {
        setFitting(page.value.total);
      }
    };
    let cancel = later(typingMs, () => void ask());
    return () => {
      isWanted = false;
      cancel();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- `asked` is the filter and the stock
  }, [asked, bridge]);
  return fitting;
}

/** Begins a count of a shelf, or of the products that a filter fits. */
export function StartForm({ onStarted }: { readonly onStarted: (id: number) => void }): ReactElement {
  const { t, language } = useWords();
  const counted = useCounted();
  const start = useStocktakes((store) => store.start);
  const { drafts } = useStores();
  const stockIds = useStockIds();
  const stocks = useTerminal((state) => state.catalogue.stocks);
  const nameOf = useStockName();
  const [name, setName] = useDraft('stocktake.name', '');
  const [term, setTerm] = useDraft('stocktake.term', '');
  const [cover, setCover] = useState<(typeof covers)[number]>('shelf');
  const [amount, setAmount] = useState<(typeof amounts)[number]>('all');
  const [chosenStock, setStock] = useState<string | null>(null);
  const [isStarting, setStarting] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useTypedInto(field);
  const stockId = stockIds.find((id) => id === chosenStock) ?? stockIds[0];
  const filter: StocktakeFilter = cover === 'shelf' ? null : { term: term.trim(), amount };
  const fitting = useFitting(filter, stockId);
  // Until then no figure is there to compare with. One that the platform refuses says so when it is tried.
  const isCopying = stocks.some((one) => one.stockId === stockId && one.completeAsOf === null && one.refused === null);
  const isTooWide = fitting !== null && fitting > maxStocktakeLines;
  const fittingWords = fitting === null ? t('stock.counting') : t('stock.count', counted(fitting));

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (stockId === undefined || isCopying || isTooWide || isStarting) {
      return;
    }
    setStarting(true);
    const id = await start({ name: fitText(name, 100) ?? formatFullMoment(present(), language), stockId, filter });
    setStarting(false);
    if (id !== null) {
      drafts.getState().drop(['stocktake.name', 'stocktake.term']);
      onStarted(id);
    }
  };

  return (
    <SettingsPart title={t('stocktakes.start.title')}>
      <form className="form" noValidate onSubmit={(event) => void submit(event)}>
        <TextInput
          ref={field}
          size="md"
          label={t('stocktakes.start.name')}
          description={t('stocktakes.start.nameHelp')}
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {stockIds.length > 1 && (
          <NativeSelect
            size="md"
            label={t('stock.column.stock')}
            value={stockId}
            data={stockIds.map((id) => ({
              value: id,
              label: nameOf(id, stocks.find((stock) => stock.stockId === id)?.name ?? null),
            }))}
            onChange={(event) => setStock(event.currentTarget.value)}
          />
        )}
        <div className="setting stack-2">
          <p>{t('stocktakes.start.cover')}</p>
          <SegmentedControl
            className="choice"
            aria-label={t('stocktakes.start.cover')}
            fullWidth
            data={covers.map((value) => ({ value, label: t(`stocktakes.start.${value}`) }))}
            value={cover}
            onChange={setCover}
          />
          <p className="hint">{t(`stocktakes.start.${isCopying ? 'copying' : `${cover}Help`}`)}</p>
        </div>
        {cover === 'filter' && (
          <>
            <TextInput
              size="md"
              label={t('stock.term')}
              maxLength={200}
              spellCheck={false}
              value={term}
              onChange={(event) => setTerm(event.currentTarget.value)}
            />
            <NativeSelect
              size="md"
              label={t('stock.column.balance')}
              value={amount}
              data={amounts.map((value) => ({ value, label: t(`stock.amount.${value}`) }))}
              onChange={(event) => setAmount(amounts.find((one) => one === event.currentTarget.value) ?? 'all')}
            />
            <p className="hint" role="status">
              {isTooWide
                ? t('stocktakes.start.tooWide', { max: formatNumber(maxStocktakeLines, language) })
                : fittingWords}
            </p>
          </>
        )}
        <Button type="submit" size="lg" loading={isStarting} disabled={isTooWide || isCopying}>
          {t('stocktakes.start.button')}
        </Button>
      </form>
    </SettingsPart>
  );
}
