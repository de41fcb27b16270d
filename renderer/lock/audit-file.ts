import type { TFunction } from 'i18next';
import type { AuditAction, AuditEntry } from '../../app/contract/audit.ts';
import type { Language } from '../../app/contract/basics.ts';
import { mapResult } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { FileList } from '../files/columns.ts';
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

/** The list of who did what as a file, of so many entries, oldest first. */
export function auditFile(
  bridge: Bridge,
  total: number | null,
  t: TFunction,
  language: Language,
): FileList<AuditEntry> {
  let after = 0;
  const yesOrNo = (is: boolean): string => t(is ? 'fields.yes' : 'fields.no');
  return {
    title: t('lock.audit.title'),
    columns: [
      { kind: 'number', heading: t('files.column.number'), width: 10, of: ({ id }) => id },
      { kind: 'moment', heading: t('files.column.when'), width: 20, of: ({ at }) => at },
      { kind: 'text', heading: t('files.column.who'), width: 28, of: ({ email }) => email },
      { kind: 'text', heading: t('files.column.companyId'), width: 12, of: ({ companyId }) => companyId },
      { kind: 'text', heading: t('lock.audit.practice'), width: 16, of: ({ isPractice }) => yesOrNo(isPractice) },
      {
        kind: 'text',
        heading: t('files.column.what'),
        width: 60,
        of: ({ action }) => wordsOfAction(action, t, language),
      },
      { kind: 'text', heading: t('files.column.subjectId'), width: 14, of: ({ action }) => subjectOf(action) },
      {
        kind: 'number',
        heading: t('files.column.count'),
        width: 10,
        of: ({ action }) => ('count' in action ? action.count : null),
      },
      { kind: 'text', heading: t('lock.audit.withPin'), width: 14, of: ({ isWithPin }) => yesOrNo(isWithPin) },
    ],
    read: async () => {
      const page = await bridge.call('audit:export', { after });
      if (page.ok) {
        after = page.value.next ?? after;
      }
      return mapResult(page, ({ rows, next }) => ({ rows, of: total, isLast: next === null }));
    },
  };
}
