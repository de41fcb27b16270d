import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useState, type ReactElement, type SubmitEvent } from 'react';
import type { HubReport } from '../../app/contract/hub.ts';
import { fitText } from '../../app/domain/visible-text.ts';
import { useConnectionTrial } from '../connection/use-connection-trial.ts';
import { useStores, useWords } from '../stores/context.tsx';
import { useDraft } from '../stores/use-draft.ts';
import { SettingsPart } from '../ui/settings-part.tsx';
import { HubTrialAnswer } from './hub-report.tsx';

interface JoinHubProps {
  /** The terminal's name at the hub that it has joined; null where it has joined none. */
  readonly joinedAs?: string | null;
  readonly onJoined: () => void;
  /** Only where it has joined one. */
  readonly onStay?: () => void;
}

/** For the address of a hub: of the first one that this terminal joins, or of another one. */
export function JoinHub({ joinedAs = null, onJoined, onStay }: JoinHubProps): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const [address, setAddress] = useState('');
  const [name, setName] = useDraft('hub.name', joinedAs ?? '');
  const [isChecked, setChecked] = useState(false);
  const trial = useConnectionTrial<HubReport>();
  const missing = (text: string): string | null => (isChecked && fitText(text, 60) === null ? t('hub.missing') : null);

  const join = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    setChecked(true);
    const till = fitText(name, 60);
    const empty = address.trim() === '' ? 'address' : 'name';
    if (address.trim() === '' || till === null) {
      event.currentTarget.querySelector<HTMLInputElement>(`[name="${empty}"]`)?.focus();
      return;
    }
    await trial.run(async () => {
      const joined = await bridge.call('hub:join', { address: address.trim(), name: till });
      if (joined.ok && joined.value.wrongPart === null && joined.value.failure === null) {
        setAddress('');
        onJoined();
      }
      return joined;
    });
  };

  return (
    <SettingsPart
      title={t(joinedAs === null ? 'hub.title' : 'hub.move')}
      lock="settings"
      about={[t(joinedAs === null ? 'hub.about' : 'hub.moveAbout'), t('hub.addressHelp')]}
    >
      <form className="form" noValidate onSubmit={(event) => void join(event)}>
        <PasswordInput
          name="address"
          label={t('hub.address')}
          value={address}
          error={missing(address)}
          maxLength={2000}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': t('ui.form.reveal') }}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        <TextInput
          name="name"
          label={t('hub.till')}
          description={t('hub.tillHelp')}
          value={name}
          error={missing(name)}
          maxLength={60}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <div className="buttons">
          <Button type="submit" loading={trial.isWorking}>
            {t('hub.join')}
          </Button>
          {onStay !== undefined && (
            <Button variant="default" disabled={trial.isWorking} onClick={onStay}>
              {t('hub.question.leave.keep')}
            </Button>
          )}
        </div>
        <HubTrialAnswer trial={trial} />
      </form>
    </SettingsPart>
  );
}
