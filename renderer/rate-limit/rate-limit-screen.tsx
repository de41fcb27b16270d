import type { ReactElement } from 'react';
import type { AllowanceReading, AllowanceWaiter } from '../../app/contract/rate-limit.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';
import type { Wall } from '../bridge/bridge.ts';
import { AllowancePlot, AllowanceTable, usedOf } from './rate-limit-plot.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { Working } from '../ui/working.tsx';
import { useWords } from '../stores/context.tsx';
import { formatNumber } from '../formats/numbers.ts';
import { formatFullMoment, formatWait } from '../formats/times.ts';
import { useReadRepeatedly } from '../stores/use-repeated-read.ts';

const everyMs = 1_000;

const readAllowance = (wall: Wall): Promise<Result<AllowanceReading, Failure>> => wall.call('allowance:read', {});

function Figures({ reading }: { readonly reading: AllowanceReading }): ReactElement {
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
    <section className="panel allowance-now" aria-label={t('allowance.nowTitle')}>
      <dl className="allowance-figures">
        {words.map(([name, value]) => (
          <div key={name}>
            <dt>{t(`allowance.${name}`)}</dt>
            <dd>{number(value)}</dd>
          </div>
        ))}
      </dl>
      <p className="hint">
        {t('allowance.rule', {
          limit: number(limits.limit),
          seconds: number(limits.windowSeconds),
          reserve: number(limits.reserve),
        })}
      </p>
      <div role="status" className="allowance-said">
        {pausedUntil !== null && (
          <p className="notice" data-kind="warn">
            {t('allowance.paused', {
              wait: formatWait(pausedUntil, readAt, language),
              moment: formatFullMoment(pausedUntil, language),
            })}
          </p>
        )}
        {limit < limits.limit && <p className="notice">{t('allowance.shared', { limit: number(limit) })}</p>}
      </div>
    </section>
  );
}

function WaiterRow({ waiter, readAt }: { readonly waiter: AllowanceWaiter; readonly readAt: number }): ReactElement {
  const { t, language } = useWords();
  return (
    <li className="allowance-waiter">
      <span className="plot-key" data-lane={waiter.lane} aria-hidden />
      <span className="allowance-purpose">
        {t(`allowance.purpose.${waiter.purpose}`)}
        {waiter.subject !== null && <span className="allowance-subject">{waiter.subject}</span>}
      </span>
      <span className="hint">{t(`allowance.lane.${waiter.lane}`)}</span>
      <span className="allowance-since">{formatWait(readAt, waiter.since, language)}</span>
    </li>
  );
}

function Waiting({ reading }: { readonly reading: AllowanceReading }): ReactElement {
  const { t } = useWords();
  const { waiting, waitingCount, readAt } = reading;
  return (
    <section className="panel" aria-label={t('allowance.waiting')}>
      <h2>{t('allowance.waiting')}</h2>
      {waiting.length === 0 ? (
        <p className="lead">{t('allowance.nobody')}</p>
      ) : (
        <ul>
          {waiting.map((waiter, place) => (
            <WaiterRow key={`${waiter.since} ${place}`} waiter={waiter} readAt={readAt} />
          ))}
        </ul>
      )}
      {waitingCount > waiting.length && (
        <p className="hint">{t('allowance.more', { count: waitingCount - waiting.length })}</p>
      )}
    </section>
  );
}

export function Allowance(): ReactElement {
  const { t } = useWords();
  const reading = useReadRepeatedly(readAllowance, everyMs);
  return (
    <div className="allowance">
      <div className="allowance-head">
        <h1>{t('screen.allowance')}</h1>
        <a href="#settings" className="target">
          {t('allowance.back')}
        </a>
      </div>
      {reading === null && <Working words={t('allowance.reading')} />}
      {reading?.ok === false && <FailureNotice failure={reading.failure} />}
      {reading?.ok === true && (
        <>
          <Figures reading={reading.value} />
          <section className="panel" aria-label={t('allowance.history')}>
            <h2>{t('allowance.history')}</h2>
            <AllowancePlot history={reading.value.history} limit={reading.value.limits.limit} />
            <AllowanceTable
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
