import { Button } from '@mantine/core';
import { useEffect, useRef, type ReactElement } from 'react';
import { useNavigation, useTerminal, useTour, useWords } from '../stores/context.tsx';
import { keysOf, places, screenShortcuts, shortcuts, defaultKeys, type ShortcutId } from '../stores/shortcuts.ts';
import { KeyCaps, useKeyNames } from '../ui/keys.tsx';

const isScreen = (id: ShortcutId): id is (typeof screenShortcuts)[number] =>
  screenShortcuts.some((screen) => screen === id);

/** Every key, by where it has its meaning. */
export function KeyboardPage(): ReactElement {
  const { t } = useWords();
  const keyNames = useKeyNames();
  const showHelp = useNavigation((navigation) => navigation.showHelp);
  const beginTour = useTour((tour) => tour.begin);
  const isSignedIn = useTerminal((state) => state.phase === 'ready');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="help-page" tabIndex={0} aria-labelledby="keyboard-title">
      <h2 id="keyboard-title" ref={heading} tabIndex={-1} data-autofocus>
        {t('help.part.keys')}
      </h2>
      <p className="lead">{t('help.keyboard.lead')}</p>
      <div className="key-places">
        {places.map((place) => (
          <section key={place} aria-labelledby={`keys-${place}`}>
            <h3 id={`keys-${place}`}>
              {t(place === 'everywhere' ? 'help.keyboard.everywhere' : `shell.screen.${place}`)}
            </h3>
            <dl className="key-list">
              {shortcuts
                .filter((shortcut) => shortcut.place === place)
                .map(({ id }) => (
                  <div key={id}>
                    <dt>{isScreen(id) ? t(`shell.screen.${id}`) : t(`help.keyboard.does.${id}`)}</dt>
                    <dd>
                      <KeyCaps keys={keysOf(id)} />
                    </dd>
                  </div>
                ))}
              {defaultKeys
                .filter((one) => one.place === place)
                .map(({ id, keys }) => (
                  <div key={id}>
                    <dt>{t(`help.keyboard.default.${id}`)}</dt>
                    <dd>
                      <KeyCaps keys={keys.flatMap(keyNames)} />
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
      {isSignedIn && (
        <Button
          variant="default"
          onClick={() => {
            showHelp(null);
            beginTour();
          }}
        >
          {t('shell.tour.show')}
        </Button>
      )}
    </section>
  );
}
