// Owns the settings about the platform: how this terminal reaches it, the test of that, and the profiles. Never shows a secret.
import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { ConnectionReport } from '../../../app/contract/contract.ts';
import type { Failure } from '../../../app/domain/failure.ts';
import { ConnectionReportList, Testing } from '../../components/connection-report.tsx';
import { Profiles } from '../../components/profiles.tsx';
import { FailureNotice, SettingsPart } from '../../components/settings-part.tsx';
import { useStores, useTerminal, useWords } from '../../context.tsx';
import { useFocusedAnswer } from '../../focus.ts';

function Connection(): ReactElement {
  const { t } = useWords();
  const { wall } = useStores();
  const profile = useTerminal((state) => state.profile);
  const stocks = useTerminal((state) => state.catalogue.stocks);
  const [isWorking, setWorking] = useState(false);
  const [report, setReport] = useState<ConnectionReport | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);

  const answer = useFocusedAnswer(report ?? failure);

  const test = async (): Promise<void> => {
    setWorking(true);
    setReport(null);
    const tested = await wall.call('profile:test', {});
    setWorking(false);
    setReport(tested.ok ? tested.value : null);
    setFailure(tested.ok ? null : tested.failure);
  };

  const nameOf = (stockId: string): string => stocks.find((stock) => stock.stockId === stockId)?.name ?? '';
  return (
    <SettingsPart title={t('settings.connection')}>
      {profile !== null && (
        <dl className="facts">
          <dt>{t('connect.platformUrl.label')}</dt>
          <dd className="mono">{profile.platformUrl}</dd>
          <dt>{t('connect.clientId.label')}</dt>
          <dd className="mono">{profile.clientId}</dd>
          <dt>{t('connect.companyId.label')}</dt>
          <dd className="mono">{profile.companyId}</dd>
          <dt>{t('connect.stockIds.label')}</dt>
          <dd>
            {profile.stockIds.map((stockId) => (
              <span key={stockId} className="fact-line">
                <span className="mono">{stockId}</span> {nameOf(stockId)}
              </span>
            ))}
          </dd>
        </dl>
      )}
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
      <p className="hint">{t('settings.changeConnection')}</p>
    </SettingsPart>
  );
}

export function ConnectionSettings(): ReactElement {
  return (
    <>
      <Connection />
      <Profiles />
    </>
  );
}
