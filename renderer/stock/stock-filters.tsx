import { Button, NativeSelect, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import {
  useCallback,
  useEffect,
  useId,
  useState,
  type Dispatch,
  type ReactElement,
  type RefObject,
  type SetStateAction,
} from 'react';
import type { StockQuery } from '../../app/contract/browse.ts';
import { useStock, useStockName, useTerminal, useWords } from '../stores/context.tsx';
import { maxIds, readIds } from '../formats/ids.ts';
import { formatNumber } from '../formats/numbers.ts';
import { formatTypedMoment, parseTypedMoment } from '../formats/typed-moments.ts';
import { later, useNow } from '../dom/clock.ts';
import { everyProduct } from '../../app/contract/every-product.ts';
import { FilterIcon } from '../ui/icons.tsx';
import { SearchField, typingMs } from '../ui/search-field.tsx';

const amounts = ['all', 'positive', 'negative', 'zero'] as const satisfies readonly StockQuery['amount'][];
/** So that the fields stand in one line, however long the words about them are. */
const fieldOrder = ['label' as const, 'input' as const, 'description' as const, 'error' as const];

/** How many of the filters under "More filters" are on. */
function countMore({ productIds, updatedFrom }: StockQuery): number {
  return (productIds === null ? 0 : 1) + (updatedFrom === null ? 0 : 1);
}

/** True when anything narrows the table down. */
export function isNarrowed(query: StockQuery): boolean {
  return (
    query.list !== 'all' ||
    query.stockId !== null ||
    query.amount !== 'all' ||
    query.term.trim() !== '' ||
    countMore(query) > 0
  );
}

/** The query without filters; the list and its order stay. */
export const noFilters = {
  stockId: everyProduct.stockId,
  amount: everyProduct.amount,
  term: '',
  productIds: null,
  updatedFrom: null,
} as const;

function TermField({ field }: { readonly field: RefObject<HTMLInputElement | null> }): ReactElement {
  const { t } = useWords();
  const kept = useStock((stock) => stock.query.term);
  const choose = useStock((stock) => stock.choose);
  const search = useCallback((term: string) => choose({ term }), [choose]);
  return (
    <SearchField
      label={t('stock.term')}
      placeholder={t('stock.termShort')}
      kept={kept}
      onChange={search}
      field={field}
    />
  );
}

interface TypedFilterProps {
  /** As it was typed, right or wrong. */
  readonly text: string;
  readonly setText: Dispatch<SetStateAction<string>>;
}

function IdsField({ text, setText }: TypedFilterProps): ReactElement {
  const { t, language } = useWords();
  const kept = useStock((stock) => stock.query.productIds);
  const choose = useStock((stock) => stock.choose);
  const { ids, wrong, wrongCount, isTooMany } = readIds(text);
  const known = ids.join(',');
  useEffect(() => {
    if (kept === null) {
      // Taken off from elsewhere; what is only wrong stays for its writer.
      setText((typed) => (readIds(typed).ids.length > 0 ? '' : typed));
    }
  }, [kept, setText]);
  useEffect(
    () =>
      known === (kept?.join(',') ?? '')
        ? undefined
        : later(typingMs, () => choose({ productIds: known === '' ? null : [...readIds(known).ids] })),
    [choose, kept, known],
  );
  const named = wrong.map((piece) => `“${piece}”`).join(', ');
  const more = wrongCount - wrong.length;
  const wrongWords = [
    more > 0
      ? t('stock.ids.wrongMore', { texts: named, more: formatNumber(more, language) })
      : t('stock.ids.wrong', { count: wrongCount, texts: named }),
    ...(ids.length === 0 ? [t('stock.unapplied')] : []),
  ].join(' ');
  const tooMany = isTooMany ? t('stock.ids.tooMany', { max: formatNumber(maxIds, language) }) : undefined;
  return (
    <Textarea
      label={t('stock.ids.label')}
      description={
        ids.length === 0
          ? t('stock.ids.help')
          : t('stock.ids.count', { count: ids.length, formatted: formatNumber(ids.length, language) })
      }
      error={wrongCount > 0 ? wrongWords : tooMany}
      size="md"
      rows={1}
      autosize
      maxRows={4}
      inputWrapperOrder={fieldOrder}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}

function SinceField({ text, setText }: TypedFilterProps): ReactElement {
  const { t, language } = useWords();
  const now = useNow();
  const kept = useStock((stock) => stock.query.updatedFrom);
  const choose = useStock((stock) => stock.choose);
  const [isTyping, setTyping] = useState(false);
  const moment = parseTypedMoment(text, language);
  const isWrong = moment === null && text.trim() !== '';
  const example = formatTypedMoment(now, language);
  useEffect(() => {
    if (kept === null) {
      setText((typed) => (parseTypedMoment(typed, language) === null ? typed : ''));
    }
  }, [kept, language, setText]);
  // Half a date takes nothing off while it is being typed.
  useEffect(
    () =>
      moment === kept || (isWrong && isTyping) ? undefined : later(typingMs, () => choose({ updatedFrom: moment })),
    [choose, isTyping, isWrong, kept, moment],
  );
  return (
    <TextInput
      size="md"
      inputWrapperOrder={fieldOrder}
      label={t('stock.since.label')}
      description={t('stock.since.help')}
      placeholder={example}
      error={isWrong && !isTyping ? `${t('stock.since.wrong', { example })} ${t('stock.unapplied')}` : undefined}
      autoComplete="off"
      spellCheck={false}
      maxLength={40}
      value={text}
      onChange={(event) => {
        setTyping(true);
        setText(event.currentTarget.value);
      }}
      onBlur={() => setTyping(false)}
      onKeyDown={(event) => {
        // Whoever presses Enter has typed to the end.
        setTyping((before) => before && event.key !== 'Enter');
      }}
    />
  );
}

/** The bar above the table. */
export function StockFilters({ find }: { readonly find: RefObject<HTMLInputElement | null> }): ReactElement {
  const { t, language } = useWords();
  const moreId = useId();
  const query = useStock((stock) => stock.query);
  const choose = useStock((stock) => stock.choose);
  const nameOf = useStockName();
  const stocks = useTerminal((state) => state.catalogue.stocks);
  const [isOpen, setOpen] = useState(countMore(query) > 0);
  const more = countMore(query);
  const [ids, setIds] = useState(query.productIds?.join(', ') ?? '');
  const [since, setSince] = useState(query.updatedFrom === null ? '' : formatTypedMoment(query.updatedFrom, language));
  const clear = (): void => {
    choose(noFilters);
    setIds('');
    setSince('');
    // The button sleeps from now on.
    find.current?.focus();
  };
  return (
    <div className="stack-3">
      <div className="stock-filter-line line-3">
        <TermField field={find} />
        <SegmentedControl
          className="choice"
          aria-label={t('stock.amount.name')}
          data={amounts.map((value) => ({ value, label: t(`stock.amount.${value}`) }))}
          value={query.amount}
          onChange={(amount) => choose({ amount })}
        />
        {stocks.length > 1 && (
          <NativeSelect
            className="stock-choice"
            size="md"
            aria-label={t('stock.column.stock')}
            data={[
              { value: '', label: t('stock.everyStock') },
              ...stocks.map(({ stockId, name }) => ({ value: stockId as string, label: nameOf(stockId, name) })),
            ]}
            value={query.stockId ?? ''}
            onChange={(event) =>
              choose({ stockId: stocks.find((stock) => stock.stockId === event.currentTarget.value)?.stockId ?? null })
            }
          />
        )}
        <Button
          className="stock-more-button"
          variant="default"
          aria-expanded={isOpen}
          aria-controls={moreId}
          leftSection={<FilterIcon size={20} />}
          onClick={() => setOpen(!isOpen)}
        >
          {more === 0 ? t('stock.more') : t('stock.moreOn', { count: more })}
        </Button>
      </div>
      <div id={moreId} className="stock-more" hidden={!isOpen}>
        <IdsField text={ids} setText={setIds} />
        <SinceField text={since} setText={setSince} />
        <Button
          variant="default"
          disabled={!isNarrowed({ ...query, list: 'all' }) && ids.trim() === '' && since.trim() === ''}
          onClick={clear}
        >
          {t('stock.clear')}
        </Button>
      </div>
    </div>
  );
}
