import { useEffect, type MouseEvent, type ReactElement } from 'react';
import { Answer } from './answer.tsx';
import { AnswerSignal } from './answer-signal.tsx';
import { CopyProgress } from '../ui/sync-progress.tsx';
import { LabelHost } from '../labels/label-host.tsx';
import { LookupField } from './lookup-field.tsx';
import { Recent } from './recent.tsx';
import { useLookup, useTerminal, useWords } from '../stores/context.tsx';

/** After a click or touch the field is ready again; a person who uses the keyboard stays where they are. */
function giveFocusBack(event: MouseEvent<HTMLElement>): void {
  const isPointer = event.detail > 0;
  const isReading = window.getSelection()?.isCollapsed === false;
  const isLink = event.target instanceof Element && event.target.closest('a') !== null;
  // React hands on what is pressed in a dialog that a part of this has opened.
  const isHere = event.target instanceof Node && event.currentTarget.contains(event.target);
  if (isPointer && !isReading && !isLink && isHere) {
    event.currentTarget.querySelector<HTMLInputElement>('.finder-input')?.focus({ preventScroll: true });
  }
}

export function Lookup(): ReactElement {
  const { t } = useWords();
  const readRecent = useLookup((lookup) => lookup.readRecent);
  const hasAnswer = useLookup((lookup) => lookup.answer !== null);
  const isPractice = useTerminal((state) => state.practice !== null);
  const resume = useLookup((lookup) => lookup.resume);
  useEffect(() => {
    const comeBack = (): void => {
      void readRecent();
      void resume();
    };
    comeBack();
    // The companion bar may have looked something up meanwhile, or have turned a question away.
    window.addEventListener('focus', comeBack);
    return () => window.removeEventListener('focus', comeBack);
  }, [readRecent, resume]);
  return (
    <LabelHost>
      <div className="lookup" onClick={giveFocusBack}>
        <h1 className="visually-hidden">{t('shell.screen.lookup')}</h1>
        <div className="lookup-main">
          <LookupField />
          {!hasAnswer && !isPractice && <CopyProgress />}
          <Answer />
        </div>
        <Recent />
        <AnswerSignal />
      </div>
    </LabelHost>
  );
}
