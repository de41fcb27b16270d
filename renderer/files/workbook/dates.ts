// Which numbers of a workbook are dates: spreadsheets turn "1-5" into one, and as a number it would pass for an amount.
import { Refusal } from './refusal.ts';
import { attribute, type Tag } from './xml.ts';

/** Excel itself knows 65,490. */
const maxFormats = 65_536;
const [formatIdOf, codeOf] = [attribute('numFmtId'), attribute('formatCode')];

/** The formats that Excel has built in for dates and times, in every language (ECMA-376 part 1, §18.8.30). */
function isBuiltIn(id: number): boolean {
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
}

/**
 * Whether a format's code has a part of a date or a time, outside of quotes, what a backslash leads and brackets, but for
 * those of hours beyond a day. One that is left open goes to the end, or each of many would be looked for there anew.
 */
const showsDate = (code: string): boolean =>
  /[dmyhs]/i.test(code.replaceAll(/"[^"]*(?:"|$)|\[(?!(?:h+|m+|s+)\])[^\]]*(?:\]|$)|\\.|[_*]./gi, ''));

/** Listens to a workbook's styles; `dates` then says of each place of a cell's format whether it shows a date. */
export function dateStyles(): { readonly dates: readonly boolean[]; readonly onTag: (tag: Tag) => void } {
  const dates: boolean[] = [];
  const own = new Map<number, boolean>();
  const onTag = (tag: Tag): void => {
    if (tag.name === 'numFmt') {
      own.set(Number(formatIdOf(tag)), showsDate(codeOf(tag) ?? ''));
    } else if (tag.name === 'xf' && tag.kind !== 'close') {
      const id = Number(formatIdOf(tag));
      dates.push(own.get(id) ?? isBuiltIn(id));
    }
    if (dates.length > maxFormats || own.size > maxFormats) {
      throw new Refusal('tooLarge');
    }
  };
  return { dates, onTag };
}

const dayMs = 86_400_000;
/** From 1899-12-30 and from 1904-01-01 to 1970, in days (§18.17.4). */
const [daysTo1970, daysFrom1904] = [25_569, 24_107];

/** Such as 2026-01-05; a number that is no day stays what it is. */
export function writeSerialDate(serial: number, isFrom1904: boolean): string {
  const moment = new Date(Math.round((serial - (isFrom1904 ? daysFrom1904 : daysTo1970)) * dayMs));
  return Number.isNaN(moment.getTime()) ? String(serial) : moment.toISOString().replace(/T00:00:00.000Z$/, '');
}
