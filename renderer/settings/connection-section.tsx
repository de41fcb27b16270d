import type { ReactElement } from 'react';
import { ConnectionTest } from '../connection/connection-test.tsx';
import { Profiles } from './profiles.tsx';
import { ProgramSettings } from './program-settings.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';
import { useTerminal, useWords } from '../stores/context.tsx';

function Connection(): ReactElement {
  const { t } = useWords();
  const profile = useTerminal((state) => state.profile);
  const stocks = useTerminal((state) => state.catalogue.stocks);
  const nameOf = (stockId: string): string => stocks.find((stock) => stock.stockId === stockId)?.name ?? '';
  return (
    <SettingsPart title={t('settings.connection')}>
      {profile !== null && (
        <dl className="facts">
          <dt>{t('signIn.connect.platformUrl.label')}</dt>
          <dd className="mono">{profile.platformUrl}</dd>
          <dt>{t('signIn.connect.clientId.label')}</dt>
          <dd className="mono">{profile.clientId}</dd>
          <dt>{t('signIn.connect.companyId.label')}</dt>
          <dd className="mono">{profile.companyId}</dd>
          <dt>{t('signIn.connect.stockIds.label')}</dt>
          <dd>
            {profile.stockIds.map((stockId) => (
              <span key={stockId} className="fact-line">
                <span className="mono">{stockId}</span> {nameOf(stockId)}
              </span>
            ))}
          </dd>
        </dl>
      )}
      <ConnectionTest />
    </SettingsPart>
  );
}

export function ConnectionSettings(): ReactElement {
  return (
    <>
      <Connection />
      <Profiles />
      <ProgramSettings />
    </>
  );
}
