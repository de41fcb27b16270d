// Owns how a connection test is told: every step, what is wrong with the first that failed, and what to do. Never runs one.
import { Loader } from '@mantine/core';
import type { ReactElement } from 'react';
import type { ConnectionReport } from '../../app/contract/contract.ts';
import { useWords } from '../context.tsx';
import { FailureText } from './failure-text.tsx';
import { CheckIcon, CrossIcon, MinusIcon } from './icons.tsx';

const outcomeIcons = { passed: <CheckIcon size={20} />, failed: <CrossIcon size={20} />, skipped: <MinusIcon size={20} /> };

/** The steps in their order. */
export function ConnectionReportList({ report }: { readonly report: ConnectionReport }): ReactElement {
  const { t } = useWords();
  return (
    <ol className="steps" aria-label={t('report.title')}>
      {report.steps.map((step, index) => (
        <li key={`${step.step}-${index}`} className="step" data-outcome={step.outcome}>
          <span className="step-icon">{outcomeIcons[step.outcome]}</span>
          <div>
            <p className="step-name">
              {t(`report.step.${step.step}`)}
              {step.detail !== null && <span className="mono"> {step.detail}</span>}
              <span className="step-outcome"> {t(`report.outcome.${step.outcome}`)}</span>
            </p>
            {step.outcome === 'failed' && (
              <>
                <p className="step-advice">{t(`report.wrong.${step.step}`)}</p>
                {step.failure !== null && <FailureText failure={step.failure} withReason />}
              </>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** A line that says that something is under way. */
export function Working({ words }: { readonly words: string }): ReactElement {
  return (
    <p className="working" role="status">
      <Loader size="sm" /> {words}
    </p>
  );
}
