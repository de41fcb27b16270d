import { Checkbox, Loader, NativeSelect } from '@mantine/core';
import { useEffect, useId, useRef, type ReactElement, type ReactNode } from 'react';
import type { ProductCard } from '../../app/contract/products.ts';
import type { OptionMovements, ProductMovements } from '../../app/contract/details.ts';
import type { Id } from '../../app/domain/int64.ts';
import { useDetails, useBlockedBy, useStockName, useWords } from '../stores/context.tsx';
import type { ProductGroup } from '../formats/products.ts';
import { ageInWords, formatMoment } from '../formats/times.ts';
import { formatQuantity, formatUnit } from '../formats/units.ts';
import { useNow } from '../dom/clock.ts';
import type { DetailsPart } from './details-store.ts';
import { BatchList } from './batch-list.tsx';
import { ProductBarcode } from './product-barcode.tsx';
import { useShortcut } from '../stores/use-shortcut.ts';
import { ariaKeysOf } from '../stores/shortcuts.ts';
import { FailureNotice } from '../ui/failure-text.tsx';
import { ListIcon, RefreshIcon } from '../ui/icons.tsx';
import { KeyHint } from '../ui/keys.tsx';
import { NumberText } from '../ui/number-text.tsx';
import { Quantity, usePauseWords } from '../ui/quantity.tsx';

const figures = ['in', 'out', 'all'] as const;

/**
 * Why it takes so long when the platform has asked for a pause, and what is being asked otherwise; or of when the
 * answer is.
 */
function PartLine({ part, asOf }: { readonly part: DetailsPart<unknown>; readonly asOf: number | null }): ReactElement {
  const { t, language } = useWords();
  const now = useNow();
  const pause = usePauseWords();
  const age =
    asOf === null
      ? ''
      : t('lookup.details.asOf', {
          moment: formatMoment(asOf, now, language),
          age: ageInWords(asOf, now, t, language),
        });
  return (
    <p className="details-line" data-empty={!part.isReading && age === ''}>
      {/* The age goes on by itself; to tell it again and again would drown all else. */}
      <span className="details-asking" role="status">
        {part.isReading && (
          <>
            <Loader size={16} /> {pause ?? t('lookup.details.asking')}
          </>
        )}
      </span>{' '}
      {age}
    </p>
  );
}

interface PartProps {
  readonly title: string;
  readonly part: DetailsPart<unknown>;
  /** Null where another part says it already. */
  readonly asOf: number | null;
  readonly children: ReactNode;
}

function Part({ title, part, asOf, children }: PartProps): ReactElement {
  return (
    <section className="details-part stack-2" aria-label={title}>
      <h3>{title}</h3>
      <PartLine part={part} asOf={asOf} />
      {part.failure !== null && part.failure.kind !== 'cancelled' && <FailureNotice failure={part.failure} />}
      {children}
    </section>
  );
}

interface TotalsProps {
  readonly movements: ProductMovements;
  readonly unit: string | null;
}

