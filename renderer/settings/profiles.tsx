import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { maxProfiles } from '../../app/contract/limits/profiles.ts';
import type { KeptProfile } from '../../app/contract/profiles.ts';
import { isSamePlace } from '../../app/contract/same-profile.ts';
import { waitingHereOf } from '../../app/contract/waiting.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { fitText } from '../../app/domain/visible-text.ts';
import type { Result } from '../../app/domain/result.ts';
import { useNavigation, useStores, useTerminal, useWords } from '../stores/context.tsx';
import { nameOfProfile, placeOfProfile } from '../formats/profiles.ts';
import { CheckIcon } from '../ui/icons.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { Question } from '../ui/removal-question.tsx';
import { SettingField } from '../ui/setting-field.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';

interface RowProps {
  readonly profile: KeptProfile;
  readonly isPresent: boolean;
  readonly isWorking: boolean;
  readonly act: (action: () => Promise<Result<unknown, Failure>>) => Promise<boolean>;
}

function RemoveDialog({
  profile,
  isPresent,
  isOpen,
  close,
  act,
}: Pick<RowProps, 'profile' | 'isPresent' | 'act'> & {
  readonly isOpen: boolean;
  readonly close: () => void;
}): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const queue = useTerminal((state) => state.queue);
  const profiles = useTerminal((state) => state.profiles);
  // Another profile of its company sends what waits as well.
  const isOnly = !profiles.some((one) => one.profileId !== profile.profileId && isSamePlace(one, profile));
  const ofCompany = isPresent ? waitingHereOf(queue) + queue.parked : (profile.waiting ?? 0);
  const waiting = isOnly ? ofCompany : 0;
  return (
    <Question
      isOpen={isOpen}
      close={close}
      title={t('settings.profiles.removeTitle', { name: nameOfProfile(profile) })}
      keep={t('settings.profiles.keepIt')}
      remove={t('settings.profiles.remove')}
      act={() => void act(() => bridge.call('profile:remove', { profileId: profile.profileId }))}
    >
      <p>{t('settings.profiles.removeText')}</p>
      {isPresent && <p>{t('settings.profiles.removeInUse')}</p>}
      {waiting > 0 && <p className="notice">{t('settings.profiles.removeWaiting', { count: waiting })}</p>}
    </Question>
  );
}

function Row({ profile, isPresent, isWorking, act }: RowProps): ReactElement {
  const { t } = useWords();
  const { bridge, settings } = useStores();
  const connect = useNavigation((navigation) => navigation.connect);
  /** False after it was named: the focus comes back from the field. */
  const [isNaming, setNaming] = useState<boolean | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isRemoving, setRemoving] = useState(false);
  const shown = nameOfProfile(profile);
  const keepName = async (text: string): Promise<void> => {
    const name = fitText(text, 60);
    const kept = await settings
      .getState()
      .keep(() => bridge.call('profile:rename', { profileId: profile.profileId, name }));
    setFailure(kept.ok ? null : kept.failure);
  };
  return (
    <li className="profile" data-present={isPresent}>
      <div className="profile-words">
        <p className="profile-name">{shown}</p>
        <p className="hint">{placeOfProfile(profile, t)}</p>
        <p className="hint">{profile.email ?? t('settings.profiles.nobody')}</p>
        {(profile.waiting ?? 0) > 0 && (
          <p className="profile-waiting">{t('settings.profiles.waiting', { count: profile.waiting ?? 0 })}</p>
        )}
      </div>
      {isPresent ? (
        <p className="profile-present line-2">
          <CheckIcon size={22} /> {t('settings.profiles.present')}
        </p>
      ) : (
        <Button
          disabled={isWorking}
          aria-label={t('settings.profiles.switchTo', { name: shown })}
          onClick={() => void act(() => bridge.call('profile:switch', { profileId: profile.profileId }))}
        >
          {t('settings.profiles.switch')}
        </Button>
      )}
      {isNaming === true ? (
        <SettingField
          className="profile-name-field"
          label={t('settings.profiles.name')}
          description={t('settings.profiles.nameHelp')}
          maxLength={60}
          autoFocus
          kept={profile.name ?? ''}
          save={(text) => void keepName(text)}
          onDone={() => setNaming(false)}
        />
      ) : (
        <div className="profile-actions">
          <button
            type="button"
            className="text-button"
            disabled={isWorking}
            aria-label={t('settings.profiles.changeOf', { name: shown })}
            onClick={() => connect({ profile })}
          >
            {t('signIn.leave')}
          </button>
          <button
            type="button"
            className="text-button"
            disabled={isWorking}
            autoFocus={isNaming === false}
            aria-label={t('settings.profiles.renameOf', { name: shown })}
            onClick={() => setNaming(true)}
          >
            {t('settings.profiles.rename')}
          </button>
          <button
            type="button"
            className="text-button"
            disabled={isWorking}
            aria-label={t('settings.profiles.removeOf', { name: shown })}
            onClick={() => setRemoving(true)}
          >
            {t('settings.profiles.remove')}
          </button>
        </div>
      )}
      <FailureNotice failure={failure} />
      <RemoveDialog
        profile={profile}
        isPresent={isPresent}
        isOpen={isRemoving}
        close={() => setRemoving(false)}
        act={act}
      />
    </li>
  );
}

/** Tells what becomes of unsent updates. */
function WhatHappens(): ReactElement {
  const { t } = useWords();
  const { profile, profiles, queue } = useTerminal((state) => state);
  const unsent = waitingHereOf(queue);
  const isOneCompany = profile !== null && profiles.length > 1 && profiles.every((one) => isSamePlace(one, profile));
  return (
    <>
      {unsent > 0 && !isOneCompany && <p className="hint">{t('settings.profiles.unsent', { count: unsent })}</p>}
      {queue.parked > 0 && <p className="hint">{t('settings.profiles.parked', { count: queue.parked })}</p>}
    </>
  );
}

/** The list; nothing in practice, which has none. */
export function Profiles(): ReactElement | null {
  const { t } = useWords();
  const isPractice = useTerminal((state) => state.mode === 'practice');
  const profiles = useTerminal((state) => state.profiles);
  const present = useTerminal((state) => state.profileId);
  const connect = useNavigation((navigation) => navigation.connect);
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  if (isPractice) {
    return null;
  }

  const act = async (action: () => Promise<Result<unknown, Failure>>): Promise<boolean> => {
    setWorking(true);
    const done = await action();
    setWorking(false);
    setFailure(done.ok ? null : done.failure);
    return done.ok;
  };

  const isFull = profiles.length >= maxProfiles;
  return (
    <SettingsPart
      title={t('settings.profiles.title')}
      lock="settings"
      about={[t('settings.profiles.lead'), t('settings.profiles.whatHappens')]}
    >
      <ul className="profiles stack-3">
        {profiles.map((profile) => (
          <Row
            key={profile.profileId}
            profile={profile}
            isPresent={profile.profileId === present}
            isWorking={isWorking}
            act={act}
          />
        ))}
      </ul>
      <WhatHappens />
      {profiles.length > 1 && <p className="hint">{t('settings.profiles.plans')}</p>}
      <div>
        <Button variant="default" disabled={isFull || isWorking} onClick={() => connect({ profile: null })}>
          {t('settings.profiles.add')}
        </Button>
      </div>
      {isFull && <p className="hint">{t('settings.profiles.full', { max: maxProfiles })}</p>}
      <FailureNotice failure={failure} />
    </SettingsPart>
  );
}
