import { useEffect, useRef, type ReactElement } from 'react';
import type { ConnectionReport, ConnectionStep } from '../../app/contract/connection.ts';
import { useTerminal, useWords } from '../stores/context.tsx';
import { formatWait } from '../formats/times.ts';
import { useNow } from '../dom/clock.ts';
import { FailureText } from '../ui/failure-text.tsx';
import { CheckIcon, CrossIcon, MinusIcon } from '../ui/icons.tsx';
import { Working } from '../ui/working.tsx';

const outcomeIcons = {
  passed: <CheckIcon size={20} />,
  failed: <CrossIcon size={20} />,
  skipped: <MinusIcon size={20} />,
};

/** Which words tell what is wrong with a step; null where the failure tells it better, which the address alone has. */
function wrongOf({ step, failure }: ConnectionStep): ConnectionStep['step'] | 'notThePlatform' | 'notHere' | null {
  if (step !== 'address') {
    return step;
  }
  switch (failure?.kind) {
    case undefined:
    case 'unreachable':
      return step;
    case 'notThePlatform':
      return 'notThePlatform';
    case 'notFound':
    case 'refused':
      return 'notHere';
    default:
      return null;
  }
}

function StepFailure({ step }: { readonly step: ConnectionStep }): ReactElement {
  const { t } = useWords();
  const { failure } = step;
  const wrong = wrongOf(step);
  const words =
    wrong === null
      ? undefined
      : { says: t(`connection.report.wrong.${wrong}.says`), advice: t(`connection.report.wrong.${wrong}.advice`) };
  return failure === null ? (
    <p>
      {words?.says} {words?.advice}
    </p>
  ) : (
    <FailureText failure={failure} withReason words={words} />
  );
}

/** The steps in their order. Comes into sight by itself: it is the answer to a button further up. */
export function ConnectionReportList({ report }: { readonly report: ConnectionReport }): ReactElement {
  const { t } = useWords();
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    // Newer Chromiums answer with a promise, which an effect must not.
    list.current?.scrollIntoView({ block: 'nearest' });
  }, [report]);
  // An address of this machine itself has no such step (API v3 §1), and then what comes before and after it was tried.
  const isPastAddress = report.steps.some(({ step, outcome }) => step === 'address' && outcome === 'passed');
  return (
    <ol className="steps stack-2" aria-label={t('connection.report.title')} ref={list}>
      {report.steps.map((step, index) => (
        <li key={`${step.step}-${index}`} className="step" data-outcome={step.outcome}>
          <span className="step-icon">{outcomeIcons[step.outcome]}</span>
          <div>
            <p className="step-name">
              {t(`connection.report.step.${step.step}`)}
              {/* A company is tried by its stocks, so that only with a stock the number is its own. */}
              {step.step === 'stock' && step.detail !== null && <span className="mono"> {step.detail}</span>}
              <span className="step-outcome">
                {' '}
                {t(
                  step.step === 'tls' && step.outcome === 'skipped' && isPastAddress
                    ? 'connection.report.outcome.notNeeded'
                    : `connection.report.outcome.${step.outcome}`,
                )}
              </span>
            </p>
            {step.step === 'client' && step.detail !== null && step.detail !== '*' && (
              <p>{t('connection.report.scopes', { names: step.detail })}</p>
            )}
            {step.outcome === 'failed' && <StepFailure step={step} />}
          </div>
        </li>
      ))}
    </ol>
  );
}

/**
 * A connection is being tested, and what it waits for where it waits: the platform's pause (API v3 §8), or a request
 * that is free.
 */
export function Testing(): ReactElement {
  const { t, language } = useWords();
  const now = useNow();
  const { used, limit, pausedUntil } = useTerminal((state) => state.rateLimit);
  if (pausedUntil !== null && pausedUntil > now) {
    return <Working words={t('connection.report.paused', { wait: formatWait(pausedUntil, now, language) })} />;
  }
  return <Working words={t(limit > 0 && used >= limit ? 'connection.report.full' : 'connection.report.working')} />;
}
