// Owns the frame of the screens before the till: the mark, a calm page and the choice of language. Never holds a form.
import type { ReactElement, ReactNode } from 'react';
import { Mark } from '../components/icons.tsx';
import { LanguageChoice } from '../components/language-choice.tsx';
import { PracticeBand } from '../components/practice-band.tsx';
import { useWords } from '../context.tsx';
import { useFocusedHeading } from '../focus.ts';

/** Mark and language above, the content in the middle. */
export function Entry({ children }: { readonly children: ReactNode }): ReactElement {
  const { t } = useWords();
  const main = useFocusedHeading<HTMLElement>(null);
  return (
    <div className="entry">
      <PracticeBand />
      <header className="entry-head">
        <span className="brand">
          <Mark size={40} /> Tillside
        </span>
        <LanguageChoice />
      </header>
      <main className="entry-main" ref={main}>{children}</main>
      <footer className="entry-foot">{t('entry.foot')}</footer>
    </div>
  );
}
