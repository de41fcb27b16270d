import { Switch } from '@mantine/core';
import type { ReactElement } from 'react';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { isWebOrigin, maxOrigins, portRange, type LocalApiChoice } from '../../app/domain/local-api.ts';
import { useTerminal, useWords } from '../stores/context.tsx';
import { useSetting } from '../stores/use-setting.ts';
import { FailureNotice } from '../ui/failure-text.tsx';
import { readFigure } from '../ui/figure-field.tsx';
import { SettingField } from '../ui/setting-field.tsx';
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

const readPort = (text: string): number | null => (text === '0' ? 0 : readFigure(text, portRange));

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
      <FailureNotice failure={failure('isOn')} />
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
            <FailureNotice failure={failure('mayChangeCoupons')} />
          </div>
          <SettingField
            label={t('settings.programs.port.label')}
            description={t('settings.programs.port.help')}
            isFigure
            kept={String(choice.port)}
            wrong={(text) => (readPort(text.trim()) === null ? t('settings.programs.port.wrong') : undefined)}
            save={(text) => change({ port: readPort(text) ?? choice.port })}
            failure={failure('port')}
          />
          <SettingField
            label={t('settings.programs.origins.label')}
            description={t('settings.programs.origins.help')}
            hasLines
            kept={choice.origins.join('\n')}
            wrong={(text) => (readOrigins(text) === null ? t('settings.programs.origins.wrong') : undefined)}
            save={(text) => change({ origins: readOrigins(text) ?? choice.origins })}
            failure={failure('origins')}
          />
        </>
      )}
    </SettingsPart>
  );
}
