import type { ReactElement } from 'react';
import type { HubReport } from '../../app/contract/hub.ts';
import { useFocusedAnswer } from '../dom/focus.ts';
import { useWords } from '../stores/context.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { HelpLink } from '../ui/help-link.tsx';
import { Working } from '../ui/working.tsx';
import type { ConnectionTrial } from '../connection/use-connection-trial.ts';

/** The outcome of trying a hub, read out at once; nothing before. */
export function HubTrialAnswer({
  trial: { isWorking, report, failure },
}: {
  readonly trial: ConnectionTrial<HubReport>;
}): ReactElement {
  const { t } = useWords();
  const answer = useFocusedAnswer(report ?? failure);
  if (isWorking) {
    return <Working words={t('hub.working')} />;
  }
  return (
    <div ref={answer} tabIndex={-1} className="answer-place">
      {report?.wrongPart === null && report.failure === null && <p role="status">{t('hub.passed')}</p>}
      {typeof report?.wrongPart === 'string' && (
        <div className="notice" data-kind="bad" role="alert">
          <p>
            {t('hub.wrongAddress')} {t(`hub.wrongPart.${report.wrongPart}`)}
          </p>
          <div className="failure-more">
            <HelpLink sentence={t('hub.wrongAddress')} />
          </div>
        </div>
      )}
      {typeof report?.failure === 'string' && (
        <div className="notice" data-kind="bad" role="alert">
          <p>{t(`hub.failure.${report.failure}`)}</p>
          <div className="failure-more">
            <HelpLink sentence={t(`hub.failure.${report.failure}`)} />
          </div>
        </div>
      )}
      <FailureNotice failure={failure} />
    </div>
  );
}
