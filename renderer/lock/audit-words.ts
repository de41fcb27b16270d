import type { TFunction } from 'i18next';
import type { AuditAction } from '../../app/contract/audit.ts';
import type { Language } from '../../app/contract/basics.ts';
import type { LockedSetting } from '../../app/contract/access.ts';
import { formatNumber } from '../formats/numbers.ts';

function fieldWords(path: string, t: TFunction): string {
  const [name = '', ...rest] = path.split('.');
  // One that a later version has described has no words here.
  const field = t(`lock.audit.field.${name as LockedSetting | 'startsAtSignIn'}`, { defaultValue: '' });
  if (field === '') {
    return path;
  }
  // A figure that the settings have words for; of the others, the name that a technician knows.
  const described: Readonly<Record<string, string>> = {
    'queueLimits.historyDays': t('settings.historyDays.label'),
    'queueLimits.askAfterHours': t('settings.askAfterHours.label'),
    'allowanceLimits.limit': field,
    'allowanceLimits.windowSeconds': t('settings.rateLimits.windowSeconds.label'),
    'allowanceLimits.reserve': t('settings.rateLimits.reserve.label'),
    'quietHours.from': t('settings.quietHours.from'),
  };
  return described[path] ?? [field, ...rest].join(', ');
}

/** Describes an action in one sentence, without who and when. */
export function wordsOfAction(action: AuditAction, t: TFunction, language: Language): string {
  switch (action.kind) {
    case 'coupon': {
      const did = action.isEnabled ? 'couponOn' : 'couponOff';
      return t(`lock.audit.action.${did}${action.isByProgram === true ? 'ByProgram' : ''}`, {
        name: action.name ?? action.productId,
      });
    }
    case 'coupons':
      return t(action.isEnabled ? 'lock.audit.action.couponsOn' : 'lock.audit.action.couponsOff', {
        count: action.count,
        formatted: formatNumber(action.count, language),
      });
    case 'couponsByPlan':
      return t(action.isEnabled ? 'lock.audit.action.couponsByPlanOn' : 'lock.audit.action.couponsByPlanOff', {
        name: action.name,
        count: action.count,
        formatted: formatNumber(action.count, language),
      });
    case 'couponSet':
      return t(`lock.audit.action.couponSet.${action.did}`, { name: action.name });
    case 'couponsUndone':
    case 'minima':
    case 'listsTaken':
    case 'retries':
    case 'discards':
    case 'broughtBack':
      return t(`lock.audit.action.${action.kind}`, {
        count: action.count,
        formatted: formatNumber(action.count, language),
      });
    case 'stocktakeDeleted':
      return t('lock.audit.action.stocktakeDeleted', {
        name: action.name,
        count: action.count,
        formatted: formatNumber(action.count, language),
      });
    case 'minimum': {
      const name = action.name ?? action.productId;
      return action.minimum === null
        ? t('lock.audit.action.minimumOff', { name })
        : t('lock.audit.action.minimum', { name, minimum: formatNumber(action.minimum, language) });
    }
    case 'restoreUser':
      return t('lock.audit.action.restoreUser', { id: action.userId });
    case 'retry':
    case 'discard': {
      const name = action.name ?? action.subjectId;
      const what =
        action.subject === 'restoreUser'
          ? t('lock.audit.update.restoreUser', { name })
          : t(action.isEnabled ? 'lock.audit.update.couponOn' : 'lock.audit.update.couponOff', { name });
      return t(`lock.audit.action.${action.kind}`, { what });
    }
    case 'setting':
      return t('lock.audit.action.setting', { field: fieldWords(action.field, t), from: action.from, to: action.to });
    case 'profile':
      return t(`lock.audit.action.profile.${action.did}`, { name: action.name });
    case 'provisioned':
      // By the names that stand in the file.
      return t('lock.audit.action.provisioned', { name: action.name, fields: action.fields.join(', ') });
    case 'tillLocked':
      return t(action.isByRest ? 'lock.audit.action.tillLocked.byRest' : 'lock.audit.action.tillLocked.byHand');
    case 'ownPinWrong':
    case 'cashierForgotten':
      return t(`lock.audit.action.${action.kind}`, { name: action.name });
    case 'lockChosen': {
      const kinds = action.kinds.map((kind) => t(`lock.kind.${kind}`)).join(', ');
      return t('lock.audit.action.lockChosen', {
        kinds: kinds === '' ? t('lock.nothing') : kinds,
        span: action.opensForMinutes === 0 ? t('lock.once') : t('lock.minutes', { count: action.opensForMinutes }),
      });
    }
    default:
      return t(`lock.audit.action.${action.kind}`);
  }
}
