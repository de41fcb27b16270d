import type { ReactElement } from 'react';
import type { StockQuery } from '../../app/contract/browse.ts';
import { useStock, useStockIds, useWords } from '../stores/context.tsx';
import { maxTableFields, useTableFields } from './table-fields.ts';
import { SortedIcon, SortIcon } from '../ui/icons.tsx';

interface HeadingProps {
  readonly by: StockQuery['orderBy'];
  readonly words: string;
  /** Of its cells. */
  readonly className: string;
}

function Heading({ by, words, className }: HeadingProps): ReactElement {
  const { t } = useWords();
  const { orderBy, direction } = useStock((stock) => stock.query);
  const choose = useStock((stock) => stock.choose);
  const isSorted = orderBy === by;
  const isUpwards = direction === 'asc';
  const order = isUpwards ? 'ascending' : 'descending';
  return (
    <span role="columnheader" aria-sort={isSorted ? order : 'none'} className={className}>
      <button
        type="button"
        className="stock-sort"
        data-sorted={isSorted ? direction : 'no'}
        title={t('stock.sortBy', { column: words })}
        onClick={() => choose({ orderBy: by, direction: isSorted && isUpwards ? 'desc' : 'asc' })}
      >
        <span>{words}</span>
        {isSorted ? <SortedIcon size={18} /> : <SortIcon size={18} />}
      </button>
    </span>
  );
}

/** The headings. `keysId` names what is said of the keys that choose rows; null where none can be chosen. */
export function StockHead({ keysId }: { readonly keysId: string | null }): ReactElement {
  const { t } = useWords();
  const hasSeveral = useStockIds().length > 1;
  const columns = useTableFields().slice(0, maxTableFields);
  return (
    <div role="rowgroup" className="stock-head">
      <div role="row" aria-rowindex={1} className="stock-head-row">
        {keysId !== null && (
          <span role="columnheader" className="stock-tick">
            <span id={keysId} className="visually-hidden">
              {t('stock.keys')}
            </span>
          </span>
        )}
        <Heading by="code" words={t('stock.column.code')} className="stock-code" />
        <Heading by="name" words={t('stock.column.name')} className="stock-name" />
        <Heading by="balance" words={t('stock.column.balance')} className="stock-balance" />
        {columns.map((name) => (
          <span key={name} role="columnheader" className="stock-shown" title={name}>
            <bdi>{name}</bdi>
          </span>
        ))}
        <Heading by="asOf" words={t('stock.column.asOf')} className="stock-age" />
        {hasSeveral && <Heading by="stock" words={t('stock.column.stock')} className="stock-place" />}
      </div>
    </div>
  );
}
