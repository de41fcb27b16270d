// Owns what the support technician asks for first: which version runs where. Never shows a secret.
import type { ReactElement } from 'react';
import { SettingsPart } from '../../components/settings-part.tsx';
import { useTerminal, useWords } from '../../context.tsx';
import { formatNumber } from '../../formats/numbers.ts';

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

export function SupportSettings(): ReactElement {
  return <About />;
}
