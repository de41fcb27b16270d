import { useSyncExternalStore, type ReactElement } from 'react';
import { useStores, useWords } from '../stores/context.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';

/** Shows the findings of the last scans since the page was opened. */
export function ScannerPath(): ReactElement {
  const { t } = useWords();
  const { scannerLearner } = useStores();
  const { scans, paceMs, widestGapMs, pausedScans, end } = useSyncExternalStore(
    scannerLearner.subscribe,
    scannerLearner.profile,
  );
  if (scans === 0 || paceMs === null || widestGapMs === null) {
    return (
      <SettingsPart title={t('scanner.path.title')}>
        <p className="hint">{t('scanner.path.none')}</p>
      </SettingsPart>
    );
  }
  const figures = { count: scans, paused: pausedScans, pace: Math.round(paceMs), widest: Math.round(widestGapMs) };
  return (
    <SettingsPart title={t('scanner.path.title')}>
      <dl className="facts trial-facts">
        {(['scans', 'pace', 'widest'] as const).map((fact) => (
          <div key={fact} className="trial-fact">
            <dt>{t(`scanner.path.${fact}`)}</dt>
            <dd>{fact === 'scans' ? figures.count : t('scanner.path.ms', { number: figures[fact] })}</dd>
          </div>
        ))}
        <div className="trial-fact">
          <dt>{t('scanner.path.end')}</dt>
          <dd>{t(`scanner.path.ends.${end}`)}</dd>
        </div>
      </dl>
      <div className="scanner-path" role="status">
        {pausedScans === 0 ? (
          <p className="notice" data-kind="good">
            {t('scanner.path.good')}
          </p>
        ) : (
          <p className="notice" data-kind="warn">
            <strong>{t('scanner.path.bad', figures)}</strong>{' '}
            {t(end === 'none' ? 'scanner.path.adviceEnd' : 'scanner.path.advice')}
          </p>
        )}
      </div>
    </SettingsPart>
  );
}
