import { Button, Modal } from '@mantine/core';
import { useEffect, useState, type ReactElement } from 'react';
import type { StockQuery } from '../../app/contract/browse.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useNow } from '../dom/clock.ts';
import { useReturnedFocus } from '../dom/focus.ts';
import { SaveList } from '../files/save-list.tsx';
import { formatFullMoment, isOldFigure } from '../formats/times.ts';
import { formatAmount } from '../formats/units.ts';
import { useCounted, useStockIds, useStockName, useStores, useTerminal, useWords } from '../stores/context.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { CheckIcon } from '../ui/icons.tsx';
import { Printed } from '../ui/printed.tsx';
import { useAgeWords } from '../ui/quantity.tsx';
import { WorkProgress } from '../ui/work-progress.tsx';
import { bySupplier, orderFile, readOrderLines, supplierFieldOf, supplierOf, type OrderLine } from './order-lines.ts';
import './watch-dialogs.css';

/** The dialog shows so many; paper and file have them all. */
const maxShown = 200;

/** A table of the lines, for the screen and for paper. */
function OrderTable({
  lines,
  supplier,
}: {
  readonly lines: readonly OrderLine[];
  readonly supplier: string | null;
}): ReactElement {
  const { t, language } = useWords();
  const now = useNow();
  const ageWords = useAgeWords();
  const nameOf = useStockName();
  const hasSeveral = useStockIds().length > 1;
  const write = (amount: number | null, unit: string | null): string => formatAmount(amount, unit, language);
  return (
    <table className="order-table">
      <thead>
        <tr>
          <th scope="col">{t('stock.column.code')}</th>
          <th scope="col">{t('stock.column.name')}</th>
          {supplier !== null && <th scope="col">{supplier}</th>}
          {hasSeveral && <th scope="col">{t('stock.column.stock')}</th>}
          <th scope="col" className="amount">
            {t('stock.column.balance')}
          </th>
          <th scope="col" className="amount">
            {t('watchList.minimum')}
          </th>
          <th scope="col" className="amount">
            {t('watchList.order.proposed')}
          </th>
          <th scope="col">{t('stock.column.asOf')}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => {
          const { stockId, stockName, productId, code, name, unit, balance, minimum, proposed } = line;
          const isOld = isOldFigure(balance.asOf, now);
          return (
            <tr key={`${stockId} ${productId}`}>
              <td className="mono">{code}</td>
              <th scope="row">{name}</th>
              {supplier !== null && <td data-label={supplier}>{supplierOf(line, supplier)}</td>}
              {hasSeveral && <td data-label={t('stock.column.stock')}>{nameOf(stockId, stockName)}</td>}
              <td className="amount" data-label={t('stock.column.balance')}>
                {write(balance.amount, unit)}
              </td>
              <td className="amount" data-label={t('watchList.minimum')}>
                {write(minimum, unit)}
              </td>
              <td className="amount" data-label={t('watchList.order.proposed')}>
                <strong>{proposed === null ? t('watchList.order.check') : write(proposed, unit)}</strong>
              </td>
              <td data-label={t('stock.column.asOf')} className="age" data-old={isOld}>
                {balance.asOf === null ? t('stock.unknown') : ageWords(balance, true)}
                {isOld && <> · {t('watchList.order.old')}</>}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface OrderDialogProps {
  /** The filters of the stock table. */
  readonly query: StockQuery;
  readonly close: () => void;
}

/** Lists the products to order, read once when the dialog is opened. */
export function OrderDialog({ query, close }: OrderDialogProps): ReactElement {
  useReturnedFocus();
  const { t, language } = useWords();
  const { bridge, terminal } = useStores();
  const write = useCounted();
  const now = useNow();
  const supplier = useTerminal((state) => supplierFieldOf(state.shownFields));
  const [lines, setLines] = useState<readonly OrderLine[] | null>(null);
  const [read, setRead] = useState<{ readonly done: number; readonly of: number | null }>({ done: 0, of: null });
  const [absent, setAbsent] = useState(0);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    const look = async (): Promise<void> => {
      const found = await readOrderLines(bridge, query, (done, of) => setRead({ done, of }), controller.signal);
      if (!controller.signal.aborted) {
        // As they were when the lines were read.
        setAbsent(terminal.getState().state?.watchList?.absent ?? 0);
        setLines(found.ok ? bySupplier(found.value, supplier) : null);
        setFailure(found.ok ? null : found.failure);
      }
    };
    void look();
    return () => controller.abort();
  }, [bridge, query, supplier, terminal]);
  const printed = (unprinted: Failure | null): void => {
    setPrinting(false);
    setFailure(unprinted);
  };
  const leftOut = absent > 0 ? t('watchList.absent', write(absent)) : null;
  const unknown = lines?.filter(({ proposed }) => proposed === null).length ?? 0;
  const count = lines?.length ?? 0;
  const warnings = [
    ...(leftOut === null ? [] : [leftOut]),
    ...(unknown > 0 ? [t('watchList.order.unknown', write(unknown))] : []),
  ];
  return (
    <Modal opened onClose={close} size={1280} title={t('watchList.order.title')}>
      <div className="dialog">
        <p>{t('watchList.order.explain')}</p>
        {lines === null && failure === null && (
          <WorkProgress words={t('watchList.order.reading')} done={read.done} of={read.of} />
        )}
        <FailureNotice failure={failure} />
        {warnings.length > 0 && (
          <p className="notice" data-kind="warn">
            {warnings.join(' ')}
          </p>
        )}
        {lines !== null && count === 0 && (
          <div className="empty order-empty">
            <CheckIcon size={40} />
            <p>{t('watchList.order.nothing')}</p>
          </div>
        )}
        {lines !== null && count > 0 && (
          <>
            {/* Above the lines, so that nobody has to go to their end. */}
            <div className="form-actions">
              <SaveList name="order" list={() => orderFile(lines, t, language, supplier)} onFailure={setFailure} />
              <Button disabled={isPrinting} onClick={() => setPrinting(true)}>
                {t('watchList.order.print')}
              </Button>
            </div>
            <OrderTable lines={lines.slice(0, maxShown)} supplier={supplier} />
            {count > maxShown && <p>{t('watchList.order.more', write(count - maxShown))}</p>}
          </>
        )}
        {isPrinting && lines !== null && (
          <Printed className="order-paper" onDone={printed}>
            <h1>{t('watchList.order.title')}</h1>
            <p>{t('watchList.order.asOf', { moment: formatFullMoment(now, language) })}</p>
            {leftOut !== null && <p>{leftOut}</p>}
            <OrderTable lines={lines} supplier={supplier} />
          </Printed>
        )}
      </div>
    </Modal>
  );
}
