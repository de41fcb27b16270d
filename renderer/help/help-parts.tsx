import { useDeferredValue, type ReactElement } from 'react';
import { useNavigation, useWords } from '../stores/context.tsx';
import { helpPages, type HelpPlace } from '../stores/navigation.ts';
import { HelpPage } from './help-page.tsx';
import { KeyboardPage } from './keyboard-page.tsx';

/** The contents, and beside them the part that is open. */
export function HelpParts({ place }: { readonly place: HelpPlace }): ReactElement {
  const { t, language } = useWords();
  const showHelp = useNavigation((navigation) => navigation.showHelp);
  // The page before stays until the next one has been read.
  const shown = useDeferredValue(place);
  const spoken = useDeferredValue(language);
  return (
    <div className="help">
      <nav className="help-contents" aria-label={t('help.contents')}>
        <ul>
          {(['keys', ...helpPages] as const).map((part) => (
            <li key={part}>
              <button
                type="button"
                className="text-button"
                aria-current={part === place.part ? 'page' : undefined}
                onClick={() => showHelp({ part })}
              >
                {t(`help.part.${part}`)}
              </button>
            </li>
          ))}
        </ul>
      </nav>
      {shown.part === 'keys' ? <KeyboardPage /> : <HelpPage page={shown.part} place={shown} language={spoken} />}
    </div>
  );
}
