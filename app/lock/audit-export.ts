// The list of who did what as a CSV file (RFC 4180), page by page.
import type { AuditAction, AuditEntry } from '../contract/audit.ts';
import { csvLine, csvMark } from '../domain/csv.ts';
import { writeInstant } from '../domain/date-time.ts';

const columns = [
  'entry',
  'at',
  'email',
  'companyId',
  'isPractice',
  'isWithPin',
  'what',
  'subjectId',
  'subjectName',
  'from',
  'to',
  'count',
] as const;
type Field = Exclude<
  (typeof columns)[number],
  'entry' | 'at' | 'email' | 'companyId' | 'isPractice' | 'isWithPin' | 'what'
>;

const onOff = (isEnabled: boolean): string => (isEnabled ? 'on' : 'off');

function fieldsOf(action: AuditAction): Partial<Record<Field, string | number | null>> {
  switch (action.kind) {
    case 'coupon':
      return { subjectId: action.productId, subjectName: action.name, to: onOff(action.isEnabled) };
    case 'coupons':
      return { count: action.count, to: onOff(action.isEnabled) };
    case 'couponsUndone':
    case 'retries':
    case 'discards':
    case 'broughtBack':
      return { count: action.count };
    case 'restoreUser':
      return { subjectId: action.userId };
    case 'retry':
    case 'discard':
      return {
        subjectId: action.subjectId,
        subjectName: action.name,
        to: action.subject === 'restoreUser' ? 'restore' : onOff(action.isEnabled),
      };
    case 'setting':
      return { subjectName: action.field, from: action.from, to: action.to };
    case 'profile':
      return { subjectName: action.name, to: action.did };
    case 'provisioned':
      return { subjectName: action.name, to: action.fields.join(' ') };
    case 'lockChosen':
      return { to: [...action.kinds, `${action.opensForMinutes} min`].join(' ') };
    default:
      return {};
  }
}

/** One page of the file; all pages after one another are the whole. */
export function exportAudit(entries: readonly AuditEntry[], isFirst: boolean): string {
  const lines = entries.map((entry) => {
    const { id, at, email, companyId, isPractice, isWithPin, action } = entry;
    const fields: Record<string, string | number | null> = {
      entry: id,
      at: writeInstant(at),
      email,
      companyId,
      isPractice: isPractice ? 'yes' : 'no',
      isWithPin: isWithPin ? 'yes' : 'no',
      what: action.kind,
      ...fieldsOf(action),
    };
    return csvLine(columns.map((column) => fields[column] ?? null));
  });
  return `${isFirst ? csvMark + csvLine(columns) : ''}${lines.join('')}`;
}
