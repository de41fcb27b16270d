import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { ConnectionReport } from '../../app/contract/connection.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { useStores, useWords } from '../stores/context.tsx';
import { useFocusedAnswer } from '../dom/focus.ts';
import { ConnectionReportList, Testing } from './connection-report.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';

export function ConnectionTest(): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const [isWorking, setWorking] = useState(false);
  const [report, setReport] = useState<ConnectionReport | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const answer = useFocusedAnswer(report ?? failure);

  const test = async (): Promise<void> => {
    setWorking(true);
    setReport(null);
    const tested = await bridge.call('profile:test', {});
    setWorking(false);
    setReport(tested.ok ? tested.value : null);
    setFailure(tested.ok ? null : tested.failure);
  };

  return (
    <>
      <div>
        <Button variant="default" loading={isWorking} onClick={() => void test()}>
          {t('settings.test')}
        </Button>
      </div>
      {isWorking && <Testing />}
      <div ref={answer} tabIndex={-1} className="told">
        {report !== null && (
          <div role="status">
            <h3>{t(report.passed ? 'report.passed' : 'report.failed')}</h3>
            <ConnectionReportList report={report} />
          </div>
        )}
        <FailureNotice failure={failure} />
      </div>
    </>
  );
}
