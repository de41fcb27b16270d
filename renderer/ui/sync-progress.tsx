import { Progress } from '@mantine/core';
import type { ReactElement } from 'react';
import { isCopied } from '../../app/contract/copied.ts';
import type { CatalogueState } from '../../app/contract/terminal-state.ts';
import { useStockName, useTerminal, useWords } from '../stores/context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import { ageInWords, formatMoment, formatWait } from '../formats/times.ts';
import { useNow } from '../dom/clock.ts';

/** In safe mode nothing is copied, and so nothing more is to be expected. */
export function useIsResting(): boolean {
  return useTerminal(({ isSafeMode, catalogue: { phase } }) => isSafeMode && phase === 'idle');
}

function useIsComplete(): boolean {
  return useTerminal(({ catalogue }) => isCopied(catalogue.stocks));
}

/** More stocks than these are only counted. */
const maxNamed = 3;

/** Counts the platform's lines that this terminal could not read: the copy is not the whole catalogue then. */
function UnreadLines(): ReactElement | null {
  const { t, language } = useWords();
  const nameOf = useStockName();
  const { stocks } = useTerminal((state) => state.catalogue);
  const lines = stocks
    .filter(({ unreadable }) => unreadable > 0)
    .map(({ stockId, name, copied, total, unreadable }) => {
      const [here, all, unread] = [copied, total ?? copied + unreadable, unreadable].map((count) =>
        formatNumber(count, language),
      );
      const words = { copied: here, total: all, unread };
      return (
        <p key={stockId} className="copy-line hint" data-part="unread">
          {stocks.length === 1
            ? t('ui.copy.unread', words)
            : t('ui.copy.unreadOf', { stock: nameOf(stockId, name), ...words })}
        </p>
      );
    });
  return lines.length === 0 ? null : <>{lines}</>;
}

/** Names each stock that the platform refuses, and why: the copy goes on without it. */
function RefusedStocks(): ReactElement {
  const { t } = useWords();
  const nameOf = useStockName();
  const { stocks } = useTerminal((state) => state.catalogue);
  return (
    <>
      {stocks.map(
        ({ stockId, name, refused }) =>
          refused !== null && (
            <p key={stockId} className="copy-line hint">
              {t('ui.copy.refused', { stock: nameOf(stockId, name), why: t(`failure.${refused}.says`) })}
            </p>
          ),
      )}
    </>
  );
}

/** How much of the catalogue is here, and what of it could not be read. */
export function CopyLine(): ReactElement {
  return (
    <>
      <CompleteLine />
      <UnreadLines />
      <RefusedStocks />
    </>
  );
}

/**
 * One quiet line once the whole catalogue is here. A product that several stocks hold counts in each, so each says its
 * own number.
 */
function CompleteLine(): ReactElement | null {
  const { t, language } = useWords();
  const now = useNow();
  const nameOf = useStockName();
  const isComplete = useIsComplete();
  const { copied, stocks } = useTerminal((state) => state.catalogue);
  if (!isComplete) {
    return null;
  }
  const asOf = Math.min(...stocks.flatMap((stock) => stock.completeAsOf ?? []));
  const when = { moment: formatMoment(asOf, now, language), age: ageInWords(asOf, now, t, language) };
  if (stocks.length === 1) {
    return (
      <p className="copy-line hint">
        {t('ui.copy.complete', { count: copied, formatted: formatNumber(copied, language), ...when })}
      </p>
    );
  }
  const named = stocks
    .slice(0, maxNamed)
    .map((stock) =>
      t('ui.copy.ofStock', {
        formatted: formatNumber(stock.copied, language),
        stock: nameOf(stock.stockId, stock.name),
      }),
    );
  const more = stocks.length - named.length;
  const each = [...named, ...(more > 0 ? [t('ui.copy.moreStocks', { count: more })] : [])].join(' · ');
  return <p className="copy-line hint">{t('ui.copy.completeEach', { each, ...when })}</p>;
}

