import type { TFunction } from 'i18next';
import type { Language } from '../../app/contract/basics.ts';
import type { ExpiryCoverage, NightState } from '../../app/contract/expiring.ts';
import { formatNumber } from '../formats/numbers.ts';
import { formatMoment } from '../formats/times.ts';

/** The reason why Tillside does not ask though it is night; null where there is none. */
export function whyWaiting(night: NightState, t: TFunction): string | null {
  switch (night) {
    case 'signedOut':
    case 'offline':
    case 'copy':
    case 'busy':
    case 'refused':
    case 'safeMode':
    case 'failed':
      return t('expiring.waiting', { why: t(`expiring.why.${night}`) });
    default:
      return null;
  }
}

/** When the products that have not been asked for will be. */
function restWords(coverage: ExpiryCoverage, nowMs: number, t: TFunction, language: Language): string {
  const { withStock, asked, night, nextNightAt, perNight } = coverage;
  const nights = Math.max(1, Math.ceil((withStock - asked) / Math.max(1, perNight)));
  const count = { count: nights, formatted: formatNumber(nights, language) };
  if (night === 'off') {
    return t('expiring.rest.off');
  }
  if (night === 'asking') {
    return t('expiring.rest.asking', count);
  }
  return nextNightAt === null
    ? (whyWaiting(night, t) ?? t('expiring.rest.done'))
    : t('expiring.rest.day', { ...count, moment: formatMoment(nextNightAt, nowMs, language) });
}

function knownWords(coverage: ExpiryCoverage, nowMs: number, t: TFunction, language: Language): string {
  const { withStock, asked, since, mayLack } = coverage;
  if (withStock === 0 && mayLack.includes('notCopied')) {
    return '';
  }
  if (since === null) {
    return t('expiring.coverage.none', { count: withStock, total: formatNumber(withStock, language) });
  }
  const facts = {
    count: withStock,
    asked: formatNumber(asked, language),
    total: formatNumber(withStock, language),
    moment: formatMoment(since, nowMs, language),
  };
  if (asked < withStock) {
    return `${t('expiring.coverage.some', facts)} ${restWords(coverage, nowMs, t, language)}`;
  }
  // Of what is still to be copied nobody can say that it is all.
  return t(mayLack.includes('notCopied') ? 'expiring.coverage.some' : 'expiring.coverage.all', facts);
}

/** Of how much of the stock the list speaks, in one to three sentences. */
export function coverageWords(coverage: ExpiryCoverage, nowMs: number, t: TFunction, language: Language): string {
  const known = knownWords(coverage, nowMs, t, language);
  return [known, ...coverage.mayLack.map((why) => t(`expiring.mayLack.${why}`))]
    .filter((part) => part !== '')
    .join(' ');
}
