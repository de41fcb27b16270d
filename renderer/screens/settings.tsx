// Owns what a person may choose and look up about this terminal. Never shows a secret.
import { Button, SegmentedControl } from '@mantine/core';
import { useId, useState, type ReactElement } from 'react';
import type { ConnectionReport } from '../../app/contract/contract.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { AllowanceLimits } from '../components/allowance-limits.tsx';
import { ConnectionReportList, Testing } from '../components/connection-report.tsx';
import { CopyLine, CopyPlan, CopyProgress } from '../components/copy-progress.tsx';
import { LanguageChoice } from '../components/language-choice.tsx';
import { PracticeSettings } from '../components/practice-settings.tsx';
import { Profiles } from '../components/profiles.tsx';
import { QueueLimits } from '../components/queue-limits.tsx';
import { QuietHoursForm } from '../components/quiet-hours.tsx';
import { RestoreUser } from '../components/restore-user.tsx';
import { ScaleLayouts } from '../components/scale-layouts.tsx';
import { FailureNotice, SettingsPart } from '../components/settings-part.tsx';
import { useStores, useTerminal, useWords } from '../context.tsx';
import { useFocusedAnswer } from '../focus.ts';
import { formatNumber } from '../formats/numbers.ts';

const themes = ['system', 'light', 'dark'] as const;

function Appearance(): ReactElement {
  const { t } = useWords();
  const { wall } = useStores();
  const theme = useTerminal((state) => state.theme);
  return (
    <SettingsPart title={t('settings.appearance')}>
      <div className="setting">
        <p>{t('settings.language')}</p>
        <LanguageChoice withSystem />
      </div>
      <div className="setting">
        <p>{t('settings.theme')}</p>
        <SegmentedControl
          className="choice"
          aria-label={t('settings.theme')}
          data={themes.map((value) => ({ value, label: t(value === 'system' ? 'settings.system' : `settings.${value}`) }))}
          value={theme}
          onChange={(value) => void wall.call('settings:update', { theme: themes.find((one) => one === value) ?? 'system' })}
        />
      </div>
    </SettingsPart>
  );
}

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

function Catalogue(): ReactElement {
  const { t } = useWords();
  const { wall } = useStores();
  const isCopying = useTerminal((state) => state.catalogue.phase === 'copying');
  const whyId = useId();
  const [failure, setFailure] = useState<Failure | null>(null);
  const copy = async (): Promise<void> => {
    const started = await wall.call('catalogue:copy', {});
    setFailure(started.ok ? null : started.failure);
  };
  return (
    <SettingsPart title={t('settings.catalogue')}>
      <CopyProgress />
      <CopyLine />
      <CopyPlan />
      <QuietHoursForm />
      <p className="hint" id={whyId}>
        {t(isCopying ? 'settings.copyRuns' : 'settings.copyHint')}
      </p>
      <div>
        {/* It only looks disabled: one that is would lose the focus. */}
        <Button variant="default" {...(isCopying ? { 'data-disabled': true } : {})} aria-disabled={isCopying} aria-describedby={whyId} onClick={() => void (isCopying ? undefined : copy())}>
          {t('settings.copy')}
        </Button>
      </div>
      <FailureNotice failure={failure} />
    </SettingsPart>
  );
}

function About(): ReactElement {
  const { t, language } = useWords();
  const version = useTerminal((state) => state.version);
  const host = useTerminal((state) => state.host);
  const allowance = useTerminal((state) => state.allowance);
  return (
    <SettingsPart title={t('settings.about')}>
      <dl className="facts">
        <dt>Tillside</dt>
        <dd className="mono">{version}</dd>
        <dt>{t('settings.runsIn')}</dt>
        <dd>{t(`settings.host.${host}`)}</dd>
        <dt>{t('settings.allowance')}</dt>
        <dd>{t('settings.allowanceText', { used: formatNumber(allowance.used, language), limit: formatNumber(allowance.limit, language) })}</dd>
      </dl>
    </SettingsPart>
  );
}

export function Settings(): ReactElement {
  const { t } = useWords();
  return (
    <div className="settings">
      <h1>{t('screen.settings')}</h1>
      <div className="settings-parts">
        <PracticeSettings />
        <Appearance />
        <Connection />
        <Profiles />
        <Catalogue />
        <QueueLimits />
        <AllowanceLimits />
        <ScaleLayouts />
        <RestoreUser />
        <About />
      </div>
    </div>
  );
}
