import { useState, type ReactElement, type ReactNode } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { FailureText } from '../ui/failure-text.tsx';
import { LinkIcon, StoreIcon } from '../ui/icons.tsx';
import { Working } from '../ui/working.tsx';
import type { KeptProfile } from '../../app/contract/profiles.ts';
import { useNavigation, useStores, useTerminal, useWords } from '../stores/context.tsx';
import { nameOfProfile, placeOfProfile } from '../formats/profiles.ts';
import { Entry } from './entry.tsx';
import { OpenFile } from './open-file.tsx';

interface WayProps {
  readonly name: string;
  readonly text: string;
  readonly hint: string;
  readonly icon: ReactNode;
  readonly isDisabled: boolean;
  readonly kind: 'practice' | 'platform';
  readonly choose: () => void;
}

function Way({ name, text, hint, icon, isDisabled, kind, choose }: WayProps): ReactElement {
  return (
    <div className="way" data-kind={kind} data-disabled={isDisabled}>
      <span className="way-icon">{icon}</span>
      {/* Its name is the words on it; it reaches over the whole card. */}
      <button
        type="button"
        className="way-name"
        aria-describedby={`way-${kind}-text way-${kind}-hint`}
        // One that is disabled would lose the focus, and a practice store takes seconds to start.
        aria-disabled={isDisabled}
        onClick={isDisabled ? undefined : choose}
      >
        {name}
      </button>
      <p id={`way-${kind}-text`}>{text}</p>
      <p className="way-hint" id={`way-${kind}-hint`}>
        {hint}
      </p>
    </div>
  );
}

interface KnownProfilesProps {
  readonly profiles: readonly KeptProfile[];
  readonly isDisabled: boolean;
  readonly choose: (profileId: number) => void;
}

function KnownProfiles({ profiles, isDisabled, choose }: KnownProfilesProps): ReactElement {
  const { t } = useWords();
  return (
    <ul className="known-profiles stack-3" aria-label={t('settings.profiles.title')}>
      {profiles.map((profile) => (
        <li key={profile.profileId}>
          <button
            type="button"
            className="known-profile"
            disabled={isDisabled}
            onClick={() => choose(profile.profileId)}
          >
            <span className="profile-name">{nameOfProfile(profile)}</span>
            <span className="hint">{placeOfProfile(profile, t)}</span>
            <span className="hint">{profile.email ?? t('settings.profiles.nobody')}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** First run: two large choices; later the profiles that were set up come before them. */
export function FirstRun(): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const profiles = useTerminal((state) => state.profiles);
  const connect = useNavigation((navigation) => navigation.connect);
  const [isStarting, setStarting] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  const goOn = async (profileId: number): Promise<void> => {
    setFailure(null);
    const opened = await bridge.call('profile:switch', { profileId });
    setFailure(opened.ok ? null : opened.failure);
  };

  const practise = async (): Promise<void> => {
    setStarting(true);
    setFailure(null);
    const started = await bridge.call('practice:start', {});
    setStarting(false);
    setFailure(started.ok ? null : started.failure);
  };

  return (
    <Entry>
      <div className="welcome stack-4">
        <h1>{t(profiles.length > 0 ? 'signIn.firstRun.again' : 'signIn.firstRun.title')}</h1>
        {profiles.length === 0 ? (
          <p className="lead">{t('signIn.firstRun.lead')}</p>
        ) : (
          <KnownProfiles profiles={profiles} isDisabled={isStarting} choose={(profileId) => void goOn(profileId)} />
        )}
        <div className="ways">
          <Way
            kind="practice"
            icon={<StoreIcon size={40} />}
            name={t('signIn.firstRun.practice')}
            text={t('signIn.firstRun.practiceText')}
            hint={t('signIn.firstRun.practiceHint')}
            isDisabled={isStarting}
            choose={() => void practise()}
          />
          <Way
            kind="platform"
            icon={<LinkIcon size={40} />}
            name={t('signIn.firstRun.connect')}
            text={t('signIn.firstRun.connectText')}
            hint={t('signIn.firstRun.connectHint')}
            isDisabled={isStarting}
            choose={() => connect({ profile: null })}
          />
        </div>
        {profiles.length === 0 && <OpenFile isDisabled={isStarting} />}
        {isStarting && <Working words={t('signIn.firstRun.starting')} />}
        {failure !== null && (
          <div className="panel" role="alert">
            <FailureText failure={failure} />
          </div>
        )}
      </div>
    </Entry>
  );
}
