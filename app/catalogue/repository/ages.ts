import { ageBandsMs, type CopyAge } from '../../contract/catalogue-age.ts';
import type { Database } from '../../storage/database.ts';
import { spreadRows } from './spread-rows.ts';

/** Up to so many products all are looked at; of more, so many. */
export const maxAgesRead = 4_000;
const atOnce = 500;

export type CountedAges = Pick<CopyAge, 'bands' | 'withoutFigure' | 'counted' | 'isSample'>;

export interface Ages {
  /** Counts by `now`, resting between two slices; null when `pause` answers that it is over. Throws StorageError. */
  count(now: number, pause: () => Promise<boolean>): Promise<CountedAges | null>;
}

interface AgeRow {
  readonly number: number;
  readonly asOf: number | null;
}

/** Opens the counting over catalogue.db. */
export function openAges(database: Database): Ages {
  const from = database.prepare<AgeRow>(
    'SELECT number, CASE WHEN balance IS NULL THEN NULL ELSE balance_as_of END AS asOf FROM products WHERE number >= ? ORDER BY number LIMIT ?',
  );

  return {
    count: async (now, pause) => {
      const bands: number[] = [...ageBandsMs.map(() => 0), 0];
      let [withoutFigure, counted] = [0, 0];
      const { slices, isSample } = spreadRows(
        database,
        (number, limit) => from.all(number, limit),
        maxAgesRead,
        atOnce,
      );
      for (const rows of slices) {
        for (const { asOf } of rows) {
          // What lies ahead was told by a clock that was set back since, and may be of any age.
          const band = asOf === null ? null : ageBandsMs.findIndex((upToMs) => asOf <= now && now - asOf <= upToMs);
          counted += 1;
          if (band === null) {
            withoutFigure += 1;
          } else {
            bands[band < 0 ? ageBandsMs.length : band] = (bands[band < 0 ? ageBandsMs.length : band] ?? 0) + 1;
          }
        }
        if (!(await pause())) {
          return null;
        }
      }
      return { bands, withoutFigure, counted, isSample };
    },
  };
}