/** Shows the part that is being read, and the next ones. */
export function CopyPlan(): ReactElement | null {
  const { t, language } = useWords();
  const nameOf = useStockName();
  const now = useNow();
  const { plan, completeAt, phase } = useTerminal((state) => state.catalogue);
  const { doing, nextListing } = plan;
  const moment = (at: number): string => formatMoment(at, now, language);
  if (phase === 'idle' || phase === 'waiting') {
    return null;
  }
  return (
    <p className="hint" data-part="copy-plan">
      {doing !== null && <>{t(`ui.copy.doing.${doing.kind}`, { stock: nameOf(doing.stockId, doing.stockName) })} </>}
      {doing !== null && completeAt !== null && <>{t('ui.copy.completeAt', { moment: moment(completeAt) })} </>}
      {nextListing !== null && t(`ui.copy.next.${nextListing.why}`, { moment: moment(nextListing.at ?? now) })}
    </p>
  );
}

function titleOf({ phase, failure }: CatalogueState): 'ui.copy.title' | 'ui.copy.waiting' | 'ui.copy.unsaved' {
  if (phase !== 'waiting') {
    return 'ui.copy.title';
  }
  return failure?.kind === 'storageFull' || failure?.kind === 'storageFailed' ? 'ui.copy.unsaved' : 'ui.copy.waiting';
}

/** The bar while the first copy is being made, and while the whole listing is read again. */
export function CopyProgress(): ReactElement | null {
  const { t, language } = useWords();
  const now = useNow();
  const isComplete = useIsComplete();
  const isResting = useIsResting();
  const catalogue = useTerminal((state) => state.catalogue);
  const { copied, total, completeAt, phase, failure, stocks, plan } = catalogue;
  const count = formatNumber(copied, language);
  // So many there are at least, however many products the stocks have in common.
  const products = Math.max(0, ...stocks.map((stock) => stock.copied));
  const { doing } = plan;
  if (isComplete && doing?.kind === 'listing' && doing.read !== undefined) {
    // Read again: everything is here already, so that only the reading counts.
    const of = doing.of ?? null;
    return (
      <section className="copy" aria-label={t('ui.copy.again')}>
        <div className="copy-words">
          <strong>{t('ui.copy.again')}</strong>
          <span>
            {of === null
              ? t('ui.copy.counted', { count: doing.read, formatted: formatNumber(doing.read, language) })
              : t('ui.copy.of', { copied: formatNumber(doing.read, language), total: formatNumber(of, language) })}
          </span>
          {completeAt !== null && <span>{t('ui.copy.left', { wait: formatWait(completeAt, now, language) })}</span>}
        </div>
        <Progress
          value={of === null || of === 0 ? 0 : Math.min(100, (doing.read / of) * 100)}
          size="lg"
          radius="xl"
          aria-label={t('ui.copy.again')}
        />
      </section>
    );
  }
  if (isResting && !isComplete) {
    return (
      <section className="copy" aria-label={t('ui.copy.resting')}>
        <div className="copy-words">
          <strong>{t('ui.copy.resting')}</strong>
        </div>
        <p className="hint">
          {products > 0 && (
            <>{t('ui.copy.already', { count: products, formatted: formatNumber(products, language) })} </>
          )}
          {t('ui.copy.restingHint')}
        </p>
      </section>
    );
  }
  if (isComplete || (phase === 'idle' && copied === 0)) {
    return null;
  }
  const percent = total === null || total === 0 ? 0 : Math.min(100, (copied / total) * 100);
  return (
    <section className="copy" aria-label={t('ui.copy.title')}>
      <div className="copy-words">
        <strong>{t(titleOf(catalogue))}</strong>
        <span>
          {total === null
            ? t('ui.copy.counted', { count: products, formatted: formatNumber(products, language) })
            : t('ui.copy.of', { copied: count, total: formatNumber(total, language) })}
        </span>
        {completeAt !== null && phase !== 'waiting' && (
          <span>{t('ui.copy.left', { wait: formatWait(completeAt, now, language) })}</span>
        )}
      </div>
      <Progress value={percent} size="lg" radius="xl" aria-label={t('ui.copy.title')} />
      <p className="hint">
        {/* What has failed before is tried again, and may be over. */}
        {failure !== null && phase === 'waiting' && <>{t(`failure.${failure.kind}.says`)} </>}
        {t(products > 0 ? 'ui.copy.usable' : 'ui.copy.soon')}
      </p>
    </section>
  );
}
