import { Modal } from '@mantine/core';
import { useState, type ReactElement, type ReactNode } from 'react';
import { CloseKioskIfAny } from '../support/close-kiosk.tsx';
import { Mark } from '../ui/icons.tsx';
import { LanguageChoice } from '../ui/language-choice.tsx';
import { Notices } from '../ui/notices.tsx';
import { PracticeBand } from '../practice/practice-banner.tsx';
import { useNavigation, useWords } from '../stores/context.tsx';
import { useFocusedHeading } from '../dom/focus.ts';
import { lazyPart } from '../ui/lazy-part.tsx';

const Diagnostics = lazyPart(async () => (await import('../support/diagnostics.tsx')).Diagnostics);

interface EntryProps {
  readonly children: ReactNode;
  /** Content for technicians, behind one button with all else that cashiers do not need. */
  readonly forTechnician?: ReactNode;
  /** In the head of a cashier's screen. */
  readonly place?: ReactNode;
}

/** Mark and language above, the content in the middle. */
export function Entry({ children, forTechnician, place }: EntryProps): ReactElement {
  const { t } = useWords();
  const isForCashiers = forTechnician !== undefined;
  const [isSupportOpen, setSupportOpen] = useState(false);
  const showHelp = useNavigation((navigation) => navigation.showHelp);
  const main = useFocusedHeading<HTMLElement>(null);
  return (
    <div className="entry" data-for={isForCashiers ? 'cashiers' : undefined}>
      <PracticeBand />
      <header className="entry-head">
        <span className="brand">
          <Mark size={40} /> Tillside
        </span>
        {place}
        {!isForCashiers && <LanguageChoice />}
      </header>
      <div className="bands" aria-live="polite">
        <Notices />
      </div>
      <main className="entry-main" ref={main}>
        {children}
      </main>
      <footer className="entry-foot">
        {!isForCashiers && <p>{t('signIn.entry.foot')}</p>}
        <button type="button" className="text-button" onClick={() => showHelp({ part: 'cashier' })}>
          {t('help.title')}
        </button>
        <button type="button" className="text-button" onClick={() => setSupportOpen(true)}>
          {t(isForCashiers ? 'cashiers.till.more' : 'support.open')}
        </button>
      </footer>
      <Modal
        opened={isSupportOpen}
        onClose={() => setSupportOpen(false)}
        title={t(isForCashiers ? 'cashiers.till.more' : 'support.open')}
        size="lg"
      >
        {isForCashiers && (
          <div className="entry-more stack-2">
            <LanguageChoice />
            {forTechnician}
          </div>
        )}
        <Diagnostics isWorkspaceOpen={false} />
        <CloseKioskIfAny />
      </Modal>
    </div>
  );
}
