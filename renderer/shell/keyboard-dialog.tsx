import { Button, Modal } from '@mantine/core';
import type { KeyboardEvent, ReactElement } from 'react';
import { useWords } from '../stores/context.tsx';
import { keysOf, places, screenShortcuts, shortcuts, defaultKeys, type ShortcutId } from '../stores/shortcuts.ts';
import { KeyCaps } from '../ui/keys.tsx';

const isScreen = (id: ShortcutId): id is (typeof screenShortcuts)[number] =>
  screenShortcuts.some((screen) => screen === id);

interface KeyboardDialogProps {
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly showTour: () => void;
}

/** Closes with Escape, with the key that opened it, and with its cross. */
export function KeyboardDialog({ isOpen, close, showTour }: KeyboardDialogProps): ReactElement {
  const { t } = useWords();
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'F1') {
      event.preventDefault();
      close();
    }
  };
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={t('keyboard.title')}
      size="xl"
      padding="lg"
      closeButtonProps={{ 'aria-label': t('form.close') }}
      onKeyDown={onKeyDown}
    >
      <p className="lead dialog-lead">{t('keyboard.lead')}</p>
      <div className="key-places">
        {places.map((place) => (
          <section key={place} aria-labelledby={`keys-${place}`}>
            <h3 id={`keys-${place}`}>{t(place === 'everywhere' ? 'keyboard.everywhere' : `screen.${place}`)}</h3>
            <dl className="key-list">
              {shortcuts
                .filter((shortcut) => shortcut.place === place)
                .map(({ id }) => (
                  <div key={id}>
                    <dt>{isScreen(id) ? t(`screen.${id}`) : t(`keyboard.does.${id}`)}</dt>
                    <dd>
                      <KeyCaps keys={keysOf(id)} />
                    </dd>
                  </div>
                ))}
              {defaultKeys
                .filter((one) => one.place === place)
                .map(({ id, keys }) => (
                  <div key={id}>
                    <dt>{t(`keyboard.default.${id}`)}</dt>
                    <dd>
                      <KeyCaps keys={keys.map((key) => (key === 'Space' ? t('keyboard.space') : key))} />
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="form-actions">
        <Button variant="default" onClick={showTour}>
          {t('tour.show')}
        </Button>
        <Button onClick={close}>{t('form.close')}</Button>
      </div>
    </Modal>
  );
}
