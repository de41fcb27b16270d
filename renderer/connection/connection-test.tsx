import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { useStores, useWords } from '../stores/context.tsx';
import { useFocusedAnswer } from '../dom/focus.ts';
import { ConnectionReportList, Testing } from './connection-report.tsx';
import { useConnectionTrial } from './use-connection-trial.ts';
import { FailureNotice } from '../ui/failure-text.tsx';

export function ConnectionTest(): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const { isWorking, report, failure, run } = useConnectionTrial();
  const answer = useFocusedAnswer(report ?? failure);
  return (
    <>
      <div>
        <Button variant="default" loading={isWorking} onClick={() => void run(() => bridge.call('profile:test', {}))}>
          {t('settings.test')}
        </Button>
      </div>
      {isWorking && <Testing />}
      <div ref={answer} tabIndex={-1} className="answer-place">
        {report !== null && (
          <div role="status">
            <h3>{t(report.passed ? 'connection.report.passed' : 'connection.report.failed')}</h3>
            <ConnectionReportList report={report} />
          </div>
        )}
        <FailureNotice failure={failure} />
      </div>
    </>
  );
}
