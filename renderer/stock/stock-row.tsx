import { memo, type ReactElement } from 'react';
import type { ProductHit } from '../../app/contract/products.ts';
import { useWords } from '../stores/context.tsx';
import { Quantity } from '../ui/quantity.tsx';

interface StockRowProps {
  readonly id: string;
  readonly index: number;
  /** Where it lies on the canvas, in CSS pixels. */
  readonly top: number;
  /** Null: gone since the table was read; undefined: not here yet. */
  readonly hit: ProductHit | null | undefined;
  readonly age: string;
  readonly isOld: boolean;
  /** The name of its stock; null when there is only one. */
  readonly place: string | null;
  readonly isActive: boolean;
  readonly onOpen: (index: number) => void;
}

/** A row of the grid; drawn again only when something of it has changed. */
export const StockRow = memo(function StockRow({
  id,
  index,
  top,
  hit,
  age,
  isOld,
  place,
  isActive,
  onOpen,
}: StockRowProps): ReactElement {
  const { t } = useWords();
  return (
    <div
      id={id}
      role="row"
      // The heading is the first.
      aria-rowindex={index + 2}
      aria-selected={isActive}
      className="stock-row"
      data-blank={hit === undefined || hit === null}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onOpen(index)}
    >
      <span role="gridcell" className="stock-code mono" title={hit?.code ?? undefined}>
        {hit?.code ?? ''}
      </span>
      <span role="gridcell" className="stock-name" title={hit?.name}>
        {hit === null ? t('stock.gone') : (hit?.name ?? <span className="stock-coming" />)}
      </span>
      <span role="gridcell" className="stock-balance">
        {hit !== undefined && hit !== null && <Quantity balance={hit.balance} unit={hit.unit} />}
      </span>
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
