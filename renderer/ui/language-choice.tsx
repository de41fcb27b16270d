import { SegmentedControl } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Language } from '../../app/contract/basics.ts';
import { languages } from '../../app/domain/language.ts';
import { useTerminal, useWords } from '../stores/context.tsx';
import { useSetting } from '../stores/use-setting.ts';
import { FailureNotice } from './failure-text.tsx';

export const ownNames: Readonly<Record<Language, string>> = { 'pt-BR': 'Português', es: 'Español', en: 'English' };

/** The languages by their own names. */
export const languageChoices = languages.map((value) => ({
  value,
  label: <span lang={value}>{ownNames[value]}</span>,
}));

/** The choice of a language; with `withSystem` also the operating system's. */
export function LanguageChoice({ withSystem = false }: { readonly withSystem?: boolean }): ReactElement {
  const { t } = useWords();
  const language = useTerminal((state) => state.language);
  const {
    value: chosen,
    failure,
    save,
  } = useSetting('language', (state) => (state.languageChosen ? state.language : null));
  return (
    <>
      <SegmentedControl
        aria-label={t('settings.language')}
        className="choice language-choice"
        data={withSystem ? [{ value: 'system', label: t('settings.system') }, ...languageChoices] : languageChoices}
        value={chosen ?? (withSystem ? 'system' : language)}
        onChange={(value) => void save(value === 'system' ? null : value)}
      />
      <FailureNotice failure={failure()} />
    </>
  );
}
