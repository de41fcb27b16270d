import { Checkbox, NativeSelect } from '@mantine/core';
import type { ReactElement } from 'react';
import { lockKinds } from '../../app/contract/limits/lock.ts';
import type { LockChoice } from '../../app/contract/lock.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { CashierSettings } from '../cashiers/cashier-settings.tsx';
import { AuditList } from '../lock/audit-list.tsx';
import { PinPart } from '../lock/pin-part.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { SettingsPart } from '../ui/settings-part.tsx';
import { hideableScreens } from '../stores/navigation.ts';
import { useTerminal, useWords } from '../stores/context.tsx';
import { useSetting } from '../stores/use-setting.ts';
import { formatMoment } from '../formats/times.ts';
import { useNow } from '../dom/clock.ts';

const spans = [0, 1, 2, 5, 10, 30, 60] as const;

function Pin(): ReactElement {
  const { t, language } = useWords();
  const now = useNow();
  const { hasPin, openUntil } = useTerminal((state) => state.lock);
  const pinned = openUntil === null ? 'locked' : 'open';
  const state = hasPin ? pinned : 'none';
  return (
    <PinPart
      whose="manager"
      title={t('lock.pin.title')}
      hasPin={hasPin}
      state={state}
      says={t(`lock.status.${state}`, { moment: openUntil === null ? '' : formatMoment(openUntil, now, language) })}
      about={[t('lock.explain')]}
    />
  );
}

const choiceOf = ({ lock: { kinds, opensForMinutes } }: TerminalState): LockChoice => ({ kinds, opensForMinutes });

function Choice(): ReactElement {
  const { t } = useWords();
  const { value, failure, save } = useSetting('lock', choiceOf);
  const { kinds, opensForMinutes } = value;
  const choose = (change: Partial<LockChoice>): Promise<boolean> => save({ ...value, ...change });
  const all = spans.some((minutes) => minutes === opensForMinutes)
    ? spans
    : [...spans, opensForMinutes].toSorted((one, other) => one - other);
  return (
    <SettingsPart
      title={t('lock.what')}
      lock="lock"
      about={[`${t('lock.kind.settings')}: ${t('lock.kindHelp.settings')}`, t('lock.opensForHelp'), t('lock.always')]}
    >
      <div className="lock-kinds" role="group" aria-label={t('lock.what')}>
        {lockKinds.map((kind) => (
          <Checkbox
            key={kind}
            label={t(`lock.kind.${kind}`)}
            checked={kinds.includes(kind)}
            onChange={(event) =>
              void choose({
                kinds: lockKinds.filter((one) => (one === kind ? event.currentTarget.checked : kinds.includes(one))),
              })
            }
          />
        ))}
      </div>
      <FailureNotice failure={failure('kinds')} />
      <NativeSelect
        label={t('lock.opensFor')}
        value={String(opensForMinutes)}
        data={all.map((minutes) => ({
          value: String(minutes),
          label: minutes === 0 ? t('lock.once') : t('lock.minutes', { count: minutes }),
        }))}
        onChange={(event) => void choose({ opensForMinutes: Number(event.currentTarget.value) })}
      />
      <FailureNotice failure={failure('opensForMinutes')} />
    </SettingsPart>
  );
}

/** Whether a copy answers whoever stands there. */
function LookupAlone(): ReactElement {
  const { t } = useWords();
  const { value: isNeeded, failure, save } = useSetting('lookupNeedsSignIn', (state) => state.lookupNeedsSignIn);
  return (
    <>
      <Checkbox
        label={t('settings.lookup.label')}
        checked={!isNeeded}
        onChange={(event) => void save(!event.currentTarget.checked)}
      />
      <FailureNotice failure={failure()} />
    </>
  );
}

/** Which screens a cashier sees beside those of every day, and what is there before a sign-in. */
function CashierScreens(): ReactElement {
  const { t } = useWords();
  const { value, failure, save } = useSetting('cashierScreens', (state) => state.cashierScreens);
  return (
    <SettingsPart
      title={t('settings.cashierScreens.title')}
      lock="settings"
      about={[t('settings.cashierScreens.help'), t('settings.lookup.help')]}
    >
      <div className="lock-kinds">
        {hideableScreens.map((screen) => (
          <Checkbox
            key={screen}
            label={t(`shell.screen.${screen}`)}
            checked={value[screen]}
            onChange={(event) => void save({ ...value, [screen]: event.currentTarget.checked })}
          />
        ))}
        <LookupAlone />
      </div>
      <FailureNotice failure={failure()} />
    </SettingsPart>
  );
}

export function LockSettings(): ReactElement {
  return (
    <>
      <Pin />
      <Choice />
      <CashierScreens />
      <CashierSettings />
      <AuditList />
    </>
  );
}
