import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { isCopied } from '../../app/contract/copied.ts';
import type { Stocktake } from '../../app/contract/stocktakes.ts';
import { useNow } from '../dom/clock.ts';
import { formatNumber } from '../formats/numbers.ts';
import { formatMoment } from '../formats/times.ts';
import { useCounted, useStockName, useStocktakes, useStores, useTerminal, useWords } from '../stores/context.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { CountIcon } from '../ui/icons.tsx';
import { LockSign, useIsLocked } from '../ui/lock-sign.tsx';
import { CopyProgress } from '../ui/sync-progress.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { useRemovalQuestion } from '../ui/removal-question.tsx';
import { countedLines } from './line-words.ts';
import { StartForm } from './start-form.tsx';

const rowHeight = 92;

interface StocktakeRowProps {
  readonly stocktake: Stocktake;
  readonly onOpen: (id: number) => void;
  readonly askDelete: (stocktake: Stocktake) => void;
}

function StocktakeRow({ stocktake, onOpen, askDelete }: StocktakeRowProps): ReactElement {
  const { t, language } = useWords();
  const counted = useCounted();
  const nameOf = useStockName();
  const now = useNow();
  const setClosed = useStocktakes((store) => store.setClosed);
  const isLocked = useIsLocked('discarding');
  const { id, name, stockId, stockName, startedAt, startedBy, closedAt, lines } = stocktake;
  const isOpen = closedAt === null;
  const facts = [
    nameOf(stockId, stockName),
    t('stocktakes.startedAt', { moment: formatMoment(startedAt, now, language) }),
    startedBy,
    isOpen ? null : t('stocktakes.closedAt', { moment: formatMoment(closedAt, now, language) }),
  ].filter((fact) => fact !== null);
  return (
    <div className="row row-stocktake">
      <div className="row-main">
        <p className="row-title">
          {name}
          <span className="row-change" data-on={isOpen}>
            {t(isOpen ? 'stocktakes.open' : 'stocktakes.closed')}
          </span>
        </p>
        <p className="row-sub">{facts.join(' · ')}</p>
        <p className="row-sub">
          {t('stocktakes.lines', counted(countedLines(stocktake)))}
          {lines.different > 0 && `, ${t('stocktakes.different', counted(lines.different))}`}
          {lines.notCounted > 0 &&
            `, ${t('stocktakes.toCount', { formatted: formatNumber(lines.notCounted, language) })}`}
        </p>
      </div>
      <div className="row-actions">
        <Button variant={isOpen ? 'filled' : 'default'} onClick={() => onOpen(id)}>
          {t(isOpen ? 'stocktakes.goOn' : 'stocktakes.look')}
        </Button>
        <Button variant="default" onClick={() => void setClosed(id, isOpen)}>
          {t(isOpen ? 'stocktakes.close' : 'stocktakes.reopen')}
        </Button>
        <Button
          variant="default"
          leftSection={isLocked ? <LockSign kind="discarding" /> : undefined}
          onClick={() => askDelete(stocktake)}
        >
          {t('stocktakes.delete')}
        </Button>
      </div>
    </div>
  );
}

/** The counts of this terminal, and the form that begins one. */
export function StocktakeList({ onOpen }: { readonly onOpen: (id: number) => void }): ReactElement {
  const { t } = useWords();
  const { list } = useStores().stocktakes;
  const failure = useStocktakes((store) => store.failure);
  const isWhole = useTerminal(({ catalogue }) => isCopied(catalogue.stocks));
  const counted = useCounted();
  const remove = useStocktakes((store) => store.remove);
  const { ask, dialog, isCovered } = useRemovalQuestion<Stocktake>(
    {
      title: ({ name }) => t('stocktakes.deleteTitle', { name }),
      text: (stocktake) => t('stocktakes.deleteText', counted(countedLines(stocktake))),
      keep: t('stocktakes.keep'),
      remove: t('stocktakes.delete'),
    },
    ({ id }) => void remove(id),
  );
  return (
    <div className="listing stocktakes">
      <header className="listing-head">
        <div>
          <h1>{t('shell.screen.stocktakes')}</h1>
          <p className="lead">
            {t('stocktakes.lead')} {t('stocktakes.noWrite')}
          </p>
        </div>
      </header>
      <div className="form-and-list stack-4">
        <StartForm onStarted={onOpen} />
        <div className="beside-form">
          <h2>{t('stocktakes.list')}</h2>
          <FailureNotice failure={failure} />
          {!isWhole && <CopyProgress />}
          <VirtualList
            list={list}
            name={t('stocktakes.list')}
            rowHeight={rowHeight}
            isCovered={isCovered}
            keyOf={({ id }) => id}
            empty={
              <div className="empty">
                <CountIcon size={44} />
                <h3>{t('stocktakes.empty.title')}</h3>
                <p>{t('stocktakes.empty.text')}</p>
              </div>
            }
            draw={(stocktake) => <StocktakeRow stocktake={stocktake} onOpen={onOpen} askDelete={ask} />}
          />
        </div>
      </div>
      {dialog}
    </div>
  );
}
