import { Button, SegmentedControl, Switch } from '@mantine/core';
import { useEffect, useId, useState, type KeyboardEvent, type ReactElement } from 'react';
import type { CompanionChoice } from '../../app/contract/companion.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { shortcutOf } from '../../app/domain/shortcut.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { useSetting } from '../stores/use-setting.ts';
import { KeyCap, useKeyNames } from '../ui/keys.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';

const hideChoices = [10, 20, 60, 0] as const;
const modifiers: ReadonlySet<string> = new Set(['Control', 'Alt', 'Shift', 'Meta', 'AltGraph', 'OS']);

interface RecorderProps {
  readonly shortcut: string | null;
  readonly isHeld: boolean;
  readonly choose: (shortcut: string | null) => void;
}

/**
 * Takes the next keys that may be a shortcut. A scan is not touched: what it sends has no modifiers, or none that may
 * be one.
 */
function Recorder({ shortcut, isHeld, choose }: RecorderProps): ReactElement {
  const { t } = useWords();
  const keyNames = useKeyNames();
  const statusId = useId();
  const [isListening, setListening] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const listen = (isOn: boolean): void => {
    setListening(isOn);
    setRefused(false);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>): void => {
    const isChord = event.ctrlKey || event.altKey || event.metaKey || /^F\d+$/.test(event.key);
    if (!isListening || event.key === 'Tab' || modifiers.has(event.key) || (!isChord && event.key !== 'Escape')) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') {
      listen(false);
      return;
    }
    const pressed = event.getModifierState('AltGraph')
      ? null
      : shortcutOf({
          code: event.code,
          key: event.key,
          control: event.ctrlKey,
          alt: event.altKey,
          shift: event.shiftKey,
          super: event.metaKey,
        });
    if (pressed === null) {
      setRefused(true);
    } else {
      listen(false);
      choose(pressed);
    }
  };
  const asks = t(isRefused ? 'companion.settings.notThese' : 'companion.settings.press');
  const taken = shortcut !== null && !isHeld ? t('companion.settings.taken') : '';
  const status = isListening ? asks : taken;
  return (
    <div className="setting stack-2">
      <p>{t('companion.settings.shortcut')}</p>
      <div className="companion-keys">
        {shortcut === null ? (
          <span className="lead">{t('companion.settings.none')}</span>
        ) : (
          <span>
            {keyNames(shortcut).map((name) => (
              <KeyCap key={name} name={name} />
            ))}
          </span>
        )}
        <Button
          variant={isListening ? 'filled' : 'default'}
          aria-pressed={isListening}
          aria-describedby={statusId}
          onClick={() => listen(!isListening)}
          onKeyDown={onKeyDown}
          onBlur={() => listen(false)}
        >
          {t('companion.settings.choose')}
        </Button>
        {shortcut !== null && (
          <Button variant="default" onClick={() => choose(null)}>
            {t('companion.settings.noKeys')}
          </Button>
        )}
      </div>
      <p
        id={statusId}
        role="status"
        className="companion-status"
        data-kind={isRefused || (!isListening && !isHeld) ? 'warn' : 'calm'}
      >
        {status}
      </p>
    </div>
  );
}

interface KeepInTrayProps {
  readonly isOn: boolean;
  readonly choose: (isOn: boolean) => void;
}

/** Nothing in a kiosk, whose window is closed by ending Tillside alone. */
function KeepInTray({ isOn, choose }: KeepInTrayProps): ReactElement | null {
  const { t } = useWords();
  const { bridge } = useStores();
  const [isClosable, setClosable] = useState(false);
  useEffect(() => {
    void bridge.call('device:read', {}).then((read) => {
      setClosable(!read.ok || !read.value.isKiosk);
    });
  }, [bridge]);
  return isClosable ? (
    <div className="setting stack-2">
      <Switch
        label={t('companion.settings.keepInTray')}
        checked={isOn}
        onChange={(event) => choose(event.currentTarget.checked)}
      />
    </div>
  ) : null;
}

function choiceOf({ companion }: TerminalState): CompanionChoice | null {
  if (companion === null) {
    return null;
  }
  const { isShortcutHeld: _, ...choice } = companion;
  return choice;
}

/** Nothing where there is no desktop around the page. */
export function CompanionSettings(): ReactElement | null {
  const { t } = useWords();
  const isShortcutHeld = useTerminal((state) => state.companion?.isShortcutHeld === true);
  const { value: kept, failure, save } = useSetting('companion', choiceOf);
  if (kept === null) {
    return null;
  }
  const choose = (change: Partial<CompanionChoice>): Promise<boolean> => save({ ...kept, ...change });
  // One that was set from elsewhere is shown, too.
  const seconds = [...new Set([...hideChoices.slice(0, -1), kept.hideAfterSeconds, 0])]
    .filter((choice) => choice > 0)
    .toSorted((one, other) => one - other);
  return (
    <SettingsPart
      title={t('companion.settings.title')}
      lock="settings"
      about={[t('companion.settings.lead'), t('companion.settings.keepInTrayHint')]}
    >
      <Recorder shortcut={kept.shortcut} isHeld={isShortcutHeld} choose={(shortcut) => void choose({ shortcut })} />
      <FailureNotice failure={failure('shortcut')} />
      <div className="setting stack-2">
        <p>{t('companion.settings.hideAfter')}</p>
        <SegmentedControl
          className="choice"
          aria-label={t('companion.settings.hideAfter')}
          data={[...seconds, 0].map((choice) => ({
            value: String(choice),
            label: choice === 0 ? t('companion.settings.never') : t('companion.settings.seconds', { count: choice }),
          }))}
          value={String(kept.hideAfterSeconds)}
          onChange={(value) => void choose({ hideAfterSeconds: Number(value) })}
        />
        <FailureNotice failure={failure('hideAfterSeconds')} />
      </div>
      <KeepInTray isOn={kept.keepInTray} choose={(keepInTray) => void choose({ keepInTray })} />
      <FailureNotice failure={failure('keepInTray')} />
    </SettingsPart>
  );
}
