import type { ReactElement } from 'react';
import type { RateLimitReading, RateLimitWaiter } from '../../app/contract/rate-limit.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { RateLimitPlot, RateLimitTable, usedOf } from './rate-limit-plot.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { Working } from '../ui/working.tsx';
import { useWords } from '../stores/context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import { formatFullMoment, formatWait } from '../formats/times.ts';
import { useReadRepeatedly } from '../stores/use-repeated-read.ts';

const everyMs = 1_000;

const readRateLimit = (bridge: Bridge): Promise<Result<RateLimitReading, Failure>> => bridge.call('rateLimit:read', {});

function Figures({ reading }: { readonly reading: RateLimitReading }): ReactElement {
  const { t, language } = useWords();
  const { limits, limit, used, pausedUntil, readAt } = reading;
  const inUse = usedOf(used);
  const number = (value: number): string => formatNumber(value, language);
  const words = [
    ['used', inUse],
    ['free', Math.max(0, limit - inUse)],
    ['allowed', limit],
    ['set', limits.limit],
  ] as const;
  return (
    <section className="panel stack-3" aria-label={t('rateLimit.nowTitle')}>
      <dl className="rate-limit-figures stack-4">
        {words.map(([name, value]) => (
          <div key={name}>
            <dt className="hint">{t(`rateLimit.${name}`)}</dt>
            <dd>{number(value)}</dd>
          </div>
        ))}
      </dl>
      <p className="hint">
        {t('rateLimit.rule', {
          limit: number(limits.limit),
          seconds: number(limits.windowSeconds),
          reserve: number(limits.reserve),
        })}
      </p>
      <div role="status" className="stack-2">
        {pausedUntil !== null && (
          <p className="notice" data-kind="warn">
            {t('rateLimit.paused', {
              wait: formatWait(pausedUntil, readAt, language),
              moment: formatFullMoment(pausedUntil, language),
            })}
          </p>
        )}
        {limit < limits.limit && <p className="notice">{t('rateLimit.shared', { limit: number(limit) })}</p>}
      </div>
    </section>
  );
}

function WaiterRow({ waiter, readAt }: { readonly waiter: RateLimitWaiter; readonly readAt: number }): ReactElement {
  const { t, language } = useWords();
  return (
    <li className="rate-limit-waiter">
      <span className="plot-key" data-lane={waiter.lane} aria-hidden />
      <span className="rate-limit-purpose">
        {t(`rateLimit.purpose.${waiter.purpose}`)}
        {waiter.subject !== null && <span className="rate-limit-subject">{waiter.subject}</span>}
      </span>
      <span className="hint">{t(`rateLimit.lane.${waiter.lane}`)}</span>
      <span className="rate-limit-since">{formatWait(readAt, waiter.since, language)}</span>
    </li>
  );
}

function Waiting({ reading }: { readonly reading: RateLimitReading }): ReactElement {
  const { t } = useWords();
  const { waiting, waitingCount, readAt } = reading;
  return (
    <section className="panel stack-3" aria-label={t('rateLimit.waiting')}>
      <h2>{t('rateLimit.waiting')}</h2>
      {waiting.length === 0 ? (
        <p className="lead">{t('rateLimit.nobody')}</p>
      ) : (
        <ul>
          {waiting.map((waiter, place) => (
            <WaiterRow key={`${waiter.since} ${place}`} waiter={waiter} readAt={readAt} />
          ))}
        </ul>
      )}
      {waitingCount > waiting.length && (
        <p className="hint">{t('rateLimit.more', { count: waitingCount - waiting.length })}</p>
      )}
    </section>
  );
}

export function RateLimit(): ReactElement {
  const { t } = useWords();
  const reading = useReadRepeatedly(readRateLimit, everyMs);
  return (
    <div className="rate-limit">
      <div className="rate-limit-head">
        <h1>{t('shell.screen.rateLimit')}</h1>
        <a href="#settings" className="target">
          {t('shell.screen.settings')}
        </a>
      </div>
      {reading === null && <Working words={t('rateLimit.reading')} />}
      {reading?.ok === false && <FailureNotice failure={reading.failure} />}
      {reading?.ok === true && (
        <>
          <Figures reading={reading.value} />
          <section className="panel stack-3" aria-label={t('rateLimit.history')}>
            <h2>{t('rateLimit.history')}</h2>
            <RateLimitPlot history={reading.value.history} limit={reading.value.limits.limit} />
            <RateLimitTable
              history={reading.value.history}
              pieceSeconds={reading.value.pieceSeconds}
              readAt={reading.value.readAt}
            />
          </section>
          <Waiting reading={reading.value} />
        </>
      )}
    </div>
  );
}
