import type { TFunction } from 'i18next';
import type { RecentLookup } from '../../app/contract/lookup.ts';
import { succeed } from '../../app/domain/result.ts';
import { moment, number, text, type FileList } from '../files/columns.ts';

/** A code for which neither the copy nor the platform had a product. */
export interface UnknownCode {
  readonly code: string;
  readonly times: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** Mostly digits and without a blank: no name, and nothing that somebody typed by mistake. */
function isCode(code: string): boolean {
  return !/\s/.test(code) && code.length >= 4 && code.replaceAll(/\D/g, '').length * 2 >= code.length;
}

/** Each unknown code once, the one that was asked for last first. */
export function unknownCodes(recent: readonly RecentLookup[]): readonly UnknownCode[] {
  const asked = recent.filter(({ answer, text: code }) => answer === 'unknown' && isCode(code));
  return [...Map.groupBy(asked, ({ text: code }) => code)].map(([code, lookups]) => {
    const moments = lookups.map(({ at }) => at);
    return { code, times: lookups.length, firstAt: Math.min(...moments), lastAt: Math.max(...moments) };
  });
}

/** These codes as a file. */
export function unknownFile(codes: readonly UnknownCode[], t: TFunction): FileList<UnknownCode> {
  return {
    title: t('stock.view.unknownCodes'),
    columns: [
      text(t('stock.column.code'), 24, ({ code }) => code),
      number(t('files.column.times'), 10, ({ times }) => times),
      moment(t('files.column.firstAt'), 20, ({ firstAt }) => firstAt),
      moment(t('files.column.lastAt'), 20, ({ lastAt }) => lastAt),
    ],
    read: () => Promise.resolve(succeed({ rows: codes, of: codes.length, isLast: true })),
  };
}
