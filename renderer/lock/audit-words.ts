import type { TFunction } from 'i18next';
import type { AuditDeed } from '../../app/contract/audit.ts';
import type { Language } from '../../app/contract/basics.ts';
import type { LockedSetting } from '../../app/contract/lock-rules.ts';
import { formatNumber } from '../formats/numbers.ts';

function fieldWords(path: string, t: TFunction): string {
  const [name = '', ...rest] = path.split('.');
  // One that a later version has told has no words here.
  const field = t(`audit.field.${name as LockedSetting | 'startsAtSignIn'}`, { defaultValue: '' });
  if (field === '') {
    return path;
  }
  // A figure that the settings have words for; of the others, the name that a technician knows.
  const told: Readonly<Record<string, string>> = {
    'queueLimits.historyDays': t('settings.historyDays.label'),
    'queueLimits.askAfterHours': t('settings.askAfterHours.label'),
    'allowanceLimits.limit': t('settings.allowanceLimits.limit.label'),
    'allowanceLimits.windowSeconds': t('settings.allowanceLimits.windowSeconds.label'),
    'allowanceLimits.reserve': t('settings.allowanceLimits.reserve.label'),
    'quietHours.from': t('settings.quietHours.from'),
  };
  return told[path] ?? [field, ...rest].join(', ');
}

/** What was done, in one sentence without who and when. */
export function wordsOfDeed(deed: AuditDeed, t: TFunction, language: Language): string {
  switch (deed.kind) {
    case 'coupon':
      return t(deed.isEnabled ? 'audit.deed.couponOn' : 'audit.deed.couponOff', { name: deed.name ?? deed.productId });
    case 'coupons':
      return t(deed.isEnabled ? 'audit.deed.couponsOn' : 'audit.deed.couponsOff', {
        count: deed.count,
        formatted: formatNumber(deed.count, language),
      });
    case 'couponsUndone':
    case 'retries':
    case 'discards':
    case 'broughtBack':
      return t(`audit.deed.${deed.kind}`, { count: deed.count, formatted: formatNumber(deed.count, language) });
    case 'restoreUser':
      return t('audit.deed.restoreUser', { id: deed.userId });
    case 'retry':
    case 'discard': {
      const name = deed.name ?? deed.subjectId;
      const what =
        deed.subject === 'restoreUser'
          ? t('audit.update.restoreUser', { name })
          : t(deed.isEnabled ? 'audit.update.couponOn' : 'audit.update.couponOff', { name });
      return t(`audit.deed.${deed.kind}`, { what });
    }
    case 'setting':
      return t('audit.deed.setting', { field: fieldWords(deed.field, t), from: deed.from, to: deed.to });
    case 'profile':
      return t(`audit.deed.profile.${deed.did}`, { name: deed.name });
    case 'provisioned':
      // By the names that stand in the file.
      return t('audit.deed.provisioned', { name: deed.name, fields: deed.fields.join(', ') });
    case 'lockChosen': {
      const kinds = deed.kinds.map((kind) => t(`lock.kind.${kind}`)).join(', ');
      return t('audit.deed.lockChosen', {
        kinds: kinds === '' ? t('lock.nothing') : kinds,
        span: deed.opensForMinutes === 0 ? t('lock.once') : t('lock.minutes', { count: deed.opensForMinutes }),
      });
    }
    default:
      return t(`audit.deed.${deed.kind}`);
  }
}
