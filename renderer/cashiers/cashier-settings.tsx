import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { Failure } from '../../app/domain/failure.ts';
import { useFocusedAnswer } from '../dom/focus.ts';
import { useStores, useTerminal, useWords } from '../stores/context.tsx';
import { useSetting } from '../stores/use-setting.ts';
import { FailureNotice } from '../ui/failure-text.tsx';
import { useRemovalQuestion } from '../ui/removal-question.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';

const days = [0, 1, 7, 30, 90, 365];
const minutes = [0, 1, 2, 5, 10, 15, 30, 60, 120];

/** These figures, and the one that a provisioning file has chosen. */
const withChosen = (figures: readonly number[], chosen: number): readonly number[] =>
  [...new Set([...figures, chosen])].toSorted((one, other) => one - other);

function Users(): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const users = useTerminal((state) => state.cashiers.users);
  const [failure, setFailure] = useState<Failure | null>(null);
  const forget = async (email: string): Promise<void> => {
    const forgotten = await bridge.call('cashier:forget', { email });
    setFailure(forgotten.ok ? null : forgotten.failure);
  };
  const { ask, dialog, isCovered } = useRemovalQuestion<string>(
    {
      title: (email) => t('cashiers.settings.forgetTitle', { email }),
      text: () => t('cashiers.settings.forgetText'),
      keep: t('settings.profiles.keepIt'),
      remove: t('lock.remove'),
    },
    (email) => void forget(email),
  );
  // The button goes with the row that it removed.
  const box = useFocusedAnswer(`${users.length} ${isCovered}`);
  const title = t('cashiers.settings.users');
  return (
    <div ref={box} tabIndex={-1} role="group" aria-label={title} className="answer-place setting stack-2">
      <p>{title}</p>
      {users.length === 0 ? (
        <p className="hint">{t('cashiers.settings.nobody')}</p>
      ) : (
        <ul className="cashier-list stack-2" aria-label={title}>
          {users.map(({ email, canComeBack, hasBadge }) => (
            <li key={email}>
              <span className="cashier-email">
                {email}
                {hasBadge && <span className="row-sub"> {t('cashiers.badge.withBadge')}</span>}
                {!canComeBack && <span className="row-sub"> {t('cashiers.passwordFirst')}</span>}
              </span>
              <Button
                variant="default"
                aria-label={t('cashiers.settings.forgetNamed', { email })}
                onClick={() => ask(email)}
              >
                {t('lock.remove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <FailureNotice failure={failure} />
      {dialog}
    </div>
  );
}

/** For how long PINs bring back, when a till that rests is locked, and who has one. */
export function CashierSettings(): ReactElement {
  const { t } = useWords();
  const { value, failure, save } = useSetting('cashierChange', (state) => state.cashierChange);
  const { keptDays, lockAfterMinutes } = value;
  return (
    <SettingsPart
      title={t('cashiers.settings.title')}
      lock="settings"
      about={[t('cashiers.settings.lockAfterHelp'), t('cashiers.badge.allowedHelp')]}
    >
      <NativeSelect
        label={t('cashiers.settings.keptDays')}
        value={String(keptDays)}
        data={withChosen(days, keptDays).map((figure) => ({
          value: String(figure),
          label: figure === 0 ? t('cashiers.settings.noPins') : t('cashiers.settings.days', { count: figure }),
        }))}
        onChange={(event) => void save({ ...value, keptDays: Number(event.currentTarget.value) })}
      />
      <FailureNotice failure={failure('keptDays')} />
      <NativeSelect
        label={t('cashiers.settings.lockAfter')}
        value={String(lockAfterMinutes)}
        data={withChosen(minutes, lockAfterMinutes).map((figure) => ({
          value: String(figure),
          label: figure === 0 ? t('companion.settings.never') : t('lock.minutes', { count: figure }),
        }))}
        onChange={(event) => void save({ ...value, lockAfterMinutes: Number(event.currentTarget.value) })}
      />
      <FailureNotice failure={failure('lockAfterMinutes')} />
      <Checkbox
        label={t('cashiers.badge.allowed')}
        checked={value.badges}
        onChange={(event) => void save({ ...value, badges: event.currentTarget.checked })}
      />
      <FailureNotice failure={failure('badges')} />
      <Users />
    </SettingsPart>
  );
}
