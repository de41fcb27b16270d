import { Modal } from '@mantine/core';
import type { FocusEvent, KeyboardEvent, ReactElement } from 'react';
import { useReturnedFocus } from '../dom/focus.ts';
import { useNavigation, useWords } from '../stores/context.tsx';
import { useShortcut } from '../stores/use-shortcut.ts';
import { lazyPart } from '../ui/lazy-part.tsx';

const HelpParts = lazyPart(async () => (await import('./help-parts.tsx')).HelpParts);

/** Closes with Escape, the key that opened it, and its cross. Stands above the dialog that it was opened from. */
export function HelpDialog(): ReactElement {
  const { t } = useWords();
  const help = useNavigation((navigation) => navigation.help);
  const showHelp = useNavigation((navigation) => navigation.showHelp);
  useShortcut('help', () => showHelp({ part: 'keys' }));
  useReturnedFocus(help !== null);
  const close = (): void => showHelp(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'F1' || event.key === 'Escape') {
      event.preventDefault();
      close();
    }
  };
  // Of two dialogs, Escape closes the upper one.
  const onFocus = ({ target }: FocusEvent): void => target.setAttribute('data-mantine-stop-propagation', 'true');
  return (
    <Modal
      className="help-dialog"
      opened={help !== null}
      onClose={close}
      title={t('help.title')}
      size="67.5rem"
      xOffset="var(--gap-5)"
      padding="lg"
      zIndex={250}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
    >
      {help !== null && <HelpParts place={help} />}
    </Modal>
  );
}
