import type { Language } from '../../app/contract/basics.ts';
import { byLanguage } from './by-language.ts';

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const formats = byLanguage((language) =>
  units.map(
    (unit) =>
      new Intl.NumberFormat(language, {
        style: 'unit',
        unit,
        unitDisplay: unit === 'byte' ? 'long' : 'short',
        maximumFractionDigits: 1,
      }),
  ),
);

/** In the largest unit of which there is at least one, by thousands: "1.5 MB". */
export function formatBytes(bytes: number, language: Language): string {
  const place = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return (formats(language)[place] as Intl.NumberFormat).format(bytes / 1000 ** place);
}
