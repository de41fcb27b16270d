import type { ReactElement } from 'react';
import { FieldSettings } from '../fields/fields-section.tsx';
import { HubSettings } from '../hub/hub-section.tsx';
import { useNavigation, useTerminal, useWords } from '../stores/context.tsx';
import { sections, type Section } from '../stores/navigation.ts';
import { ariaKeysOf } from '../stores/shortcuts.ts';
import { ConnectionSettings } from './connection-section.tsx';
import { GeneralSettings } from './general-section.tsx';
import { LockSettings } from './lock-section.tsx';
import { QueueSettings } from './queue-section.tsx';
import { ScannerSettings } from './scanner-section.tsx';
import { StockSettings } from './stock-section.tsx';
import { SupportSettings } from './support-section.tsx';

const sectionParts: Readonly<Record<Section, () => ReactElement>> = {
  general: GeneralSettings,
  scanner: ScannerSettings,
  connection: ConnectionSettings,
  shop: HubSettings,
  copy: StockSettings,
  fields: FieldSettings,
  queue: QueueSettings,
  lock: LockSettings,
  support: SupportSettings,
};

export function Settings(): ReactElement {
  const { t } = useWords();
  const current = useNavigation((navigation) => navigation.section);
  const isPractice = useTerminal((state) => state.practice !== null);
  const hasProfile = useTerminal((state) => state.profiles.length > 0);
  const Part = sectionParts[current];
  return (
    <div className="settings">
      <h1>{t('shell.screen.settings')}</h1>
      <nav className="settings-sections" aria-label={t('settings.sections')}>
        {sections.map((section) => (
          <a
            key={section}
            href={`#settings/${section}`}
            className="settings-section"
            aria-current={section === current ? 'page' : undefined}
          >
            {t(`settings.section.${section}`)}
          </a>
        ))}
        <a href="#users" className="settings-section" aria-keyshortcuts={ariaKeysOf('users')}>
          {t('shell.screen.users')}
        </a>
      </nav>
      <div className="settings-parts">
        {isPractice && <p className="hint">{t(hasProfile ? 'practice.own' : 'practice.ownAtFirst')}</p>}
        <Part />
      </div>
    </div>
  );
}
