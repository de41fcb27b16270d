import type { TFunction } from 'i18next';
import type { RecentLookup } from '../../app/contract/lookup.ts';
import { succeed } from '../../app/domain/result.ts';
import type { FileList } from '../files/columns.ts';

/** A code for which neither the copy nor the platform had a product. */
export interface UnknownCode {
  readonly code: string;
  readonly times: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** Mostly digits and without a blank: no name, and nothing that somebody typed by mistake. */
function isCode(text: string): boolean {
  return !/\s/.test(text) && text.length >= 4 && text.replaceAll(/\D/g, '').length * 2 >= text.length;
}

/** Each unknown code once, the one that was asked for last first. */
export function unknownCodes(recent: readonly RecentLookup[]): readonly UnknownCode[] {
  const asked = recent.filter(({ answer, text }) => answer === 'unknown' && isCode(text));
  return [...Map.groupBy(asked, ({ text }) => text)].map(([code, lookups]) => {
    const moments = lookups.map(({ at }) => at);
    return { code, times: lookups.length, firstAt: Math.min(...moments), lastAt: Math.max(...moments) };
  });
}

/** These codes as a file. */
export function unknownFile(codes: readonly UnknownCode[], t: TFunction): FileList<UnknownCode> {
  return {
    title: t('stock.view.unknownCodes'),
    columns: [
      { kind: 'text', heading: t('stock.column.code'), width: 24, of: ({ code }) => code },
      { kind: 'number', heading: t('files.column.times'), width: 10, of: ({ times }) => times },
      { kind: 'moment', heading: t('files.column.firstAt'), width: 20, of: ({ firstAt }) => firstAt },
      { kind: 'moment', heading: t('files.column.lastAt'), width: 20, of: ({ lastAt }) => lastAt },
    ],
    read: () => Promise.resolve(succeed({ rows: codes, of: codes.length, isLast: true })),
  };
}
