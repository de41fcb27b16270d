// Owns the choice of language. Never stores it; the main process does.
import { SegmentedControl } from '@mantine/core';
import type { ReactElement } from 'react';
import { useStores, useTerminal, useWords } from '../context.tsx';

/** The languages by their own names; with `withSystem` also the operating system's. */
export function LanguageChoice({ withSystem = false }: { readonly withSystem?: boolean }): ReactElement {
  const { t } = useWords();
  const { wall } = useStores();
  const language = useTerminal((state) => state.language);
  const isChosen = useTerminal((state) => state.languageChosen);
  const languages = [
    { value: 'pt-BR', label: <span lang="pt-BR">Português</span> },
    { value: 'en', label: <span lang="en">English</span> },
  ];
  return (
    <SegmentedControl
      aria-label={t('settings.language')}
      size="md"
      className="choice"
      data={withSystem ? [{ value: 'system', label: t('settings.system') }, ...languages] : languages}
      value={withSystem && !isChosen ? 'system' : language}
      onChange={(value) => void wall.call('settings:update', { language: value === 'pt-BR' || value === 'en' ? value : null })}
    />
  );
}
