// Owns the frame of the settings: their sections, of which one is shown, each at an address of its own. Never holds a setting.
import type { ReactElement } from 'react';
import { useNavigation, useWords } from '../../context.tsx';
import { sections, type Section } from '../../stores/navigation.ts';
import { ConnectionSettings } from './connection.tsx';
import { GeneralSettings } from './general.tsx';
import { LockSettings } from './lock.tsx';
import { QueueSettings } from './queue.tsx';
import { ScannerSettings } from './scanner.tsx';
import { StockSettings } from './stock.tsx';
import { SupportSettings } from './support.tsx';

const sectionParts: Readonly<Record<Section, () => ReactElement>> = {
  general: GeneralSettings,
  scanner: ScannerSettings,
  connection: ConnectionSettings,
  copy: StockSettings,
  queue: QueueSettings,
  lock: LockSettings,
  support: SupportSettings,
};

export function Settings(): ReactElement {
  const { t } = useWords();
  const current = useNavigation((navigation) => navigation.section);
  const Part = sectionParts[current];
  return (
    <div className="settings">
      <h1>{t('screen.settings')}</h1>
      <nav className="settings-sections" aria-label={t('settings.sections')}>
        {sections.map((section) => (
          <a key={section} href={`#settings/${section}`} className="settings-section" aria-current={section === current ? 'page' : undefined}>
            {t(`settings.section.${section}`)}
          </a>
        ))}
      </nav>
      <div className="settings-parts">
        <Part />
      </div>
    </div>
  );
}
