import type { ReactElement } from 'react';
import { useNavigation, useWords } from '../stores/context.tsx';

/** Opens the help where it answers this sentence of the screen. */
export function HelpLink({ sentence }: { readonly sentence: string }): ReactElement {
  const { t } = useWords();
  const showHelp = useNavigation((navigation) => navigation.showHelp);
  return (
    <button type="button" className="text-button help-link" onClick={() => showHelp({ part: 'questions', sentence })}>
      {t('help.answer')}
    </button>
  );
}
