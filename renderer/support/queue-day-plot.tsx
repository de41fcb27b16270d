import type { ReactElement } from 'react';
import type { QueueDay, QueueHour } from '../../app/contract/queue.ts';
import { useWords } from '../stores/context.tsx';
import { marksOf, roundTop } from '../formats/axis.ts';
import { formatNumber } from '../formats/numbers.ts';
import { formatMoment } from '../formats/times.ts';
import { PlotScale } from '../ui/plot-scale.tsx';

const hourWidth = 24;
const barWidth = 9;
const height = 150;
const hoursBetweenMarks = 4;
const hourMs = 3_600_000;
/** An empty day has an axis all the same. */
const leastTop = 4;

const topOf = (hours: readonly QueueHour[]): number =>
  roundTop(Math.max(0, ...hours.flatMap(({ added, delivered, open }) => [added, delivered, open])), leastTop);
const sumOf = (hours: readonly QueueHour[], what: 'added' | 'delivered' | 'givenUp'): number =>
  hours.reduce((sum, hour) => sum + hour[what], 0);

/** The columns and the line of what is open. */
function DayColumns({ hours }: Pick<QueueDay, 'hours'>): ReactElement {
  const top = topOf(hours);
  const scale = (count: number): number => (count / top) * height;
  const width = hours.length * hourWidth;
  const line = hours.flatMap(({ open }, place) => [
    `${place * hourWidth},${height - scale(open)}`,
    `${(place + 1) * hourWidth},${height - scale(open)}`,
  ]);
  return (
    <>
      {marksOf(top).map((mark) => (
        <line key={mark} className="plot-rule" x1={0} x2={width} y1={height - scale(mark)} y2={height - scale(mark)} />
      ))}
      <line className="plot-ground" x1={0} x2={width} y1={height} y2={height} />
      {hours.map(({ at, added, delivered }, place) => (
        <g key={at}>
          <rect
            className="plot-day"
            data-what="added"
            x={place * hourWidth + 2}
            y={height - scale(added)}
            width={barWidth}
            height={scale(added)}
          />
          <rect
            className="plot-day"
            data-what="delivered"
            x={place * hourWidth + 3 + barWidth}
            y={height - scale(delivered)}
            width={barWidth}
            height={scale(delivered)}
          />
        </g>
      ))}
      <polyline className="plot-line" points={line.join(' ')} />
    </>
  );
}

/** Room for the thickness of the lines. */
const above = 3;
const boxHeight = height + 5;
const dayBox = `0 ${-above} ${24 * hourWidth} ${boxHeight}`;

/** The picture with its axes and legend. */
export function QueueDayPlot({ day }: { readonly day: QueueDay }): ReactElement {
  const { t, language } = useWords();
  const { hours, isWhole } = day;
  const number = (value: number): string => formatNumber(value, language);
  const top = topOf(hours);
  const label = t('support.queueDay.plot', {
    added: number(sumOf(hours, 'added')),
    delivered: number(sumOf(hours, 'delivered')),
    open: number(hours.at(-1)?.open ?? 0),
    max: number(Math.max(0, ...hours.map(({ open }) => open))),
  });
  return (
    <figure className="plot">
      <div className="plot-frame stack-2">
        <PlotScale marks={marksOf(top)} placeOf={(mark) => (above + height - (mark / top) * height) / boxHeight} />
        <svg role="img" aria-label={label} viewBox={dayBox} preserveAspectRatio="none">
          <DayColumns hours={hours} />
        </svg>
      </div>
      <p className="plot-hours" aria-hidden>
        {hours
          .filter((_hour, place) => place % hoursBetweenMarks === 0)
          .map(({ at }) => (
            <span key={at}>{formatMoment(at, at, language)}</span>
          ))}
      </p>
      <figcaption>
        <ul className="plot-legend">
          {(['added', 'delivered'] as const).map((what) => (
            <li key={what}>
              <span className="plot-key" data-what={what} aria-hidden /> {t(`support.queueDay.${what}`)}
            </li>
          ))}
          <li>
            <span className="plot-key" data-line aria-hidden /> {t('support.queueDay.open')}
          </li>
        </ul>
        {!isWhole && <p className="hint">{t('support.queueDay.notWhole')}</p>}
      </figcaption>
    </figure>
  );
}

/** The same figures, an hour a row, the newest first. */
export function QueueDayTable({ day }: { readonly day: QueueDay }): ReactElement {
  const { t, language } = useWords();
  return (
    <details className="plot-table">
      <summary>{t('rateLimit.table')}</summary>
      <div className="plot-table-box">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('support.queueDay.hour')}</th>
              {(['added', 'delivered', 'givenUp', 'open'] as const).map((what) => (
                <th key={what} scope="col">
                  {t(`support.queueDay.${what}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {day.hours.toReversed().map(({ at, added, delivered, givenUp, open }) => (
              <tr key={at}>
                <th scope="row">
                  {formatMoment(at, day.readAt, language)}–{formatMoment(at + hourMs, at + hourMs, language)}
                </th>
                {[added, delivered, givenUp, open].map((count, place) => (
                  <td key={place}>{formatNumber(count, language)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
