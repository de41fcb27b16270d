// The list of who did what as a CSV file (RFC 4180), page by page.
import type { AuditDeed, AuditEntry } from '../contract/audit.ts';
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

function fieldsOf(deed: AuditDeed): Partial<Record<Field, string | number | null>> {
  switch (deed.kind) {
    case 'coupon':
      return { subjectId: deed.productId, subjectName: deed.name, to: onOff(deed.isEnabled) };
    case 'coupons':
      return { count: deed.count, to: onOff(deed.isEnabled) };
    case 'couponsUndone':
    case 'retries':
    case 'discards':
    case 'broughtBack':
      return { count: deed.count };
    case 'restoreUser':
      return { subjectId: deed.userId };
    case 'retry':
    case 'discard':
      return {
        subjectId: deed.subjectId,
        subjectName: deed.name,
        to: deed.subject === 'restoreUser' ? 'restore' : onOff(deed.isEnabled),
      };
    case 'setting':
      return { subjectName: deed.field, from: deed.from, to: deed.to };
    case 'profile':
      return { subjectName: deed.name, to: deed.did };
    case 'provisioned':
      return { subjectName: deed.name, to: deed.fields.join(' ') };
    case 'lockChosen':
      return { to: [...deed.kinds, `${deed.opensForMinutes} min`].join(' ') };
    default:
      return {};
  }
}

/** One page of the file; all pages after one another are the whole. */
export function exportAudit(entries: readonly AuditEntry[], isFirst: boolean): string {
  const lines = entries.map((entry) => {
    const { id, at, email, companyId, isPractice, isWithPin, deed } = entry;
    const fields: Record<string, string | number | null> = {
      entry: id,
      at: writeInstant(at),
      email,
      companyId,
      isPractice: isPractice ? 'yes' : 'no',
      isWithPin: isWithPin ? 'yes' : 'no',
      what: deed.kind,
      ...fieldsOf(deed),
    };
    return csvLine(columns.map((column) => fields[column] ?? null));
  });
  return `${isFirst ? csvMark + csvLine(columns) : ''}${lines.join('')}`;
}
