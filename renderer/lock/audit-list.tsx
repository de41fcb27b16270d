import { Button, NativeSelect } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { auditGroupNames } from '../../app/contract/limits/audit.ts';
import type { AuditActionKind, AuditEntry } from '../../app/contract/audit.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { isSameUser } from '../../app/domain/same-user.ts';
import { useStores, useWords } from '../stores/context.tsx';
import { wordsOfAction } from './audit-words.ts';
import { useNow } from '../dom/clock.ts';
import { formatFullMoment, localDay, nameOfDay } from '../formats/times.ts';
import { SaveList } from '../files/save-list.tsx';
import { auditFile } from './audit-file.ts';
import { ListIcon, LockIcon, WarningIcon } from '../ui/icons.tsx';
import { FailureNotice } from '../ui/failure-text.tsx';
import { LockSign, useIsLocked } from '../ui/lock-sign.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';

const rowHeight = 72;
/** As many days back can be chosen. */
const daysBack = 31;
/** The actions that a manager looks for. */
const alarming: ReadonlySet<AuditActionKind> = new Set<AuditActionKind>([
  'pinWrong',
  'pinForgotten',
  'pinRemoved',
  'ownPinWrong',
]);

function Entry({ entry }: { readonly entry: AuditEntry }): ReactElement {
  const { t, language } = useWords();
  const { action, email, companyId, isPractice, isWithPin } = entry;
  const company = companyId === null ? null : t('shell.header.company', { id: companyId });
  const where = isPractice ? t('lock.audit.practice') : company;
  return (
    <div className="audit-entry" data-alarming={alarming.has(action.kind)}>
      <div>
        <p className="audit-action">
          {alarming.has(action.kind) && <WarningIcon size={20} />}
          {wordsOfAction(action, t, language)}
        </p>
        <p className="row-sub">
          {[email ?? t('lock.audit.nobody'), where].filter((fact) => fact !== null).join(' · ')}
        </p>
      </div>
      <div className="audit-when">
        <p>{formatFullMoment(entry.at, language)}</p>
        {isWithPin && (
          <p className="audit-pin">
            <LockIcon size={16} /> {t('lock.audit.withPin')}
          </p>
        )}
      </div>
    </div>
  );
}

/** Of what, when and by whom. */
function Filters(): ReactElement {
  const { t, language } = useWords();
  const { audit } = useStores();
  const query = useStore(audit.list, (list) => list.filter);
  const choose = useStore(audit.list, (list) => list.choose);
  const { people, oldestAt } = useStore(audit.around);
  const now = useNow();
  const since = localDay(oldestAt ?? now);
  const days = Array.from({ length: daysBack }, (_, place) => localDay(now, -place)).filter((day) => day >= since);
  const nobody = { value: '-', label: t('lock.audit.nobody') };
  const { email } = query;
  // Also one who is written otherwise by now, or has no entry left: the choice is told as it narrows the list.
  const chosen = people.find((one) => isSameUser(one, email));
  const gone = typeof email === 'string' && chosen === undefined ? [email] : [];
  return (
    <>
      <NativeSelect
        size="md"
        label={t('ui.list.filter')}
        value={query.group}
        data={auditGroupNames.map((name) => ({ value: name, label: t(`lock.audit.group.${name}`) }))}
        onChange={({ currentTarget: { value } }) =>
          choose({ ...query, group: auditGroupNames.find((name) => name === value) ?? 'all' })
        }
      />
      <NativeSelect
        size="md"
        label={t('lock.audit.day')}
        value={query.day ?? ''}
        data={[
          { value: '', label: t('lock.audit.allDays') },
          ...days.map((day) => ({ value: day, label: nameOfDay(day, language) })),
        ]}
        onChange={({ currentTarget: { value } }) => choose({ ...query, day: value === '' ? undefined : value })}
      />
      <NativeSelect
        size="md"
        label={t('lock.audit.person')}
        value={email === null ? nobody.value : (chosen ?? email ?? '')}
        data={[{ value: '', label: t('lock.audit.everybody') }, ...people, ...gone, nobody]}
        onChange={({ currentTarget: { value } }) =>
          choose({ ...query, email: value === nobody.value ? null : value || undefined })
        }
      />
    </>
  );
}

function ShownList(): ReactElement {
  const { t, language } = useWords();
  const { audit, bridge } = useStores();
  const query = useStore(audit.list, (list) => list.filter);
  const total = useStore(audit.list, (list) => list.total);
  const { group, day, email } = query;
  const isWhole = group === 'all' && day === undefined && email === undefined;
  const [failure, setFailure] = useState<Failure | null>(null);

  return (
    <div className="panel audit">
      <header className="audit-head">
        <div>
          <h2>{t('lock.audit.title')}</h2>
          <p className="hint">{t('lock.audit.lead')}</p>
        </div>
        <Filters />
        <SaveList
          name="who-did-what"
          list={() => auditFile(bridge, query, total, t, language)}
          onFailure={setFailure}
        />
      </header>
      <FailureNotice failure={failure} />
      <VirtualList
        list={audit.list}
        name={t('lock.audit.title')}
        rowHeight={rowHeight}
        keyOf={(entry) => entry.id}
        empty={
          <div className="empty">
            <ListIcon size={40} />
            <h3>{t(isWhole ? 'lock.audit.empty.title' : 'lock.audit.noneFits')}</h3>
            {isWhole && <p>{t('lock.audit.empty.text')}</p>}
          </div>
        }
        draw={(entry) => <Entry entry={entry} />}
      />
    </div>
  );
}

/** The list; behind a button while it asks for the PIN. */
export function AuditList(): ReactElement {
  const { t } = useWords();
  const { bridge } = useStores();
  const isLocked = useIsLocked('audit');
  const [failure, setFailure] = useState<Failure | null>(null);
  if (!isLocked) {
    return <ShownList />;
  }
  const show = async (): Promise<void> => {
    const read = await bridge.call('audit:list', { group: 'all', offset: 0, limit: 1 });
    setFailure(read.ok ? null : read.failure);
  };
  return (
    <div className="panel audit">
      <h2>{t('lock.audit.title')}</h2>
      <p className="hint">{t('lock.audit.lead')}</p>
      <FailureNotice failure={failure} />
      <div className="buttons">
        <Button variant="default" leftSection={<LockSign kind="audit" />} onClick={() => void show()}>
          {t('lock.audit.show')}
        </Button>
      </div>
    </div>
  );
}
