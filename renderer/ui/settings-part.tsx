import { useId, useState, type ReactElement, type ReactNode } from 'react';
import type { HeldKind } from '../../app/contract/lock.ts';
import { useWords } from '../stores/context.tsx';
import { HelpIcon } from './icons.tsx';
import { LockSign } from './lock-sign.tsx';

interface SettingsPartProps {
  readonly title: string;
  /** The kind of the manager's lock that it belongs to, if any. */
  readonly lock?: HeldKind;
  /** What it is for and what to know of it, a paragraph each; shown after a press on the question mark. */
  readonly about?: readonly string[];
  readonly children: ReactNode;
}

export function SettingsPart({ title, lock, about, children }: SettingsPartProps): ReactElement {
  const { t } = useWords();
  const aboutId = useId();
  const [isTold, setTold] = useState(false);
  return (
    <section className="panel settings-part stack-4" aria-label={title}>
      <header className="settings-head line-2">
        <h2>
          {title} {lock !== undefined && <LockSign kind={lock} />}
        </h2>
        {about !== undefined && (
          <button
            type="button"
            className="icon-button about-button"
            aria-label={t('ui.about', { title })}
            aria-expanded={isTold}
            aria-controls={aboutId}
            onClick={() => setTold(!isTold)}
          >
            <HelpIcon size={22} />
          </button>
        )}
      </header>
      {about !== undefined && (
        <div id={aboutId} className="about hint stack-2" hidden={!isTold}>
          {isTold && about.map((paragraph) => <p key={paragraph}>{paragraph}</p>)}
        </div>
      )}
      {children}
    </section>
  );
}
