import { useEffect, useRef, useState, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { FieldSettings } from '../fields/fields-section.tsx';
import { useNavigation, useStores, useTerminal, useWords } from '../stores/context.tsx';
import { cashierSections, sections, type Section } from '../stores/navigation.ts';
import { CheckIcon } from '../ui/icons.tsx';
import { useIsLocked } from '../ui/lock-sign.tsx';
import { ConnectionSettings } from './connection-section.tsx';
import { GeneralSettings } from './general-section.tsx';
import { LockSettings } from './lock-section.tsx';
import type { SectionProps } from './section-props.ts';
import { ScannerSettings } from './scanner-section.tsx';
import { ShopSettings } from './shop-section.tsx';
import { StockSettings } from './stock-section.tsx';
import { SupportSettings } from './support-section.tsx';
import { TillSettings } from './till-section.tsx';

const sectionParts: Readonly<Record<Section, (props: SectionProps) => ReactElement>> = {
  general: GeneralSettings,
  till: TillSettings,
  scanner: ScannerSettings,
  connection: ConnectionSettings,
  shop: ShopSettings,
  copy: StockSettings,
  fields: FieldSettings,
  lock: LockSettings,
  support: SupportSettings,
};

/** Says, also to whoever does not see it, that the last choice in this section is kept. */
function SavedSign({ section }: { readonly section: Section }): ReactElement {
  const { t } = useWords();
  const { settings } = useStores();
  const isSaved = useStore(settings, (store) => store.isSaved);
  useEffect(() => settings.getState().forgetSaved(), [settings, section]);
  return (
    <p className="settings-saved line-2" role="status">
      {isSaved && (
        <>
          <CheckIcon size={20} /> {t('settings.saved')}
        </>
      )}
    </p>
  );
}

export function Settings(): ReactElement {
  const { t } = useWords();
  const current = useNavigation((navigation) => navigation.section);
  const isPractice = useTerminal((state) => state.practice !== null);
  const store = useTerminal(({ mode, profileId }) => `${mode} ${profileId}`);
  const hasProfile = useTerminal((state) => state.profiles.length > 0);
  const isLocked = useIsLocked('settings');
  const [isShowingAll, setShowingAll] = useState(false);
  if (!isShowingAll && !cashierSections.includes(current)) {
    // Whoever has come to one of the others finds them all, until the settings are left.
    setShowingAll(true);
  }
  const isWhole = isShowingAll || !isLocked;
  const list = useRef<HTMLElement>(null);
  const isAsked = useRef(false);
  useEffect(() => {
    if (isAsked.current) {
      // The button that was pressed is gone.
      list.current?.querySelector<HTMLElement>('[aria-current="page"]')?.focus({ preventScroll: true });
    }
  }, [isShowingAll]);
  const showAll = (): void => {
    isAsked.current = true;
    setShowingAll(true);
  };
  const shown = isWhole ? sections : cashierSections;
  const Part = sectionParts[current];
  return (
    <div className="settings">
      <h1>{t('shell.screen.settings')}</h1>
      <div className="settings-side">
        <nav ref={list} className="settings-sections" aria-label={t('settings.sections')}>
          {shown.map((section) => (
            <a
              key={section}
              href={`#settings/${section}`}
              className="settings-section"
              aria-current={section === current ? 'page' : undefined}
            >
              {t(`settings.section.${section}`)}
            </a>
          ))}
          {!isWhole && (
            <button type="button" className="settings-section settings-all" onClick={showAll}>
              {t('settings.all')}
            </button>
          )}
        </nav>
        <SavedSign section={current} />
      </div>
      <div className="settings-parts">
        {isPractice && <p className="hint">{t(hasProfile ? 'practice.own' : 'practice.ownAtFirst')}</p>}
        {/* Nothing that is half typed goes over to another store's settings. */}
        <Part key={store} isShowingAll={isWhole} />
      </div>
    </div>
  );
}
