import { Checkbox } from '@mantine/core';
import { memo, type ReactElement } from 'react';
import type { StockRow as Row } from '../../app/contract/browse.ts';
import { fieldText } from '../formats/fields.ts';
import { useWords } from '../stores/context.tsx';
import { Quantity } from '../ui/quantity.tsx';

interface StockRowProps {
  readonly id: string;
  readonly index: number;
  /** Where it lies on the canvas, in CSS pixels. */
  readonly top: number;
  /** Null: gone since the table was read; undefined: not here yet. */
  readonly hit: Row | null | undefined;
  /** Its minimum, or when it ran out or came back, in words; empty where there is nothing to tell. */
  readonly watch: string;
  readonly isBelow: boolean;
  readonly age: string;
  readonly isOld: boolean;
  /** The platform's fields that have a column, by the shop's names. */
  readonly columns: readonly string[];
  /** The name of its stock; null when there is only one. */
  readonly place: string | null;
  readonly isActive: boolean;
  /** Null where nothing can be done with chosen rows. */
  readonly isChosen: boolean | null;
  readonly onOpen: (index: number) => void;
  /** `isRange`: everything from the last one chosen to this one. */
  readonly onChoose: (index: number, isRange: boolean) => void;
}

/** A row of the grid; drawn again only when something of it has changed. */
export const StockRow = memo(function StockRow({
  id,
  index,
  top,
  hit,
  watch,
  isBelow,
  age,
  isOld,
  columns,
  place,
  isActive,
  isChosen,
  onOpen,
  onChoose,
}: StockRowProps): ReactElement {
  const { t, language } = useWords();
  return (
    <div
      id={id}
      role="row"
      // The heading is the first.
      aria-rowindex={index + 2}
      aria-selected={isChosen ?? isActive}
      data-active={isActive}
      className="stock-row"
      data-blank={hit === undefined || hit === null}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onOpen(index)}
    >
      {isChosen !== null && (
        <span
          role="gridcell"
          tabIndex={-1}
          className="stock-tick"
          // A shift-click would else select text.
          onMouseDown={(event) => event.shiftKey && event.preventDefault()}
          onClick={(event) => {
            event.stopPropagation();
            onChoose(index, event.shiftKey);
          }}
        >
          <Checkbox
            tabIndex={-1}
            checked={isChosen}
            readOnly
            disabled={hit === null || hit === undefined}
            aria-label={t('coupons.choose', { product: hit?.name ?? t('stock.gone') })}
          />
        </span>
      )}
      <span role="gridcell" className="stock-code mono" title={hit?.code ?? undefined}>
        {hit?.code ?? ''}
      </span>
      <span role="gridcell" className="stock-name" title={hit?.name}>
        {hit === null ? t('stock.gone') : (hit?.name ?? <span className="stock-coming" />)}
      </span>
      <span role="gridcell" className="stock-balance">
        {hit !== undefined && hit !== null && <Quantity balance={hit.balance} unit={hit.unit} />}
        {watch !== '' && (
          <span className="stock-watch" data-below={isBelow} title={watch}>
            {watch}
          </span>
        )}
      </span>
      {columns.map((name) => {
        const field = hit?.fields?.find((one) => one.name === name);
        const words = field === undefined ? '' : fieldText(field, t, language);
        return (
          <span key={name} role="gridcell" className="stock-shown" data-kind={field?.kind} title={words}>
            <bdi>{words}</bdi>
          </span>
        );
      })}
      <span role="gridcell" className="stock-age age" data-old={isOld}>
        {age}
      </span>
      {place !== null && (
        <span role="gridcell" className="stock-place" title={place}>
          {place}
        </span>
      )}
    </div>
  );
});
