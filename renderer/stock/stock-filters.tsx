import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
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
import { FilterIcon } from '../ui/icons.tsx';
import { SearchField, typingMs } from '../ui/search-field.tsx';

/** So that the fields stand in one line, however long the words about them are. */
const fieldOrder = ['label' as const, 'input' as const, 'description' as const, 'error' as const];

/** How many of the filters under "More filters" are on. */
function countMore({ productIds, updatedFrom }: StockQuery): number {
  return (productIds === null ? 0 : 1) + (updatedFrom === null ? 0 : 1);
}

/** True when a filter narrows the view down. */
export function isFiltered(query: StockQuery): boolean {
  return query.stockId !== null || query.term.trim() !== '' || countMore(query) > 0;
}

/** The query without filters; the view and its order stay. */
export const noFilters = { stockId: null, term: '', productIds: null, updatedFrom: null } as const;

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

interface MoreFilters {
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
  /** Of the panel. */
  readonly id: string;
}

/** Whether the rest of the filters is shown; it is while one of them is on. */
export function useMoreFilters(): MoreFilters {
  const id = useId();
  const [isOpen, setOpen] = useState(useStock((stock) => countMore(stock.query)) > 0);
  return { isOpen, setOpen, id };
}

interface StockFiltersProps {
  readonly find: RefObject<HTMLInputElement | null>;
  readonly panel: MoreFilters;
}

/** The filters beside the view. */
export function StockFilters({ find, panel: { isOpen, setOpen, id } }: StockFiltersProps): ReactElement {
  const { t } = useWords();
  const query = useStock((stock) => stock.query);
  const choose = useStock((stock) => stock.choose);
  const nameOf = useStockName();
  const stocks = useTerminal((state) => state.catalogue.stocks);
  const more = countMore(query);
  return (
    <>
      <TermField field={find} />
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
        aria-controls={id}
        leftSection={<FilterIcon size={20} />}
        onClick={() => setOpen(!isOpen)}
      >
        {more === 0 ? t('stock.more') : t('stock.moreOn', { count: more })}
      </Button>
    </>
  );
}

/** The rest of the filters, below. */
export function StockFilterPanel({ find, panel: { isOpen, id } }: StockFiltersProps): ReactElement {
  const { t, language } = useWords();
  const query = useStock((stock) => stock.query);
  const choose = useStock((stock) => stock.choose);
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
    <div id={id} className="stock-more stack-4" hidden={!isOpen}>
      <IdsField text={ids} setText={setIds} />
      <SinceField text={since} setText={setSince} />
      <Button
        variant="default"
        disabled={!isFiltered(query) && ids.trim() === '' && since.trim() === ''}
        onClick={clear}
      >
        {t('stock.clear')}
      </Button>
    </div>
  );
}
