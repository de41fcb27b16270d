import { Modal } from '@mantine/core';
import { lazy, Suspense, type KeyboardEvent, type ReactElement } from 'react';
import { useNavigation, useWords } from '../stores/context.tsx';
import { useShortcut } from '../stores/use-shortcut.ts';

const HelpParts = lazy(async () => ({ default: (await import('./help-parts.tsx')).HelpParts }));

/** Closes with Escape, with the key that opened it, and with its cross. */
export function HelpDialog(): ReactElement {
  const { t } = useWords();
  const help = useNavigation((navigation) => navigation.help);
  const showHelp = useNavigation((navigation) => navigation.showHelp);
  useShortcut('help', () => showHelp({ part: 'keys' }));
  const close = (): void => showHelp(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'F1') {
      event.preventDefault();
      close();
    }
  };
  return (
    <Modal
      className="help-dialog"
      opened={help !== null}
      onClose={close}
      title={t('help.title')}
      size="67.5rem"
      xOffset="var(--gap-5)"
      padding="lg"
      closeButtonProps={{ 'aria-label': t('form.close') }}
      onKeyDown={onKeyDown}
    >
      {help !== null && (
        <Suspense fallback={null}>
          <HelpParts place={help} />
        </Suspense>
      )}
    </Modal>
  );
}
