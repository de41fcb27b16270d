import type { TFunction } from 'i18next';
import type { AuditAction, AuditEntry } from '../../app/contract/audit.ts';
import type { Language } from '../../app/contract/basics.ts';
import { mapResult } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { moment, number, text, type FileList } from '../files/columns.ts';
import { filterOf, type AuditQuery } from './audit-store.ts';
import { wordsOfAction } from './audit-words.ts';

function subjectOf(action: AuditAction): string | null {
  switch (action.kind) {
    case 'coupon':
      return action.productId;
    case 'restoreUser':
      return action.userId;
    case 'retry':
    case 'discard':
      return action.subjectId;
    default:
      return null;
  }
}

/** The list of who did what as a file, narrowed as it is shown, of so many entries, oldest first. */
export function auditFile(
  bridge: Bridge,
  query: AuditQuery,
  total: number | null,
  t: TFunction,
  language: Language,
): FileList<AuditEntry> {
  let after = 0;
  const yesOrNo = (is: boolean): string => t(is ? 'fields.yes' : 'fields.no');
  return {
    title: t('lock.audit.title'),
    columns: [
      number(t('files.column.number'), 10, ({ id }) => id),
      moment(t('files.column.when'), 20, ({ at }) => at),
      text(t('files.column.who'), 28, ({ email }) => email),
      text(t('files.column.companyId'), 12, ({ companyId }) => companyId),
      text(t('lock.audit.practice'), 16, ({ isPractice }) => yesOrNo(isPractice)),
      text(t('files.column.what'), 60, ({ action }) => wordsOfAction(action, t, language)),
      text(t('files.column.subjectId'), 14, ({ action }) => subjectOf(action)),
      number(t('files.column.count'), 10, ({ action }) => ('count' in action ? action.count : null)),
      text(t('lock.audit.withPin'), 14, ({ isWithPin }) => yesOrNo(isWithPin)),
    ],
    read: async () => {
      const page = await bridge.call('audit:export', { ...filterOf(query), after });
      if (page.ok) {
        after = page.value.next ?? after;
      }
      return mapResult(page, ({ rows, next }) => ({ rows, of: total, isLast: next === null }));
    },
  };
}
