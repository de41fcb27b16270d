import type { ReactElement } from 'react';
import type { CopyAge as Age } from '../../app/contract/catalogue-age.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { useStockName, useWords } from '../stores/context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import { ageInWords } from '../formats/times.ts';
import { useReadRepeatedly } from '../stores/use-repeated-read.ts';
import { FailureNotice } from '../ui/failure-text.tsx';

const everyMs = 15_000;
const bandNames = ['minutes', 'hour', 'hours', 'day', 'week', 'older', 'none'] as const;

const readAge = (bridge: Bridge): Promise<Result<Age, Failure>> => bridge.call('catalogue:readAge', {});

function Bar({ age }: { readonly age: Age }): ReactElement {
  const { t, language } = useWords();
  const { bands, withoutFigure, counted, isSample } = age;
  const parts = [...bands, withoutFigure].map((count, place) => ({
    name: bandNames[place] ?? 'older',
    count,
    share: count / Math.max(1, counted),
  }));
  const shares = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  return (
    <figure className="ages stack-3">
      <div className="ages-bar" aria-hidden>
        {parts.map(({ name, share }) => share > 0 && <span key={name} data-age={name} style={{ flexGrow: share }} />)}
      </div>
      <figcaption>
        <dl className="ages-legend">
          {parts.map(
            ({ name, share }) =>
              share > 0 && (
                <div key={name}>
                  <dt>
                    <span className="plot-key" data-age={name} aria-hidden /> {t(`settings.copyAge.band.${name}`)}
                  </dt>
                  <dd>{shares.format(share)}</dd>
                </div>
              ),
          )}
        </dl>
        {isSample && (
          <p className="hint">
            {t('settings.copyAge.sample', { count: counted, formatted: formatNumber(counted, language) })}
          </p>
        )}
      </figcaption>
    </figure>
  );
}

function Stocks({ age }: { readonly age: Age }): ReactElement {
  const { t, language } = useWords();
  const nameOf = useStockName();
  const ago = (at: number | null): string =>
    at === null ? t('settings.copyAge.never') : ageInWords(at, age.readAt, t, language);
  return (
    <table className="ages-stocks">
      <thead>
        <tr>
          <th scope="col">{t('stock.column.stock')}</th>
          <th scope="col">{t('settings.copyAge.listed')}</th>
          <th scope="col">{t('settings.copyAge.changes')}</th>
        </tr>
      </thead>
      <tbody>
        {age.stocks.map(({ stockId, name, listedAt, changesAt }) => (
          <tr key={stockId}>
            <th scope="row">{nameOf(stockId, name)}</th>
            <td>{ago(listedAt)}</td>
            <td>{ago(changesAt)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The bar with its legend, and the stocks below it; nothing while nothing is copied. */
export function CopyAge(): ReactElement | null {
  const { t } = useWords();
  const age = useReadRepeatedly(readAge, everyMs);
  if (age === null || (age.ok && age.value.counted === 0)) {
    return null;
  }
  return (
    <section className="copy-age stack-3" aria-label={t('settings.copyAge.title')}>
      <h3>{t('settings.copyAge.title')}</h3>
      {age.ok ? (
        <>
          <Bar age={age.value} />
          <Stocks age={age.value} />
        </>
      ) : (
        <FailureNotice failure={age.failure} />
      )}
    </section>
  );
}
