import type { ReactElement } from 'react';
import { rateLimitLanes } from '../../app/contract/limits/rate-limit.ts';
import type { RateLimitByLane, RateLimitPiece } from '../../app/contract/rate-limit.ts';
import { useWords } from '../stores/context.tsx';
import { marksOf } from '../formats/axis.ts';
import { formatNumber } from '../formats/numbers.ts';
import { formatAge, formatMoment } from '../formats/times.ts';
import { PlotScale } from '../ui/plot-scale.tsx';

const columns = 60;
const columnWidth = 10;
const height = 150;
const markHeight = 12;
/** With the marks above and the ground's line below. */
const boxHeight = height + markHeight + 3;
/** Half of what is shown. */
const halfMs = 5 * 60_000;
/** From the ground up: what gives way first lies highest. */
const stack = [...rateLimitLanes];

export function usedOf(used: RateLimitByLane): number {
  return rateLimitLanes.reduce((sum, lane) => sum + used[lane], 0);
}

/** The height of the picture: whatever was set, allowed or used in these ten minutes must fit. */
function topOf({ history, limit }: Drawn): number {
  return Math.max(limit, ...history.map((piece) => Math.max(piece.limit, usedOf(piece.used))));
}

interface Drawn {
  readonly history: readonly RateLimitPiece[];
  /** The limit that was set. */
  readonly limit: number;
}

function Columns({ history, limit }: Drawn): ReactElement {
  const top = topOf({ history, limit });
  const scale = (slots: number): number => (slots / top) * height;
  const left = (place: number): number => (columns - history.length + place) * columnWidth;
  const line = history.flatMap(({ limit: allowed }, place) => [
    `${left(place)},${height - scale(allowed)}`,
    `${left(place) + columnWidth},${height - scale(allowed)}`,
  ]);
  return (
    <>
      {history.map(({ used, refusals }, place) => {
        let ground = 0;
        return (
          // A column is what it is by its place.
          <g key={place}>
            {stack.map((lane) => {
              const size = scale(used[lane]);
              ground += size;
              return size === 0 ? null : (
                <rect
                  key={lane}
                  className="plot-lane"
                  data-lane={lane}
                  x={left(place) + 0.5}
                  y={height - ground}
                  width={columnWidth - 1}
                  height={size}
                />
              );
            })}
            {refusals > 0 && (
              <path
                className="plot-refused"
                d={`M${left(place) + 1},${-markHeight} h${columnWidth - 2} l${1 - columnWidth / 2},${markHeight - 3} z`}
              />
            )}
          </g>
        );
      })}
      <polyline className="plot-line" points={line.join(' ')} />
    </>
  );
}

/** The picture with its legend. */
export function RateLimitPlot({ history, limit }: Drawn): ReactElement {
  const { t, language } = useWords();
  const number = (value: number): string => formatNumber(value, language);
  const max = Math.max(0, ...history.map(({ used }) => usedOf(used)));
  const refusals = history.reduce((sum, piece) => sum + piece.refusals, 0);
  const top = topOf({ history, limit });
  const lineOf = (mark: number): number => height - (mark / top) * height;
  return (
    <figure className="plot">
      <div className="plot-frame stack-2">
        <PlotScale marks={marksOf(top)} placeOf={(mark) => (markHeight + 2 + lineOf(mark)) / boxHeight} />
        <svg
          role="img"
          aria-label={t('rateLimit.plot', { max: number(max), limit: number(limit), refusals: number(refusals) })}
          viewBox={`0 ${-markHeight - 2} ${columns * columnWidth} ${boxHeight}`}
          preserveAspectRatio="none"
        >
          {marksOf(top).map((mark) => (
            <line
              key={mark}
              className={mark === 0 ? 'plot-ground' : 'plot-rule'}
              x1={0}
              x2={columns * columnWidth}
              y1={lineOf(mark)}
              y2={lineOf(mark)}
            />
          ))}
          <Columns history={history} limit={limit} />
        </svg>
      </div>
      <p className="plot-times" aria-hidden>
        <span>{t('rateLimit.tenMinutesAgo')}</span>
        <span>{formatAge(0, halfMs, language)}</span>
        <span>{t('rateLimit.now')}</span>
      </p>
      <figcaption>
        <p className="hint">{t('rateLimit.axis')}</p>
        <ul className="plot-legend">
          {rateLimitLanes.map((lane) => (
            <li key={lane}>
              <span className="plot-key" data-lane={lane} aria-hidden /> {t(`rateLimit.lane.${lane}`)}
            </li>
          ))}
          <li>
            <span className="plot-key" data-line aria-hidden /> {t('rateLimit.line')}
          </li>
          <li>
            <svg className="plot-key-mark" viewBox="0 0 10 10" aria-hidden>
              <path className="plot-refused" d="M0,0 h10 l-5,9 z" />
            </svg>
            {t('rateLimit.refused')}
          </li>
        </ul>
      </figcaption>
    </figure>
  );
}

interface RateLimitTableProps {
  readonly history: readonly RateLimitPiece[];
  readonly pieceSeconds: number;
  readonly readAt: number;
}

/** The same figures, a row a minute, the newest first. */
export function RateLimitTable({ history, pieceSeconds, readAt }: RateLimitTableProps): ReactElement {
  const { t, language } = useWords();
  const inMinute = Math.max(1, Math.round(60 / pieceSeconds));
  const newestFirst = history.toReversed();
  const minutes = Array.from({ length: Math.ceil(newestFirst.length / inMinute) }, (_, place) =>
    newestFirst.slice(place * inMinute, (place + 1) * inMinute),
  );
  return (
    <details className="plot-table">
      <summary>{t('rateLimit.table')}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('rateLimit.until')}</th>
            {rateLimitLanes.map((lane) => (
              <th key={lane} scope="col">
                {t(`rateLimit.lane.${lane}`)}
              </th>
            ))}
            <th scope="col">{t('rateLimit.line')}</th>
            <th scope="col">{t('rateLimit.refused')}</th>
          </tr>
        </thead>
        <tbody>
          {minutes.map((pieces, place) => {
            const fullest = pieces.reduce<RateLimitPiece | undefined>(
              (before, piece) => (before !== undefined && usedOf(before.used) >= usedOf(piece.used) ? before : piece),
              undefined,
            );
            const until = readAt - place * inMinute * pieceSeconds * 1000;
            return (
              <tr key={until}>
                <th scope="row">{formatMoment(until, readAt, language)}</th>
                {rateLimitLanes.map((lane) => (
                  <td key={lane}>{formatNumber(fullest?.used[lane] ?? 0, language)}</td>
                ))}
                <td>{formatNumber(fullest?.limit ?? 0, language)}</td>
                <td>
                  {formatNumber(
                    pieces.reduce((sum, piece) => sum + piece.refusals, 0),
                    language,
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </details>
  );
}