function Totals({ movements, unit }: TotalsProps): ReactElement {
  const { t, language } = useWords();
  return (
    <dl className="totals">
      {figures.map((figure) => (
        <div key={figure} data-figure={figure}>
          <dt className="hint">{t(`lookup.details.${figure}`)}</dt>
          <dd>
            <NumberText text={formatQuantity(movements[figure], unit, language)} />{' '}
            <span className="quantity-unit">{formatUnit(unit, movements[figure], language)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface OptionTableProps {
  readonly options: readonly OptionMovements[];
  readonly unit: string | null;
}

function OptionTable({ options, unit }: OptionTableProps): ReactElement {
  const { t, language } = useWords();
  const chosen = useDetails((details) => details.optionIds);
  const choose = useDetails((details) => details.choose);
  const blockedBy = useBlockedBy();
  const isChosen = ({ ids }: OptionMovements): boolean => ids.length > 0 && ids.every((id) => chosen.includes(id));
  const toggle = (option: OptionMovements): void => {
    const others = options.filter((other) => other !== option && isChosen(other)).flatMap(({ ids }) => ids);
    void choose([...new Set<Id>(isChosen(option) ? others : [...others, ...option.ids])].slice(0, 50));
  };
  return (
    <table className="option-table">
      <caption className="visually-hidden">{t('lookup.details.options')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('lookup.details.option')}</th>
          {figures.map((figure) => (
            <th key={figure} scope="col">
              {t(`lookup.details.${figure}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {options.map((option, index) => (
          <tr key={`${option.name}-${index}`} data-chosen={isChosen(option)}>
            <th scope="row">
              {option.ids.length === 0 ? (
                option.name
              ) : (
                <Checkbox
                  label={option.name}
                  checked={isChosen(option)}
                  disabled={blockedBy !== null}
                  onChange={() => toggle(option)}
                />
              )}
            </th>
            {figures.map((figure) => (
              <td key={figure}>
                {option[figure] === null ? (
                  '\u2013'
                ) : (
                  <NumberText text={formatQuantity(option[figure], unit, language)} />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface OpenedProps {
  readonly card: ProductCard;
  readonly cards: readonly ProductCard[];
  readonly scanned: string;
}

function Opened({ card, cards, scanned }: OpenedProps): ReactElement {
  const { t } = useWords();
  const nameOf = useStockName();
  const open = useDetails((details) => details.open);
  const readAgain = useDetails((details) => details.readAgain);
  const choose = useDetails((details) => details.choose);
  const optionIds = useDetails((details) => details.optionIds);
  const movements = useDetails((details) => details.movements);
  const batches = useDetails((details) => details.batches);
  const blockedBy = useBlockedBy();
  const hasChosen = optionIds.length > 0;
  const shownMovements = hasChosen ? movements.chosen : movements.whole;
  const shownBatches = hasChosen ? batches.chosen : batches.whole;
  const movementsAsOf = shownMovements?.asOf ?? null;
  const batchesAsOf = shownBatches?.asOf ?? null;
  const isReadTogether =
    movementsAsOf !== null && batchesAsOf !== null && Math.abs(batchesAsOf - movementsAsOf) < 60_000;
  const options = movements.whole?.options ?? [];
  // Said once for both; a part of which nothing is known is not there.
  const isUnknown = blockedBy !== null && shownMovements === null && shownBatches === null;
  return (
    <>
      <ProductBarcode key={`${card.productId} ${scanned}`} card={card} scanned={scanned} />
      {blockedBy !== null && (
        <p className="details-line">
          {t(isUnknown ? `lookup.details.${blockedBy}Unknown` : `lookup.details.${blockedBy}`)}
        </p>
      )}
      <div className="details-actions">
        {cards.length > 1 && (
          <NativeSelect
            aria-label={t('lookup.details.stock')}
            value={card.stockId}
            data={cards.map(({ stockId, stockName }) => ({ value: stockId, label: nameOf(stockId, stockName) }))}
            onChange={(event) => {
              const next = cards.find(({ stockId }) => stockId === event.currentTarget.value);
              if (next !== undefined) {
                void open(next.stockId, next.productId);
              }
            }}
          />
        )}
        {blockedBy === null && (
          <button
            type="button"
            className="text-button"
            disabled={movements.isReading || batches.isReading}
            onClick={() => void readAgain()}
          >
            <RefreshIcon size={22} /> {t('lookup.details.again')}
          </button>
        )}
        {hasChosen && (
          <button type="button" className="text-button" onClick={() => void choose([])}>
            {t('lookup.details.everyOption')}
          </button>
        )}
      </div>
      {(blockedBy === null || shownMovements !== null) && (
        <Part
          title={t(hasChosen ? 'lookup.details.movementsOfChosen' : 'lookup.details.movements')}
          part={movements}
          asOf={movementsAsOf}
        >
          {shownMovements !== null && <Totals movements={shownMovements} unit={card.unit} />}
          {options.length > 0 && <OptionTable options={options} unit={card.unit} />}
        </Part>
      )}
      {(blockedBy === null || shownBatches !== null) && (
        <Part
          title={t(hasChosen ? 'lookup.details.batchesOfChosen' : 'lookup.details.batches')}
          part={batches}
          asOf={isReadTogether ? null : batchesAsOf}
        >
          {shownBatches !== null && <BatchList answer={shownBatches} unit={card.unit} />}
        </Part>
      )}
    </>
  );
}

interface DetailsProps {
  readonly group: ProductGroup;
  readonly scanned: string;
  /** The other button of its row. */
  readonly children: ReactNode;
}

/** A row of buttons, and what the one for details opens. */
export function ProductDetails({ group, scanned, children }: DetailsProps): ReactElement {
  const { t } = useWords();
  const bodyId = useId();
  const part = useRef<HTMLElement>(null);
  const stockId = useDetails((details) => (details.productId === group.productId ? details.stockId : null));
  const open = useDetails((details) => details.open);
  const close = useDetails((details) => details.close);
  const { first, cards } = group;
  const card = cards.find((one) => one.stockId === stockId) ?? null;
  const isOpen = card !== null;
  const isReading = useDetails((details) => details.movements.isReading || details.batches.isReading);
  const hasContent = useDetails(
    (details) => isReading || details.movements.whole !== null || details.batches.whole !== null,
  );

  const toggle = (): void => {
    if (isOpen) {
      close();
    } else {
      void open(first.stockId, first.productId);
    }
  };
  useShortcut('details', toggle);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (isOpen) {
      // Where there is but a line to read, name and figure stay where they are.
      part.current?.scrollIntoView({ block: hasContent ? 'start' : 'nearest' });
    } else if (wasOpen.current) {
      // Nobody acts on a product whose name is out of sight.
      part.current?.closest('.card')?.scrollIntoView({ block: 'start' });
    }
    wasOpen.current = isOpen;
  }, [isOpen, hasContent]);

  return (
    <section ref={part} className="card-part details" data-open={isOpen} data-reading={isReading}>
      {card !== null && hasContent && (
        <p className="details-product" aria-hidden="true">
          <span className="details-name" title={first.name}>
            {first.name}
          </span>
          <Quantity balance={card.balance} unit={card.unit} />
        </p>
      )}
      <div className="card-actions">
        <button
          type="button"
          className="text-button details-button"
          aria-expanded={isOpen}
          aria-controls={bodyId}
          aria-keyshortcuts={ariaKeysOf('details')}
          onClick={toggle}
        >
          <ListIcon size={24} /> {t('lookup.details.open')} <KeyHint of="details" />
        </button>
        {children}
      </div>
      <div id={bodyId} className="details-body" hidden={!isOpen}>
        {card !== null && <Opened card={card} cards={cards} scanned={scanned} />}
      </div>
    </section>
  );
}
