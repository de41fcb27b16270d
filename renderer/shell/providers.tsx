import { MantineProvider } from '@mantine/core';
import { useColorScheme } from '@mantine/hooks';
import type { i18n } from 'i18next';
import { useEffect, useLayoutEffect, useMemo, type ReactElement, type ReactNode } from 'react';
import { I18nextProvider, useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { keepPressedButton } from '../dom/kept-button.ts';
import { ShopsContext } from '../stores/context.tsx';
import type { Stores } from '../stores/stores.ts';
import { colourRoles, theme } from './theme.ts';

const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

interface LookProps {
  readonly words: i18n;
  readonly theme?: 'system' | 'light' | 'dark';
  readonly children: ReactNode;
}

function Colours({ theme: chosen = 'system', children }: Omit<LookProps, 'words'>): ReactElement {
  const { t } = useTranslation();
  const systems = useColorScheme('light', { getInitialValueInEffect: false });
  const named = useMemo(() => {
    const ModalCloseButton = { defaultProps: { 'aria-label': t('ui.form.close') } };
    return { ...theme, components: { ...theme.components, ModalCloseButton } };
  }, [t]);
  return (
    <MantineProvider
      theme={named}
      cssVariablesResolver={colourRoles}
      forceColorScheme={chosen === 'system' ? systems : chosen}
      getStyleNonce={() => styleNonce}
    >
      {children}
    </MantineProvider>
  );
}

/** Draws its children in these words and colours. */
export function Look({ words, ...colours }: LookProps): ReactElement {
  return (
    <I18nextProvider i18n={words}>
      <Colours {...colours} />
    </I18nextProvider>
  );
}

interface FrameProps {
  readonly stores: Stores;
  readonly words: i18n;
  readonly children: ReactNode;
}

/** Draws its children in the language, the colours and the text size that the terminal says. */
export function Frame({ stores, words, children }: FrameProps): ReactElement {
  const language = useStore(stores.terminal, (store) => store.state?.language);
  const chosen = useStore(stores.terminal, (store) => store.state?.theme ?? 'system');
  const textSize = useStore(stores.terminal, (store) => store.state?.textSize ?? 'normal');
  useLayoutEffect(() => {
    document.documentElement.dataset['textSize'] = textSize;
  }, [textSize]);
  useEffect(keepPressedButton, []);
  useEffect(() => {
    const apply = (): void => {
      document.documentElement.lang = words.language;
    };
    if (language !== undefined && words.language !== language) {
      void words.changeLanguage(language).then(apply);
    }
    apply();
  }, [language, words]);
  return (
    <Look words={words} theme={chosen}>
      <ShopsContext value={stores}>{children}</ShopsContext>
    </Look>
  );
}
