import { Switch, Textarea, TextInput } from '@mantine/core';
import { useState, type ReactElement, type SubmitEvent } from 'react';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { isWebOrigin, maxOrigins, portRange, type LocalApiChoice } from '../../app/domain/local-api.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { useDraft } from '../stores/use-draft.ts';
import { useSetting } from '../stores/use-setting.ts';
import { FailureNotice } from '../ui/failure-text.tsx';
import { readFigure } from '../ui/figures-form.tsx';
import { SaveRow } from '../ui/save-row.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';
import { ProgramToken } from './program-token.tsx';

type Choice = Omit<LocalApiChoice, 'origins'> & { readonly origins: string[] };

function choiceOf({ localApi }: TerminalState): Choice | null {
  if (localApi === null) {
    return null;
  }
  const { status: _status, openPort: _openPort, ...choice } = localApi;
  return choice;
}

const portField = 'programs.port';
const originsField = 'programs.origins';

/** One a line; an address that was copied whole is taken by its origin. */
function readOrigins(text: string): string[] | null {
  const lines = text.split(/[\s,;]+/).filter((line) => line !== '');
  const origins = lines.map((line) => {
    const origin = URL.parse(line)?.origin ?? '';
    return isWebOrigin(origin) ? origin : null;
  });
  return origins.length > maxOrigins || origins.includes(null)
    ? null
    : [...new Set(origins.filter((one) => one !== null))];
}

interface PlaceProps {
  readonly choice: Choice;
  readonly save: (change: Partial<Choice>) => Promise<boolean>;
}

/** The port, and the pages that may ask. */
function Place({ choice, save }: PlaceProps): ReactElement {
  const { t } = useWords();
  const { drafts } = useStores();
  const [keptPort, keptOrigins] = [String(choice.port), choice.origins.join('\n')];
  const [port, setPort] = useDraft(portField, keptPort);
  const [origins, setOrigins] = useDraft(originsField, keptOrigins);
  const [isSaved, setSaved] = useState(false);
  const readPort = port.trim() === '0' ? 0 : readFigure(port, portRange);
  const readPages = readOrigins(origins);
  const isUnsaved = port.trim() !== keptPort || origins.trim() !== keptOrigins;

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (readPort === null || readPages === null) {
      event.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return;
    }
    const isKept = await save({ port: readPort, origins: readPages });
    setSaved(isKept);
    if (isKept) {
      drafts.getState().drop([portField, originsField]);
    }
  };

  return (
    <form className="form" noValidate onSubmit={(event) => void submit(event)}>
      <TextInput
        label={t('settings.programs.port.label')}
        description={t('settings.programs.port.help')}
        error={readPort === null ? t('settings.programs.port.wrong') : undefined}
        inputMode="numeric"
        autoComplete="off"
        value={port}
        onChange={(event) => {
          setPort(event.currentTarget.value);
          setSaved(false);
        }}
      />
      <Textarea
        size="lg"
        label={t('settings.programs.origins.label')}
        description={t('settings.programs.origins.help')}
        error={readPages === null ? t('settings.programs.origins.wrong') : undefined}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        autoComplete="off"
        value={origins}
        onChange={(event) => {
          setOrigins(event.currentTarget.value);
          setSaved(false);
        }}
      />
      <SaveRow isUnsaved={isUnsaved} isSaved={isSaved} />
    </form>
  );
}

function LocalApiState(): ReactElement | null {
  const { t } = useWords();
  const localApi = useTerminal((state) => state.localApi);
  if (localApi === null) {
    return null;
  }
  const { status, openPort, port } = localApi;
  const isTrouble = status !== 'open' && status !== 'opening';
  return (
    <p role="status" className="program-status" data-kind={isTrouble ? 'warn' : 'calm'}>
      {status !== 'off' &&
        t(`settings.programs.status.${status}`, { address: `http://127.0.0.1:${openPort ?? port}`, port })}
    </p>
  );
}

/** The loopback address at which programs ask; nothing where the host has none. */
export function ProgramSettings(): ReactElement | null {
  const { t } = useWords();
  const { value: choice, failure, save } = useSetting('localApi', choiceOf);
  if (choice === null) {
    return null;
  }
  const change = (changed: Partial<Choice>): Promise<boolean> => save({ ...choice, ...changed });
  return (
    <SettingsPart
      title={t('settings.programs.title')}
      lock="settings"
      about={[t('settings.programs.lead'), t('settings.programs.coupons.help')]}
    >
      <Switch
        label={t('settings.programs.isOn')}
        checked={choice.isOn}
        onChange={(event) => void change({ isOn: event.currentTarget.checked })}
      />
      {choice.isOn && (
        <>
          <LocalApiState />
          <ProgramToken />
          <div className="setting stack-2">
            <Switch
              label={t('settings.programs.coupons.label')}
              checked={choice.mayChangeCoupons}
              onChange={(event) => void change({ mayChangeCoupons: event.currentTarget.checked })}
            />
          </div>
          <Place choice={choice} save={change} />
        </>
      )}
      <FailureNotice failure={failure} />
    </SettingsPart>
  );
}
