import type { ReactElement } from 'react';
import type { RecentLookup } from '../../app/contract/lookup.ts';
import { useLookup, useStockIds, useTerminal, useWords } from '../stores/context.tsx';
import { formatMoment } from '../formats/times.ts';
import { useNow } from '../dom/clock.ts';
import { CopyLine, CopyProgress } from '../ui/sync-progress.tsx';
import { Quantity } from '../ui/quantity.tsx';

/** Whether one is in the list already, by its product or by what was asked for. */
const isAgain = (one: RecentLookup, other: RecentLookup): boolean =>
  one.hit === null || other.hit === null
    ? one.hit === other.hit && one.text === other.text
    : one.hit.productId === other.hit.productId;

/** Newest first, each once; a click opens the product, or looks the text up again. */
export function Recent(): ReactElement {
  const { t, language } = useWords();
  const now = useNow();
  const recent = useLookup((lookup) => lookup.recent);
  const find = useLookup((lookup) => lookup.find);
  const open = useLookup((lookup) => lookup.open);
  const stockIds = useStockIds();
  // The answer, and in practice the samples, have the room; how far the copy is stands here then, unless the answer
  // tells it.
  const hasAnswer = useLookup((lookup) => lookup.answer !== null);
  const isPractice = useTerminal((state) => state.practice !== null);
  const isNoted = useLookup((lookup) => lookup.answer?.kind === 'notCopied');
  const shown = recent.filter((one, place) => recent.findIndex((other) => isAgain(one, other)) === place);
  const again = (one: RecentLookup): void =>
    void (one.hit === null ? find(one.text, 'typed') : open(one.hit, stockIds));
  return (
    <aside className="recent" aria-labelledby="recent-title">
      <h2 id="recent-title">{t('lookup.recent.title')}</h2>
      {recent.length === 0 && <p className="recent-empty">{t('lookup.recent.empty')}</p>}
      <ol className="recent-list">
        {shown.map((one) => (
          <li key={one.id}>
            <button type="button" className="row-button recent-one" data-answer={one.answer} onClick={() => again(one)}>
              <span className="recent-name" title={one.hit?.name ?? one.text}>
                {one.hit?.name ?? one.text}
              </span>
              <span className="recent-facts">
                <time dateTime={new Date(one.at).toISOString()}>{formatMoment(one.at, now, language)}</time>
                {one.hit === null ? (
                  <span>{t(`lookup.recent.${one.answer}`)}</span>
                ) : (
                  <Quantity balance={one.hit.balance} unit={one.hit.unit} />
                )}
              </span>
            </button>
          </li>
        ))}
      </ol>
      {(hasAnswer || isPractice) && !isNoted && <CopyProgress />}
      <CopyLine />
    </aside>
  );
}
