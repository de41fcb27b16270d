import type { TFunction } from 'i18next';
import type { KeptProfile } from '../../app/contract/profiles.ts';

/** The address's host, by which people know a platform. */
export function hostOf(platformUrl: string): string {
  return URL.parse(platformUrl)?.host ?? platformUrl;
}

/** The person's name for it, or the platform's host. */
export function nameOfProfile({ name, platformUrl }: Pick<KeptProfile, 'name' | 'platformUrl'>): string {
  return name ?? hostOf(platformUrl);
}

/** The line below a profile's name: where it is, which company and which stocks. */
export function placeOfProfile({ name, platformUrl, companyId, stockIds }: KeptProfile, t: TFunction): string {
  return [
    ...(name === null ? [] : [hostOf(platformUrl)]),
    t('shell.header.company', { id: companyId }),
    t('settings.profiles.stocks', { count: stockIds.length, ids: stockIds.join(', ') }),
  ].join(' · ');
}
